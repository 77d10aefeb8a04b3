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
  /// Counts the starts: what an earlier process says is not taken for the word of the present one.
  private(set) var run = 0
  /// What a bridge said last.
  private(set) var bridge: BridgeStatus?
  private(set) var restarts = 0
  private(set) var reason: String?
  /// Why it is not run at all.
  private(set) var offReason: String?

  private var startedNanoseconds: UInt64?
  private var nextStartNanoseconds: UInt64 = 0
  private var pauseNanoseconds = Self.shortestPauseNanoseconds
  private var life = HelperLife()

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
    life = HelperLife()
    if run > 0 { restarts += 1 }
    run += 1
  }

  /// A bridge has told how it is.
  mutating func said(_ status: BridgeStatus) {
    bridge = status
    life.spoke()
  }

  /// Looks whether it lives.
  ///
  /// - Returns: Whether it is to be killed now.
  mutating func isDead(nowNanoseconds: UInt64, isStopped: (Int32) -> Bool) -> Bool {
    guard let child else { return false }
    return life.isOver(nowNanoseconds: nowNanoseconds, talks: talks) { isStopped(child.pid) }
  }

  /// How the end of its process is told.
  func reason(for exit: ServerProcess.Exit) -> String {
    if let reason = life.killReason { return "\(program.name) \(reason), and was killed" }
    let way =
      exit.status.map { "with status \($0)" } ?? exit.signal.map { "by signal \($0)" } ?? ""
    // A bridge's standard output is for programs.
    let words = exit.lastLines.last { !talks || !$0.hasPrefix("{") }
    return "\(program.name) has ended \(way)" + (words.map { ": \($0)" } ?? "")
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

  /// Whether it tells twice a second how it is.
  private var talks: Bool { program.kind == "device" }

  /// Whether its route is of use: a bridge has ports also while its card is away.
  var isReady: Bool {
    !talks || bridge?.device == "open"
  }

  /// Whether it has said how late its card is.
  var isTimed: Bool { !talks || bridge?.delayMilliseconds != nil }

  /// Where it stands.
  ///
  /// - Parameter hasPorts: Whether the route's ports are there.
  /// - Returns: Its state, and what is wrong with it.
  func status(hasPorts: Bool) -> HelperStatus {
    let doubt = child == nil ? reason : life.doubt
    let isAlone = child != nil && program.kind == "jacktrip" && !hasPorts
    return HelperStatus(
      kind: program.kind,
      program: program.name,
      state: child != nil ? .running : offReason != nil ? .off : .waiting,
      pid: child?.pid,
      restarts: restarts,
      reason: offReason ?? doubt ?? (isAlone ? "it has no ports until its peer answers" : nil),
      bridge: life.doubt == nil ? bridge : nil,
    )
  }
}
