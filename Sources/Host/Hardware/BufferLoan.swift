// SPDX-License-Identifier: MIT

/// The buffer size that a server had before the host set another one (HW-8).
///
/// Pure value: [any-thread].
struct BufferLoan: Codable, Sendable, Equatable {
  /// The size that the server had, or that somebody else has set since, in frames.
  private(set) var foundFrames: Int
  /// The size that the host has set; nil while the server has the other one.
  private(set) var oursFrames: Int?

  /// Makes a loan of nothing.
  init(foundFrames: Int) { self.foundFrames = foundFrames }

  /// The host has set a size.
  mutating func set(_ frames: Int) { oursFrames = frames == foundFrames ? nil : frames }

  /// Somebody else has set a size, which is the one to give back from now on.
  mutating func changedByOthers(to frames: Int) {
    foundFrames = frames
    oursFrames = nil
  }

  /// The size to give back; nil where somebody else has set the present one.
  func framesToGiveBack(presentFrames: Int) -> Int? {
    presentFrames == oursFrames ? foundFrames : nil
  }
}
