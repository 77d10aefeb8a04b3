// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import JACK
import TestSupport
import Testing

/// How an adopted client gets from the hardware to its strip, heard by the hardware.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct AdoptionMoveTests {
  /// More for figures: `MULTIROUTE_ROUNDS=200`.
  private static let rounds =
    ProcessInfo.processInfo.environment["MULTIROUTE_ROUNDS"].flatMap(Int.init) ?? 4

  private static let anybody = "[{client: \"/app.*/\", session: {preset: musicMaking}}]"

  @Test(.jackServer(frames: 64))
  func `INT-1 a client moves to its strip without a gap, and nothing is heard twice`() async throws
  {
    let speakers = try await Speakers.playing(adopting: Self.anybody, seconds: 4 + Self.rounds)
    let music = [Signals.noise(4_800, seed: 1), Signals.noise(4_800, seed: 2)]
    var milliseconds: [Double] = []
    var longestGap = 0
    var isDoubled = false
    for round in 0..<Self.rounds {
      let start = speakers.recorder.capturedFrames
      let player = try speakers.player("app-\(round)", music)
      let clock = ContinuousClock.now
      for (port, speaker) in zip(player.portNames, Speakers.ports[2...]) {
        try player.connection.connect(port, to: speaker)
      }
      try await waitUntil("both outputs go to the strip only") {
        try player.portNames.allSatisfy { port in
          let others = try player.connection.connections(ofPort: port)
          return others.count == 1 && others[0].hasPrefix(speakers.host.name)
        }
      }
      milliseconds.append((ContinuousClock.now - clock) / .milliseconds(1))
      try await Task.sleep(for: .milliseconds(150))
      let end = speakers.recorder.capturedFrames
      for channel in 0..<2 {
        let heard = Array(speakers.heard(at: 2 + channel)[start..<end])
        let played = Played(heard, loop: music[channel])
        longestGap = max(longestGap, played.longestGapFrames)
        isDoubled = isDoubled || played.isOtherwise
        #expect(Signals.peak(speakers.heard(at: channel)[start..<end]) == 0)
      }
      player.close()
      try await waitUntil("it is silent again") {
        speakers.heard(at: 2).suffix(512).allSatisfy { $0 == 0 }
      }
    }
    milliseconds.sort()
    print(
      "moved in ms: p50 \(milliseconds[milliseconds.count / 2])",
      "p99 \(milliseconds[milliseconds.count * 99 / 100])",
      "longest gap \(longestGap) frames",
    )
    #expect(longestGap == 0)
    #expect(!isDoubled)
    try await speakers.end()
  }
}

/// A recording compared with the loop that was played, from its first sound to its last.
struct Played {
  /// The longest run of samples that are missing.
  private(set) var longestGapFrames = 0
  /// Whether any sample is neither silent nor the loop's next.
  private(set) var isOtherwise = false

  init(_ heard: [Float], loop: [Float]) {
    guard let first = heard.firstIndex(where: { $0 != 0 }),
      let last = heard.lastIndex(where: { $0 != 0 })
    else {
      isOtherwise = true
      return
    }
    let match = Signals.longestMatch(of: heard, from: first, inLoop: loop)
    guard let position = match?.position else {
      isOtherwise = true
      return
    }
    var gap = 0
    for index in first...last {
      let expected = loop[(position + index - first) % loop.count]
      if heard[index] == expected {
        gap = 0
      } else if heard[index] == 0 {
        gap += 1
        longestGapFrames = max(longestGapFrames, gap)
      } else {
        isOtherwise = true
      }
    }
  }
}
