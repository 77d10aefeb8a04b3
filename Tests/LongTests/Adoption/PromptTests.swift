// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import JACK
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// Adopted clients whose sessions follow their sound, on a constant signal of music.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PromptTests {
  private static let periodFrames: UInt32 = 256
  private static let low = Float(pow(10, -14.0 / 20))

  /// A prompt: half a second of silence, a third of sound, and silence for longer than a prompt's pauses.
  private func prompt(_ name: String, on music: Music) throws -> Player {
    let silence = [Float](repeating: 0, count: 24_000)
    let speech = [Float](repeating: 0.25, count: 14_400)
    let player = try Player(
      [silence + speech + [Float](repeating: 0, count: 120_000)],
      loops: true,
      to: ["system:playback_1"],
      server: music.host.server,
      name: name,
    )
    return player
  }

  /// The first frame of the prompt from `start` on, and the frame at which the music begins to fall.
  private func hold(_ samples: ArraySlice<Float>) -> (sound: Int, fall: Int)? {
    guard let sound = samples.firstIndex(where: { $0 > 1.2 }),
      let fall = samples[sound...].firstIndex(where: { $0 < 1.249_9 })
    else { return nil }
    return (sound, fall)
  }

  @Test(.jackServer(frames: periodFrames))
  func `ACT-9 a prompt that stays connected takes hold within two periods of each sound`()
    async throws
  {
    let name = Scratch.uniqueName("guide")
    let music = try await Music.playing(
      adopting: "[{client: \(name), session: {preset: navigation}}]",
    )
    let player = try prompt(name, on: music)
    let strip = music.host.port("\(name)_in_1")
    try await waitUntil("it is on its strip") {
      try player.connection.connections(ofPort: "\(name):out_1") == [strip]
    }
    // Connected and silent, it lowers nobody.
    try await music.recorder.pass(24_000)
    try await music.waitForLevel(1)
    player.start()
    var frames: [Int] = []
    for _ in 1...4 {
      let start = music.samples.count
      try await music.waitForLevel(Self.low + 0.25, tolerance: 0.001)
      // Silent for two seconds, it lets go by itself.
      try await music.waitForLevel(1)
      let (sound, fall) = try #require(hold(music.samples[start...]))
      frames.append(fall - sound)
    }
    // On a busy machine some of them may be later.
    #expect(frames.min() ?? .max <= 2 * Int(Self.periodFrames), "\(frames) frames")

    // After a call its next sound takes hold again.
    for event in [Simulate.Event.interruptionBegin, .interruptionEnd] {
      var params = Simulate.Params(event: event)
      params.priorityClass = .phone
      _ = try await music.client.call(Simulate.self, params)
      try await music.recorder.pass(4_800)
    }
    try await music.waitForLevel(Self.low + 0.25, tolerance: 0.001)
    try await music.waitForLevel(1)
    player.close()
    try await music.end()
  }

  @Test(.jackServer(frames: periodFrames))
  func `VOL-3 a key reaches the player that sounds, and not a later one that has fallen silent`()
    async throws
  {
    let (first, second) = (Scratch.uniqueName("first"), Scratch.uniqueName("second"))
    let music = try await Music.playing(
      adopting: "[{client: /\(first)|\(second)/, session: {preset: player}, pause: none}]",
    )
    func play(_ name: String, _ level: Float) throws -> Player {
      let player = try Player(
        [[Float](repeating: level, count: 4_800)],
        loops: true,
        to: ["system:playback_1"],
        server: music.host.server,
        name: name,
      )
      player.start()
      return player
    }
    let one = try play(first, 0.25)
    try await music.waitForLevel(1.25)
    let two = try play(second, 0)
    try await waitUntil("the second is there") {
      let status = try await music.client.call(GetStatus.self)
      return status.sessions.contains { $0.app == second && $0.active }
    }
    try await waitUntil("the second is known as silent for longer than between two pieces") {
      let detail = try await music.client.call(GetSession.self, .init(session: first))
      return detail.nowPlaying
    }
    let command = SendRemoteCommand.Params(command: .pause)
    _ = try await music.client.call(SendRemoteCommand.self, command)
    try await music.waitForLevel(1)
    let play = SendRemoteCommand.Params(command: .play)
    _ = try await music.client.call(SendRemoteCommand.self, play)
    try await music.waitForLevel(1.25)
    for player in [one, two] { player.close() }
    try await music.end()
  }
}
