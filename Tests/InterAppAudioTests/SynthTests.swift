// SPDX-License-Identifier: MIT

import InterAppAudio
import JACK
import NodeKit
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct SynthTests {
  @Test("IAA-1: the note that takes the voice of another makes no click", .steppedServer())
  func stolenVoice() async throws {
    let server = try testServer().name
    let folder = try NodeFolder()
    let node = try PolySynth.publish(gainDB: 0, server: server)
    let host = try InterAppHost(
      HostDescription(name: "pianist"),
      server: server,
      folders: folder.folders,
    )
    let instance = try await host.connect(host.node(named: "synth"))
    let recorder = try Recorder(from: ["synth:out_1"], capacityFrames: 72_000, server: server)
    let (recording, stolen) = try await play(instance, host, recorder)
    #expect(recording.isContinuous)
    #expect(await host.lateMIDICount == 0)
    try check(recording, stolen)
    recorder.close()
    await host.close()
    node.close()
  }

  /// Plays one loud note and fifteen soft ones, then a note that takes the voice of the loud one.
  ///
  /// It does so while the wave of the loud one, 734 frames
  /// long, is near its maximum. No cycle runs while they are sent, so none is late.
  private func play(
    _ instance: NodeInstance,
    _ host: InterAppHost,
    _ recorder: Recorder,
  ) async throws -> (recording: Recording, stolen: UInt32) {
    let stepped = try steppedServer()
    recorder.start()
    await stepped.hold()
    let first = try host.connection.frameTime &+ 12_000
    for index in 0..<16 as Range<UInt32> {
      let velocity: UInt8 = index == 0 ? 127 : 1
      try instance.send(
        ScheduledMIDI(frame: first &+ index, status: 0x90, data1: 36, data2: velocity)
      )
    }
    let stolen = first &+ 7_440
    try instance.send(ScheduledMIDI(frame: stolen, status: 0x90, data1: 36, data2: 20))
    stepped.run()
    return (try await recorder.finish(), stolen)
  }

  private func check(_ recording: Recording, _ stolen: UInt32) throws {
    let sound = recording.channels[0]
    let steps = zip(sound, sound.dropFirst()).map { abs($0 - $1) }
    let place = Int(Int32(bitPattern: stolen &- recording.firstFrame))
    let before = try #require(steps[..<(place - 100)].max())
    #expect(before > 0.01)
    let after = try #require(steps[(place - 100)...].max())
    #expect(after < before * 1.2, "\(after), before \(before)")
    // The new note is as soft as its velocity.
    let loudest = try #require(sound.suffix(7_340).max())
    #expect((0.1...0.4).contains(loudest), "\(loudest)")
  }
}
