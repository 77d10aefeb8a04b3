// SPDX-License-Identifier: MIT

internal import InterAppAudio

/// What the host has started for a node that is in no chain any more, until it has ended.
struct LeavingNode: Sendable {
  /// What becomes of it.
  enum Step: Sendable { case wait, ask, insist, forget }

  /// So long it may go on: whoever takes a node from one place puts it in another soon after, and it is faded out and
  /// unpatched until then.
  static let graceNanoseconds: UInt64 = 2_000_000_000
  /// So long it may take to end when it is asked to.
  static let patienceNanoseconds: UInt64 = 5_000_000_000

  let program: NodeProgram
  private(set) var sinceNanoseconds: UInt64
  /// Whether it has been asked to end.
  private(set) var isAsked = false

  init(_ program: NodeProgram, nowNanoseconds: UInt64) {
    self.program = program
    sinceNanoseconds = nowNanoseconds
  }

  /// Says what is to be done now: to ask it to end once, to insist when it does not.
  mutating func step(hasEnded: Bool, nowNanoseconds now: UInt64) -> Step {
    if hasEnded { return .forget }
    guard isAsked else {
      guard now &- sinceNanoseconds >= Self.graceNanoseconds else { return .wait }
      isAsked = true
      sinceNanoseconds = now
      return .ask
    }
    return now &- sinceNanoseconds >= Self.patienceNanoseconds ? .insist : .wait
  }
}
