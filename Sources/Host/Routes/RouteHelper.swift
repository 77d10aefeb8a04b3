// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import JACK
internal import SystemSupport

/// The helper program of a route, which is started again after growing pauses when it ends.
///
/// Belongs to the control thread.
struct RouteHelper {
  /// The pause before another start: short at first, because the program may simply have been unlucky.
  private static let shortestPauseNanoseconds: UInt64 = 250_000_000
  private static let longestPauseNanoseconds: UInt64 = 10_000_000_000
  /// A program that ran this long is started again after the shortest pause.
  private static let soundRunNanoseconds: UInt64 = 10_000_000_000

  /// The present state of the program.
  private enum State {
    /// It is never started on this machine, for this reason.
    case off(reason: String)
    /// It is started at `dueNanoseconds`; the reason is that of its last end, nil before the first start.
    case waiting(dueNanoseconds: UInt64, reason: String?)
    /// It runs.
    case running(Run)
  }

  /// A running program.
  private struct Run {
    let process: any HelperProcess
    let startedNanoseconds: UInt64
    var life = HelperLife()
    /// The last report of a bridge.
    var bridge: BridgeStatus?
  }

  /// The program.
  let program: HelperProgram
  /// The number of starts, which tells reports of an earlier process from those of the present one.
  private(set) var starts = 0

  private var state: State
  private var pauseNanoseconds = Self.shortestPauseNanoseconds

  /// Makes a helper that is due at once, or one that is never started if there is an `offReason`.
  init(program: HelperProgram, offReason: String? = nil) {
    self.program = program
    state = offReason.map { .off(reason: $0) } ?? .waiting(dueNanoseconds: 0, reason: nil)
  }

  /// The process; nil while it does not run.
  var process: (any HelperProcess)? {
    if case .running(let run) = state { run.process } else { nil }
  }

  /// The reason of its last end; nil while it runs and before its first start.
  var lastEndReason: String? {
    if case .waiting(_, let reason) = state { reason } else { nil }
  }

  /// Whether it is to be started now.
  func isDue(nowNanoseconds: UInt64) -> Bool {
    if case .waiting(let due, _) = state { nowNanoseconds >= due } else { false }
  }

  /// Stores the process of a start.
  mutating func started(_ process: any HelperProcess, nowNanoseconds: UInt64) {
    state = .running(Run(process: process, startedNanoseconds: nowNanoseconds))
    starts += 1
  }

  /// Stores a report of a bridge.
  mutating func reported(_ status: BridgeStatus) {
    guard case .running(var run) = state else { return }
    run.bridge = status
    run.life.spoke()
    state = .running(run)
  }

  /// Whether it is to be killed now, because it is stopped or silent; true only once.
  mutating func isHung(nowNanoseconds: UInt64) -> Bool {
    guard case .running(var run) = state else { return false }
    let isOver = run.life.isOver(nowNanoseconds: nowNanoseconds, talks: talks) {
      run.process.isStopped
    }
    state = .running(run)
    return isOver
  }

  /// One sentence on the end of its process, for people.
  func reason(for exit: ProcessExit) -> String {
    if case .running(let run) = state, let reason = run.life.killReason {
      return "\(program.name) \(reason), and was killed"
    }
    let end =
      exit.status.map { "with status \($0)" } ?? exit.signal.map { "by signal \($0)" } ?? ""
    // A bridge's standard output is for programs.
    let lastLine = exit.lastLines.last { !talks || !$0.hasPrefix("{") }
    return "\(program.name) has ended \(end)" + (lastLine.map { ": \($0)" } ?? "")
  }

  /// Stores the reason of its end or of a failed start; each pause is twice the one before, up to 10 s.
  mutating func ended(_ reason: String, nowNanoseconds: UInt64) {
    if case .running(let run) = state,
      nowNanoseconds - run.startedNanoseconds > Self.soundRunNanoseconds
    {
      pauseNanoseconds = Self.shortestPauseNanoseconds
    }
    state = .waiting(dueNanoseconds: nowNanoseconds + pauseNanoseconds, reason: reason)
    pauseNanoseconds = min(2 * pauseNanoseconds, Self.longestPauseNanoseconds)
  }

