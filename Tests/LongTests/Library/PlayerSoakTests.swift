// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Sessions
import TestSupport
import Testing

@testable import AudioSession
@testable import EndToEndSupport

/// Players, a recorder and system sounds under random interruption, plug and kill, against a model of a few lines.
///
/// `MULTIROUTE_SOAK_SECONDS=3600` makes it last an hour, in which every state sounds on for two seconds or so. The run says
/// its audio time: how long players sounded and recorders recorded, added up. Several runs at once need a folder for
/// shared memory each (`unshare -m`).
@Suite(.serialized)
struct PlayerSoakTests {
  @Test(.jackServer(channels: 4))
  func `INT-5 RTE-3 RST-1: nobody sounds who should not, and nobody is silent who should sound`()
    async throws
  {
    let asked = ProcessInfo.processInfo.environment["MULTIROUTE_SOAK_SECONDS"]
    let seconds = asked.flatMap { Int($0) } ?? 8
    var random = TestSeed.random()
    // A host of a test ends by itself after four minutes, unless it is told to live longer.
    let rig = try await SessionRig.running(arguments: ["--duration", "\(seconds + 240)"])
    var stage = try SoakStage(rig)
    let start = ContinuousClock.now
    var log: [String] = []
    do {
      while ContinuousClock.now - start < .seconds(seconds) {
        do {
          log.append(try await stage.act(&random))
          if log.count % 8 == 0 { log.append(try await stage.playSound()) }
          try await stage.check()
          if asked != nil {
            // The state lasts, so that it can be judged again after a time.
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...4_000, using: &random)))
            try await stage.check()
          }
        } catch _ where stage.hasLostServer {
          // A server that stands still for too long is one more event (RST-1): all are silent, and set up anew.
          log.append(try await stage.meetLoss())
        }
      }
    } catch {
      throw TestFailure("seed \(TestSeed.value), after \(log.suffix(12)): \(error)")
    }
    #expect(log.count > 3)
    if asked != nil {
      print(
        "\(log.count) rounds in \(ContinuousClock.now - start), \(stage.audioTime) of audio"
      )
    }
    try await stage.end()
  }
}

/// The model of the app beside the app itself.
private struct SoakStage {
  /// One player and what the model knows of it.
  private struct Part {
    let player: AVAudioPlayer
    let level: Float
    let isOwn: Bool
    let resumes: Bool
    var isPlaying = false
    var waits = false
  }

  private static let soundLevel: Float = 0.006_25

  private let rig: SessionRig
  private var parts: [Part] = []
  private let recorder: AVAudioRecorder
  private var heard: Heard
  private var sound: SystemSoundID = 0
  private var isInterrupted = false
  private var isPlugged = true
  private var isRecording = false
  /// Whether system sounds are muted, because the app's session was active when an interruption began.
  private var isMuted = false
  private var isAppActive = false
  /// The losses of host or server that the model knows of.
  private var losses = 0
  /// How long the players sounded and the recorder recorded, added up.
  private(set) var audioTime = Duration.zero
  private var counted = ContinuousClock.now

  init(_ rig: SessionRig) throws {
    self.rig = rig
    for (level, isOwn, resumes) in [
      (Float(0.4), false, true), (0.2, false, false), (0.1, true, false), (0.05, false, true),
      (0.025, false, false), (0.0125, false, true),
    ] {
      let player = try AVAudioPlayer(contentsOf: rig.constant(level, seconds: 5))
      player.numberOfLoops = -1
      player.resumesAutomatically = resumes
      if isOwn { player.usesApplicationAudioSession = false }
      parts.append(Part(player: player, level: level, isOwn: isOwn, resumes: resumes))
    }
    let take = URL(filePath: rig.scratch.path + "/take.wav")
    recorder = try AVAudioRecorder(url: take, settings: [AVNumberOfChannelsKey: 1])
    heard = try rig.recorder(["phones_out_1", "speaker_out_1"])
    guard
      AudioServicesCreateSystemSoundID(try rig.constant(Self.soundLevel, seconds: 1), &sound)
        == noErr
    else { throw TestFailure("the sound cannot be made") }
    try configure()
  }

