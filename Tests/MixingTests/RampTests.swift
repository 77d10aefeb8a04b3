// SPDX-License-Identifier: MIT

import Mixing
import Testing

@Suite("Ramps in the mix")
struct RampTests {
  /// Lengths of fades, block sizes that do not divide them among them.
  static let cases: [(fade: Int, block: Int)] = [1, 100, 1024, 8192].flatMap { fade in
    [1, 7, 64, 100, 1024].map { (fade, $0) }
  }

  @Test("a fade-out is monotonic, and silent from its frame on", arguments: cases)
  func fadeOut(fade: Int, block: Int) throws {
    var renderer = try OfflineRenderer(oneToOne(), blockFrames: block)
    let start = 300
    let output = try renderer.render(
      inputs: [constant(1, start + fade + 200)],
      frames: start + fade + 200,
      changes: [
        .init(atFrame: start) {
          try $0.setGate(strip: "in", isOpen: false, fade: .frames(fade), reportID: 7)
        }
      ],
    )[0]
    #expect(output[0...start].allSatisfy { $0 == 1 })
    #expect(zip(output, output.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(output[start + fade - 1] > 0)
    #expect(output[(start + fade)...].allSatisfy { $0 == 0 })
    #expect(largestStep(output) <= 1.001 / Float(fade))
    #expect(
      renderer.events.contains(
        .gateClosed(strip: "in", firstSilentFrame: UInt64(start + fade), reportID: 7)
      )
    )
  }

  @Test("a fade-in lands on exact unity", arguments: cases)
  func fadeIn(fade: Int, block: Int) throws {
    var spec = oneToOne()
    spec.strips[0].isGated = true
    var renderer = try OfflineRenderer(spec, blockFrames: block)
    let input = noise(1, fade + 400)
    let output = try renderer.render(
      inputs: [input],
      frames: input.count,
      changes: [
        .init(atFrame: 200) { try $0.setGate(strip: "in", isOpen: true, fade: .frames(fade)) }
      ],
    )[0]
    #expect(output[0...200].allSatisfy { $0 == 0 })
    #expect(output[(200 + fade)...] == input[(200 + fade)...])
    #expect(
      renderer.events.contains(
        .gateOpened(strip: "in", frame: UInt64(200 + fade), reportID: 0)
      )
    )
  }
}
