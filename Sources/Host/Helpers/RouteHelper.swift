// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import JACK

/// A helper program of a route: runs, or is started again after a pause that grows.
struct RouteHelper: Sendable {
  /// The pauses before another start: short at first, for a program that was merely unlucky.
  private static let shortestPauseNanoseconds: UInt64 = 250_000_000
  private static let longestPauseNanoseconds: UInt64 = 10_000_000_000
  /// A program that ran for so long is started again after the shortest pause.
  private static let soundRunNanoseconds: UInt64 = 10_000_000_000

  /// What is run.
  let program: HelperProgram
  /// The process; nil while none runs.
  private(set) var child: ChildProcess?
  /// What a bridge said last.
  var bridge: BridgeStatus?
  private(set) var restarts = 0
  private(set) var reason: String?
  /// Why it is not run at all.
  private(set) var offReason: String?

  private var startedNanoseconds: UInt64?
  private var nextStartNanoseconds: UInt64 = 0
  private var pauseNanoseconds = Self.shortestPauseNanoseconds
  private var hasRun = false

  init(program: HelperProgram, offReason: String? = nil) {
    self.program = program
    self.offReason = offReason
  }

  /// Whether it is to be started now.
  func isDue(nowNanoseconds: UInt64) -> Bool {
    child == nil && offReason == nil && nowNanoseconds >= nextStartNanoseconds
  }

  /// It runs.
  mutating func started(_ child: ChildProcess, nowNanoseconds: UInt64) {
    self.child = child
    startedNanoseconds = nowNanoseconds
    if hasRun { restarts += 1 }
    hasRun = true
  }

  /// It has ended, or could not be started.
  mutating func ended(_ reason: String, nowNanoseconds: UInt64) {
    child = nil
    bridge = nil
    self.reason = reason
    if let started = startedNanoseconds, nowNanoseconds - started > Self.soundRunNanoseconds {
      pauseNanoseconds = Self.shortestPauseNanoseconds
    }
    startedNanoseconds = nil
    nextStartNanoseconds = nowNanoseconds + pauseNanoseconds
    pauseNanoseconds = min(2 * pauseNanoseconds, Self.longestPauseNanoseconds)
  }

  /// Whether its route is of use: a bridge has ports also while its card is away.
  var isReady: Bool {
    guard program.kind == "device" else { return true }
    return bridge?.device == "open"
  }

  /// Where it stands.
  var status: HelperStatus {
    HelperStatus(
      kind: program.kind,
      program: program.name,
      state: child != nil ? .running : offReason != nil ? .off : .waiting,
      pid: child?.pid,
      restarts: restarts,
      reason: offReason ?? (child == nil ? reason : nil),
      bridge: bridge,
    )
  }
}
