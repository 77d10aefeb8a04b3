// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// How deep, how fast and for how long others are lowered, measured on a constant signal.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TowerDuckTests {
  /// A duck as the graph file asks for it.
  struct Duck: CustomStringConvertible, Sendable {
    let gainDB: Double
    let rampMilliseconds: Int
    let restoreMilliseconds: Int
    var description: String { "\(gainDB) dB, \(rampMilliseconds) and \(restoreMilliseconds) ms" }
  }

  private static let ducks = [
    Duck(gainDB: -14, rampMilliseconds: 200, restoreMilliseconds: 80),
    Duck(gainDB: -6, rampMilliseconds: 50, restoreMilliseconds: 40),
    Duck(gainDB: -20, rampMilliseconds: 500, restoreMilliseconds: 100),
  ]

  @Test(.jackServer(frames: 64), arguments: ducks)
  func `ACT-3 depth, ramp and restore are as configured, however the ducker ends`(
    duck: Duck
  ) async throws {
    let times = "ramp: \(duck.rampMilliseconds) ms, restore: \(duck.restoreMilliseconds) ms"
    let music = try await Music.playing(
      tower: "duck: {gain: \(duck.gainDB) dB, \(times)}",
      seconds: 30,
    )
    let low = Float(pow(10, duck.gainDB / 20))
    for ending in [SIGTERM, SIGKILL, SIGKILL] {
      let start = music.samples.count
      let prompt = try music.startHolder(["--preset", "navigation"])
      try await music.waitForLevel(low, tolerance: low * 0.001)
      let lowered = music.samples.count
      prompt.send(ending)
      try await music.waitForLevel(1)
      let levels = music.samples.map { 20 * log10(Double($0)) }

      #expect(levels[lowered - 1] > duck.gainDB - 0.1 && levels[lowered - 1] < duck.gainDB + 0.1)
      let fall = try #require(levels[start...].firstIndex { $0 < 0 })
      let landed = try #require(levels[fall...].firstIndex { $0 < duck.gainDB + 0.001 })
      let rise = try #require(levels[lowered...].firstIndex { $0 > duck.gainDB + 0.01 })
      let back = try #require(levels[rise...].firstIndex(of: 0))
      // Frames in a millisecond, and one period more or less.
      #expect(abs(landed - fall - duck.rampMilliseconds * 48) <= 64, "fell in \(landed - fall)")
      #expect(abs(back - rise - duck.restoreMilliseconds * 48) <= 64, "rose in \(back - rise)")
      #expect(back - rise <= 4_800)
      if duck.gainDB >= -14 {
        // The steepest part that the default asks for keeps below 0.5 dB a period.
        let steps = stride(from: start, to: landed, by: 64).map { levels[$0] - levels[$0 + 64] }
        #expect(steps.allSatisfy { abs($0) <= 0.5 }, "\(steps.max() ?? 0) dB in a period")
      }
    }
    try await music.end()
  }
}