  /// Whether it reports its state twice a second.
  private var talks: Bool { program.kind == .device }

  private var bridge: BridgeStatus? {
    if case .running(let run) = state { run.bridge } else { nil }
  }

  /// Whether its route can be used: a bridge has ports even while its card is missing.
  var isReady: Bool { !talks || bridge?.device == .open }

  /// Whether the latency of its card is known.
  var isTimed: Bool { !talks || bridge?.delayMilliseconds != nil }

  /// The helper for `status`.
  ///
  /// - Parameter hasPorts: Whether the route's ports are there.
  /// - Returns: Its state, with the reason for a fault.
  func status(hasPorts: Bool) -> HelperStatus {
    let name: HelperState
    let reason: String?
    var shown: BridgeStatus?
    switch state {
    case .off(let why): (name, reason) = (.off, why)
    case .waiting(_, let why): (name, reason) = (.waiting, why)
    case .running(let run):
      let isAlone = program.kind == .jacktrip && !hasPorts
      name = .running
      reason = run.life.doubt ?? (isAlone ? "it has no ports until its peer answers" : nil)
      shown = run.life.doubt == nil ? run.bridge : nil
    }
    return HelperStatus(
      kind: program.kind,
      program: program.name,
      state: name,
      pid: process?.pid,
      restarts: max(0, starts - 1),
      reason: reason,
      bridge: shown,
    )
  }
}

/// Detects a helper process that is stopped or hangs.
///
/// Time counts only while the host itself looks, so a helper survives a suspended or late machine. Pure value:
/// [any-thread].
struct HelperLife: Sendable {
  private static let lookNanoseconds: UInt64 = 500_000_000
  /// A process that has been stopped for this time is killed: its route is silent anyway.
  private static let stoppedNanoseconds: UInt64 = 2_000_000_000
  /// A bridge that has been silent for this time is reported as doubtful.
  private static let doubtNanoseconds: UInt64 = 3_000_000_000
  /// A bridge that has been silent for this time is killed.
  ///
  /// Its threads for JACK and the card do not depend on the thread that reports. That one may wait for JACK: 5
  /// s for each stopped client of the server.
  private static let silentNanoseconds: UInt64 = 30_000_000_000

  /// The reason of the kill; nil before it.
  private(set) var killReason: String?
  private var lastLookNanoseconds: UInt64?
  private var stopped: UInt64 = 0
  private var silent: UInt64 = 0

  /// Notes a sign of life.
  mutating func spoke() { silent = 0 }

  /// The reason for doubt; nil while it seems to be well.
  var doubt: String? {
    if stopped > 0 { return "it is stopped" }
    guard silent >= Self.doubtNanoseconds else { return nil }
    return "it has been silent for \(silent / 1_000_000_000) s"
  }

  /// Checks the process, every half second at most.
  ///
  /// - Parameters:
  ///   - nowNanoseconds: The present time.
  ///   - talks: Whether it is expected to report regularly.
  ///   - isStopped: Whether its process is stopped.
  /// - Returns: Whether it is to be killed now; true only once.
  mutating func isOver(nowNanoseconds: UInt64, talks: Bool, isStopped: () -> Bool) -> Bool {
    guard let last = lastLookNanoseconds else {
      lastLookNanoseconds = nowNanoseconds
      return false
    }
    guard nowNanoseconds >= last + Self.lookNanoseconds, killReason == nil else { return false }
    lastLookNanoseconds = nowNanoseconds
    let passed = min(nowNanoseconds - last, 2 * Self.lookNanoseconds)
    stopped = isStopped() ? stopped + passed : 0
    silent = talks ? silent + passed : 0
    if stopped >= Self.stoppedNanoseconds {
      killReason = "was stopped"
    } else if silent >= Self.silentNanoseconds {
      killReason = "has been silent for \(silent / 1_000_000_000) s"
    }
    return killReason != nil
  }
}