  private func configure() throws {
    try rig.session.setCategory(.playAndRecord, options: [.mixWithOthers, .defaultToSpeaker])
    try rig.session.setAllowHapticsAndSystemSoundsDuringRecording(true)
  }

  // MARK: - Events

  /// Does something at random, and returns its name.
  mutating func act(_ random: inout SeededRandom) async throws -> String {
    // Interruptions are short, so that most of the time is audio time.
    if isInterrupted, Bool.random(using: &random) {
      return try await interrupt(resumes: Int.random(in: 0..<4, using: &random) > 0)
    }
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<22: return play(Int.random(in: parts.indices, using: &random))
    case 22..<25: return pause(Int.random(in: parts.indices, using: &random))
    case 25..<30: return try await interrupt(resumes: Bool.random(using: &random))
    case 30..<34: return try await plug()
    case 34..<39: return record()
    default: return try await kill()
    }
  }

  private mutating func play(_ index: Int) -> String {
    let plays = parts[index].player.play()
    parts[index].isPlaying = !isInterrupted
    if !isInterrupted { parts[index].waits = false }
    if !isInterrupted, !parts[index].isOwn { isAppActive = true }
    return "play \(index)\(plays ? "" : " is refused")"
  }

  private mutating func pause(_ index: Int) -> String {
    parts[index].player.pause()
    parts[index].isPlaying = false
    parts[index].waits = false
    return "pause \(index)"
  }

  private mutating func interrupt(resumes: Bool) async throws -> String {
    isInterrupted.toggle()
    let notes = rig.notes
    let before = notes.all(AVAudioSession.interruptionNotification).count
    // The app's session hears of the interruption if it was active then.
    let isTold = isInterrupted ? isAppActive : isMuted
    let told = { notes.all(AVAudioSession.interruptionNotification).count > before }
    if isInterrupted {
      try await rig.simulate(.interruptionBegin, class: .phone)
      if isTold { try await waitUntil("the app has heard of it", told) }
      for index in parts.indices {
        parts[index].waits = parts[index].isPlaying && parts[index].resumes
        parts[index].isPlaying = false
      }
      isRecording = false
      isMuted = isAppActive
      isAppActive = false
      return "interruption"
    }
    try await rig.simulate(.interruptionEnd, class: .phone, resumes: resumes)
    if isTold { try await waitUntil("the app has heard of the end", told) }
    for index in parts.indices where parts[index].waits {
      parts[index].isPlaying = resumes
      parts[index].waits = false
      if resumes { isAppActive = true }
    }
    isMuted = false
    return "its end\(resumes ? "" : " without resuming")"
  }

  private mutating func plug() async throws -> String {
    isPlugged.toggle()
    try await rig.simulate(isPlugged ? .plug : .unplug, route: "phones")
    isRecording = false
    if !isPlugged { for index in parts.indices { parts[index].isPlaying = false } }
    return isPlugged ? "plug" : "unplug"
  }

  private mutating func record() -> String {
    if isRecording {
      recorder.stop()
      isRecording = false
      return "end of the recording"
    }
    _ = recorder.record()
    isRecording = !isInterrupted
    if !isInterrupted { isAppActive = true }
    return "recording"
  }

  private mutating func kill() async throws -> String {
    heard.recorder.close()
    rig.host.child.send(SIGKILL)
    _ = try await rig.host.child.waitForEnd()
    let parts = parts
    try await waitUntil("the players have heard of it") {
      parts.allSatisfy { !$0.player.isPlaying }
    }
    try await rig.restartHost()
    try await waitUntil("the library is back") {
      SessionController.shared.current.connection != nil
    }
    try await startAnew()
    return "kill"
  }

  /// Whether the server was lost and the model does not know it.
  var hasLostServer: Bool { lossesSeen > losses }

  private var lossesSeen: Int {
    rig.notes.all(AVAudioSession.mediaServicesWereLostNotification).count
  }

  /// Waits until the library is back after a loss of the server, and ends what was simulated.
  mutating func meetLoss() async throws -> String {
    heard.recorder.close()
    let parts = parts
    try await waitUntil("the players have heard of it") {
      parts.allSatisfy { !$0.player.isPlaying }
    }
    try await waitUntil("the library has a server again") {
      SessionController.shared.current.detail?.hardware.server != nil
    }
    if isInterrupted { try await rig.simulate(.interruptionEnd, class: .phone) }
    if !isPlugged { try await rig.simulate(.plug, route: "phones") }
    recorder.stop()
    try await startAnew()
    return "loss of the server"
  }

  /// Begins again with a host that has just been set up: everybody is silent.
  private mutating func startAnew() async throws {
    for index in parts.indices {
      parts[index].isPlaying = false
      parts[index].waits = false
    }
    (isInterrupted, isPlugged, isRecording, isMuted, isAppActive) = (
      false, true, false, false, false
    )
    try configure()
    heard = try rig.recorder(["phones_out_1", "speaker_out_1"])
    losses = lossesSeen
  }

  /// Plays a system sound, which is heard beside all others unless it is muted.
  mutating func playSound() async throws -> String {
    try await check()
    AudioServicesPlaySystemSound(sound)
    try await waitForLevel(music + (isMuted ? 0 : Self.soundLevel))
    // Until its end: it lasts a second.
    try await waitForLevel(music)
    return "sound"
  }

  // MARK: - Checks

  private var music: Float { parts.reduce(0) { $0 + ($1.isPlaying ? $1.level : 0) } }

  private func waitForLevel(_ level: Float) async throws {
    try await heard.waitForLevels(isPlugged ? [level, 0] : [0, level])
  }

  /// Compares what is heard, what the app says and what the tower says with the model.
  mutating func check() async throws {
    // A recorder keeps a minute.
    if heard.recorder.capturedFrames > 40 * 48_000 {
      heard.recorder.close()
      heard = try rig.recorder(["phones_out_1", "speaker_out_1"])
    }
    try await waitForLevel(music)
    for (index, part) in parts.enumerated() {
      try await waitUntil("player \(index) says \(part.isPlaying)") {
        part.player.isPlaying == part.isPlaying
      }
    }
    let (recorder, isRecording) = (recorder, isRecording)
    try await waitUntil("the recorder says \(isRecording)") {
      recorder.isRecording == isRecording
    }
    try await agree("test-app", sounds: parts.contains { !$0.isOwn && $0.isPlaying })
    try await agree("test-app-player", sounds: parts.contains { $0.isOwn && $0.isPlaying })
    let now = ContinuousClock.now
    audioTime += (now - counted) * (parts.count(where: \.isPlaying) + (self.isRecording ? 1 : 0))
    counted = now
  }

  /// Waits until the tower's explanation of a session is that it is heard, or that it is not.
  private func agree(_ app: String, sounds: Bool) async throws {
    var said = "nothing"
    do {
      try await waitUntil("\(app) is \(sounds ? "heard" : "silent")") {
        let sessions = try await rig.host.status().sessions
        let ids = sessions.filter {
          $0.app == app || app.hasSuffix("player") && $0.app.hasPrefix(app)
        }
        var levels: [Explanation.Level] = []
        for id in ids.map(\.id) {
          let why = try await rig.client.call(Why.self, .init(app: id)).sessions
          said = why.map(\.sentence).joined(separator: " ")
          levels += why.compactMap(\.level)
        }
        return levels.contains(.full) == sounds
      }
    } catch {
      throw TestFailure("\(error), but the tower says: \(said)")
    }
  }

  mutating func end() async throws {
    for part in parts {
      part.player.stop()
      part.player.usesApplicationAudioSession = true
    }
    recorder.stop()
    AudioServicesDisposeSystemSoundID(sound)
    heard.recorder.close()
    try await rig.end()
  }
}
