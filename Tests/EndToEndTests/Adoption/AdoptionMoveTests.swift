// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// How an adopted client gets from the hardware to its strip, heard by the hardware.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct AdoptionMoveTests {
  private static let rounds = 4

  /// The strip is lower than the direct connection, so that the recording shows which one sounds.
  private static let anybody =
    "[{client: \"/app.*/\", session: {preset: musicMaking}, gain: -6 dB}]"
  private static let gainLinear = Float(pow(10, -6.0 / 20))

  @Test(.steppedServer())
  func `INT-1 a client moves to its strip without a gap or doubled sound`() async throws {
    let speakers = try await Speakers.playing(
      adopting: Self.anybody,
      seconds: 60 + Self.rounds,
    )
    let music = [Signals.noise(4_800, seed: 1), Signals.noise(4_800, seed: 2)]
    for round in 0..<Self.rounds {
      let start = speakers.recorder.capturedFrames
      let player = try speakers.player("app-\(round)", music)
      for (port, speaker) in zip(player.portNames, Speakers.ports[2...]) {
        try player.connection.connect(port, to: speaker)
      }
      try await waitUntil("both outputs go to the strip only") {
        try player.portNames.allSatisfy { port in
          let others = try player.connection.connections(ofPort: port)
          return others.count == 1 && others[0].hasPrefix(speakers.host.name)
        }
      }
      try await speakers.recorder.pass(7_200)
      let end = speakers.recorder.capturedFrames
      for channel in 0..<2 {
        let heard = Array(speakers.heard(at: 2 + channel)[start..<end])
        let played = Played(heard, loop: music[channel], stripGainLinear: Self.gainLinear)
        #expect(played.longestGapFrames == 0)
        #expect(played.other == nil)
        #expect(Signals.peak(speakers.heard(at: channel)[start..<end]) == 0)
      }
      player.close()
      try await waitUntil("it is silent again") {
        speakers.recorder.latest(512)[2].allSatisfy { $0 == 0 }
      }
    }
    try await speakers.end()
  }
}
