// SPDX-License-Identifier: MIT

import Testing

@testable import Host

struct BufferSizeTests {
  /// A server that takes some sizes only.
  private actor Driver {
    private let takes: @Sendable (Int) -> Bool
    private(set) var frames: Int
    private(set) var asked: [Int] = []

    init(at frames: Int, takes: @escaping @Sendable (Int) -> Bool) {
      self.frames = frames
      self.takes = takes
    }

    func set(_ wanted: Int) -> Int? {
      asked.append(wanted)
      guard takes(wanted) else { return nil }
      frames = wanted
      return wanted
    }
  }

  private func negotiate(_ wanted: Int, with driver: Driver) async -> BufferOutcome {
    await BufferNegotiation.run(wantedFrames: wanted, currentFrames: driver.frames) {
      await driver.set($0)
    }
  }

  @Test func `a size that holds already is not asked for`() async {
    let driver = Driver(at: 240) { _ in true }
    let outcome = await negotiate(240, with: driver)
    #expect(outcome == BufferOutcome(actualFrames: 240, reason: "as preferred"))
    #expect(await driver.asked.isEmpty)
  }

  @Test(arguments: [1, 16, 100, 240, 1023, 8192])
  func `a driver that takes all gives the preferred size at once`(frames: Int) async {
    let driver = Driver(at: 2048) { _ in true }
    #expect(await negotiate(frames, with: driver).actualFrames == frames)
    #expect(await driver.asked == [frames])
  }

  @Test(arguments: [(240, 256), (100, 128), (90, 64), (1000, 1024), (17, 16), (5000, 4096)])
  func `a driver that takes powers of two gives the nearest`(wanted: Int, nearest: Int) async {
    let driver = Driver(at: 512) { $0 >= 16 && $0.nonzeroBitCount == 1 }
    let outcome = await negotiate(wanted, with: driver)
    #expect(outcome.actualFrames == nearest)
    #expect(outcome.reason.contains("refused \(wanted) frames"))
  }

  @Test func `a driver that takes multiples of 48 gives the nearest`() async {
    let driver = Driver(at: 480) { $0.isMultiple(of: 48) }
    #expect(await negotiate(250, with: driver).actualFrames == 240)
  }

  @Test func `a driver that refuses all sizes keeps its own, and the reason says so`() async {
    let driver = Driver(at: 512) { _ in false }
    let outcome = await negotiate(240, with: driver)
    #expect(outcome.actualFrames == 512)
    #expect(outcome.reason.contains("every size near it"))
    #expect(await driver.asked.count <= 24)
  }

  @Test func `a size beyond JACK's own limits becomes the limit, and the reason says so`() async {
    let driver = Driver(at: 512) { _ in true }
    let outcome = await negotiate(20_000, with: driver)
    #expect(outcome.actualFrames == 8192)
    #expect(outcome.reason == "JACK allows 1 to 8192 frames")
  }

  @Test(arguments: 1...8192)
  func `candidates are legal, all different, and the wanted size is the first`(frames: Int) {
    let candidates = BufferSizeCandidates.around(frames)
    #expect(candidates.first == frames)
    #expect(candidates.count <= 24)
    #expect(Set(candidates).count == candidates.count)
    #expect(candidates.allSatisfy(BufferSizeCandidates.allowedFrames.contains))
    let distances = candidates.map { Double(max($0, frames)) / Double(min($0, frames)) }
    #expect(distances == distances.sorted())
  }
}
