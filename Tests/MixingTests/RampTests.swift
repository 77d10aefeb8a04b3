// SPDX-License-Identifier: MIT

import Mixing
import Realtime
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

  @Test(
    "an exponential fade is exact at each frame of the grid, wherever it begins",
    arguments: [0, 1, 7, 16, 31],
    [5, 64, 1024],
  )
  func grid(start: Int, block: Int) throws {
    var renderer = try OfflineRenderer(oneToOne(), blockFrames: block)
    let fade = 640
    let output = try renderer.render(
      inputs: [constant(1, 800)],
      frames: 800,
      changes: [
        .init(atFrame: start) {
          try $0.setFader(
            strip: "in",
            decibels: -60,
            fade: .frames(fade, shape: .exponential),
          )
        }
      ],
    )[0]
    for frame in stride(from: 32, through: start + fade, by: 32) {
      let share = max(0, Double(frame - start) / Double(fade))
      let gain = Decibels.linear(fromDB: -60 * share)
      #expect(abs(output[frame] / gain - 1) < 1e-3, "\(frame)")
    }
  }

  @Test("new targets in mid-cell go on from where the gain is", arguments: [1, 7, 64, 100])
  func retargeting(block: Int) throws {
    var renderer = try OfflineRenderer(oneToOne(), blockFrames: block)
    let changes = (1..<200).map { change in
      OfflineRenderer.Change(atFrame: change * 13) {
        try $0.setGate(strip: "in", isOpen: change % 3 == 0, fade: .frames(1000))
        try $0.setDuck(strip: "in", decibels: change % 5 == 0 ? 0 : -40, fade: .frames(1000))
      }
    }
    let output = try renderer.render(
      inputs: [constant(1, 4000)],
      frames: 4000,
      changes: changes,
    )[0]
    #expect(largestStep(output) <= 2.01 / 1000)
    #expect(largestStep(output) > 0)
  }
}
