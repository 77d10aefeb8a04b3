// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

/// The travel of faders.
struct FaderTaperTests {
  @Test(
    arguments: [
      (1, 10), (0.75, 0), (0.5, -10), (0.375, -20), (0.25, -30), (0.15625, -45), (0.0625, -60),
      (0.03125, -75), (0, -.infinity),
    ] as [(Double, Double)]
  )
  func `XA-11, XA-12, TAP-1 positions and gains belong together`(position: Double, gainDB: Double) {
    #expect(FaderTaper.gainDB(atPosition: position) == gainDB)
    #expect(FaderTaper.position(ofGainDB: gainDB) == position)
  }

  @Test func `each way back gives the same position, and nothing jumps between the pieces`() {
    var last = -Double.infinity
    for step in 1...100_000 {
      let position = Double(step) / 100_000
      let gainDB = FaderTaper.gainDB(atPosition: position)
      #expect(gainDB > last && (step == 1 || gainDB - last < 0.005))
      #expect(abs(FaderTaper.position(ofGainDB: gainDB) - position) < 1e-12)
      last = gainDB
    }
  }

  @Test func `values out of range stand at an end`() {
    #expect(FaderTaper.position(ofGainDB: 24) == 1)
    #expect(FaderTaper.position(ofGainDB: -120) == 0)
    #expect(FaderTaper.gainDB(atPosition: 2) == 10)
    #expect(FaderTaper.gainDB(atPosition: -1) == -.infinity)
    #expect(FaderTaper.gainDB(atPosition: .nan) == -.infinity)
  }
}
