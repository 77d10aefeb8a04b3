// SPDX-License-Identifier: MIT

import AVFoundation
import AudioFiles
import ControlProtocol
import MediaPlayer
import TestSupport
import Testing

@testable import EndToEndSupport
@testable import IOSSources

/// Typical sources of iOS apps, compiled as they are, drive a host.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TypicalSourceTests {
  @Test(.jackServer(channels: 4))
  func `VOL-2: remote commands reach an object of the main actor, with order and repetition`()
    async throws
  {
    let bus = try MessageBus()
    try await bus.isThere()
    let rig = try await SessionRig.running()
    let url = try rig.constant(0.5, seconds: 5)
    let app = RemoteCommandPlayer()
    try await app.load(url)
    await app.setUpRemoteCommands()
    await app.play()
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.5)
    try await waitUntil("it is on the bus") { bus.says("Playing", "status") }
    let picture = try bus.playerctl("metadata", "mpris:artUrl")
    let data = FileManager.default.contents(atPath: URL(string: picture)?.path ?? "")
    #expect(data == Data([0x89, 0x50, 0x4E, 0x47]))
    try bus.playerctl("pause")
    try await heard.waitForLevel(0)
    try bus.playerctl("play")
    try await heard.waitForLevel(0.5)
    try bus.playerctl("play-pause")
    try await heard.waitForLevel(0)
    try bus.playerctl("loop", "Playlist")
    try await waitUntil("it repeats") { bus.says("Playlist", "loop") }
    #expect(await app.numberOfLoops == -1)
    try bus.playerctl("shuffle", "On")
    try await waitUntil("it is shuffled") { bus.says("On", "shuffle") }
    try bus.playerctl("loop", "None")
    try await waitUntil("it repeats no more") { bus.says("None", "loop") }
    #expect(
      await app.log == ["play", "pause", "play", "pause", "repeat 2", "shuffle 1", "repeat 0"]
    )
    await app.removeRemoteCommands()
    MPNowPlayingInfoCenter.default().nowPlayingInfo = nil
    heard.recorder.close()
    try await rig.end()
    bus.stop()
  }

  @available(*, deprecated)
  @Test(.jackServer(channels: 4))
  func `INT-7: a delegate with the form of listing 3-2 alone plays on; an old one hears of inputs`()
    async throws
  {
    let rig = try await SessionRig.running()
    try rig.session.setCategory(.playAndRecord)
    let old = OldSessionDelegate()
    rig.session.delegate = old
    let app = try PlainInterruptionDelegate(rig.constant(0.5, seconds: 5))
    app.start()
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.5)
    try await rig.simulate(.callRing)
    try await waitUntil("it heard of the call") { app.interruptedOnPlayback }
    try await heard.waitForLevel(0)
    try await rig.simulate(.callDecline)
    try await heard.waitForLevel(0.5)
    #expect(app.playing)
    try await rig.simulate(.unplug, route: "mic")
    try await waitUntil("the input has gone") { old.inputs == [false] }
    try await rig.simulate(.plug, route: "mic")
    try await waitUntil("the input is back") { old.inputs == [false, true] }
    rig.session.delegate = nil
    app.stop()
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 8))
  func `CAT-4: a file goes to each pair of a route of four channels in turn, and nowhere else`()
    async throws
  {
    let ports = (5...8).map { "system:playback_\($0)" }.joined(separator: ", ")
    let rig = try await SessionRig.running(routes: "usb: {type: usbAudio, ports: [\(ports)]}")
    try await rig.simulate(.unplug, route: "phones")
    let heard = try rig.recorder((1...4).map { "usb_out_\($0)" })
    let samples = [Float](repeating: 0.25, count: 12_000)
    let file = try rig.scratch.write([samples, samples], to: "pair.wav", format: .wavFloat32)
    let app = PairByPairPlayer(url: URL(filePath: file))
    try app.start()
    try await waitUntil("it is done") { app.isDone }
    try await heard.waitForLevels([0, 0, 0, 0])
    #expect(app.played == ["usb+usb", "usb+usb"])
    let channels = heard.recorder.captured.channels
    for (index, samples) in channels.enumerated() {
      // The file itself, and nothing between its first and last sample.
      let sounding = samples.indices.filter { samples[$0] != 0 }
      #expect(sounding.count == 12_000, "channel \(index)")
      #expect(sounding.last.map { $0 - (sounding.first ?? 0) } == 11_999, "channel \(index)")
    }
    let starts = channels.map { $0.firstIndex { $0 != 0 } ?? 0 }
    #expect(starts[0] == starts[1] && starts[2] == starts[3])
    #expect(starts[2] >= starts[0] + 12_000)
    app.stop()
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `CAT-1: a recording starts at its moment and ends after its duration, to the sample`()
    async throws
  {
    let tone = try Player(
      [[Float](repeating: 0.25, count: 4_800)],
      loops: true,
      server: try testServer().name,
      name: "capture-stand-in",
    )
    tone.start()
    let rig = try await SessionRig.running(microphone: ["capture-stand-in:out_1"])
    try rig.session.setCategory(.record)
    let source = AudioFoundationOnly()
    let url = URL(filePath: rig.scratch.path + "/take.wav")
    let recorder = try source.makeRecorder(url)
    #expect(recorder.prepareToRecord())
    #expect(source.startLater(recorder))
    #expect(recorder.isRecording)
    #expect(recorder.currentTime == 0)
    try await waitUntil("it has ended") { !recorder.isRecording }
    let file = try AudioFileReader(path: url.path(percentEncoded: false))
    #expect(file.info.durationSeconds == 1)
    tone.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `CAT-1: a voice memo is recorded and played as AAC, at the sample rate it asks for`()
    async throws
  {
    let sine = (0..<480).map { Float(0.5 * sin(2 * Double.pi * Double($0) / 48)) }
    let tone = try Player(
      [sine],
      loops: true,
      server: try testServer().name,
      name: "capture-stand-in",
    )
    tone.start()
    let rig = try await SessionRig.running(microphone: ["capture-stand-in:out_1"])
    let url = URL(filePath: rig.scratch.path + "/memo.m4a")
    let memo = VoiceMemo()
    try memo.record(to: url, forDuration: 1)
    try await waitUntil("it is saved") { memo.isSaved }
    tone.close()
    let file = try AudioFileReader(path: url.path(percentEncoded: false))
    #expect(file.info.formatName == "MPEG-4, AAC")
    #expect(file.info.sampleRateHz == 12_000)
    #expect(file.info.frames == 12_000)
    #expect(abs(try rig.peak(of: url) - 0.5) < 0.1)
    let heard = try rig.recorder("phones_out_1")
    try memo.play(url)
    try await waitUntil("it is played") { memo.isPlayed }
    let peak = heard.recorder.captured.channels[0].map(\.magnitude).max() ?? 0
    #expect(abs(peak - 0.5) < 0.1)
    heard.recorder.close()
    try await rig.end()
  }
}
