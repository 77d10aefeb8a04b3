// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import InterAppAudio

/// The life of a node that the graph or a user asks for.
///
/// The transitions, each in one sentence:
/// - absent, missing, waiting → starting: the host has started the command of its node file.
/// - absent → missing: it does not run, and a node file for it is missing; that is published once.
/// - each → running: a client that is this node has appeared, continues after SIGSTOP or may be connected now,
///   and the host has claimed it.
/// - each → refused: such a client may not be connected (IAA-3, IAA-4), or belongs to another host.
/// - running, refused → stopped: SIGSTOP holds its process.
/// - starting → waiting: its program has ended before a client was this node, and it is started again later.
/// - running, refused, stopped → waiting: its client is gone, and it is started again later.
/// - starting, running, refused, stopped → absent: the same, but its policy forbids another start.
/// - waiting → absent: the waiting time is over, or the host attaches to a server.
/// - starting, running, refused, stopped → absent: the host attaches to a server.
///
/// Pure value: [any-thread].
enum NodeLife: Equatable, Sendable {
  /// A client that is this node is missing.
  case absent
  /// A client that is this node is missing, and the host has no command to start one.
  case missing
  /// Its program was started; its client has not appeared yet.
  case starting
  /// A client is this node, and the host has claimed it.
  case running(Client)
  /// A client is this node, but the host may not claim it.
  case refused(Client)
  /// A client is this node; SIGSTOP holds its process.
  case stopped(Client)
  /// It is started again at this time.
  case waiting(untilNanoseconds: UInt64)

  /// The JACK client that is a node.
  struct Client: Equatable, Sendable {
    let name: String
    let sinceNanoseconds: UInt64
  }

  /// The client that is this node; nil without one.
  var client: Client? {
    switch self {
    case .running(let client), .refused(let client), .stopped(let client): client
    case .absent, .missing, .starting, .waiting: nil
    }
  }

  /// Whether a client is this node, but may not be claimed.
  var isRefused: Bool { if case .refused = self { true } else { false } }

  /// Whether SIGSTOP holds its process.
  var isStopped: Bool { if case .stopped = self { true } else { false } }
}

/// The process of a program that was started for a node.
protocol NodeProcess: AnyObject, Sendable {
  /// Its process.
  var processID: Int32 { get }
  /// Whether it has ended.
  var hasEnded: Bool { get }
  /// How it ended, in words; nil if unknown.
  var end: String? { get }
  /// Sends it a signal; ignored after its end. [control-thread]
  func send(_ signal: Int32)
}

extension NodeProgram: NodeProcess {}

/// A node that the graph or a user asks for: its life, and the count of its failures.
///
/// Pure value: [any-thread].
struct UsedNode: Sendable {
  /// A node that ran for this time is started again after the shortest wait.
  static let steadyNanoseconds: UInt64 = 30_000_000_000
  /// The first wait between two starts; doubles each time.
  private static let firstWaitNanoseconds: UInt64 = 500_000_000
  private static let longestWaitNanoseconds: UInt64 = 30_000_000_000
  /// The number of failed connections after which the node is bypassed: each attempt costs the server time.
  static let failureLimit = 3
  /// The number of overruns within `overrunsNanoseconds` that makes a node late; a node reports at most ten a
  /// second.
  ///
  /// A single overrun can be a page fault, and several can come from a busy machine.
  static let overrunLimit = 8
  private static let overrunsNanoseconds: UInt64 = 2_000_000_000

  /// The graph's or the user's request for it.
  let use: GraphFile.NodeUse
  /// Its present state.
  private(set) var life = NodeLife.absent
  /// The last process that was started for it, which may have ended.
  private(set) var program: (any NodeProcess)?
  /// The next try after it was bypassed as late.
  private(set) var retries = LateRetries()

  private var starts = 0
  private var failedConnections = 0
  private var overrunsNanoseconds: [UInt64] = []

  /// Makes a node in use.
  ///
  /// - Parameters:
  ///   - use: The request for it.
  ///   - program: The process that was started for it during an earlier use.
  init(_ use: GraphFile.NodeUse, program: (any NodeProcess)? = nil) {
    self.use = use
    self.program = program
    if program != nil { life = .starting }
  }

  /// The wait before the next start, after `starts` starts.
  static func waitNanoseconds(afterStarts starts: Int) -> UInt64 {
    min(longestWaitNanoseconds, firstWaitNanoseconds << UInt64(min(6, max(0, starts - 1))))
  }

  // MARK: - Coming and going

  /// Notes that a client is this node: it has appeared, continues, or may be connected now.
  mutating func came(_ client: String, isAdmitted: Bool, nowNanoseconds now: UInt64) {
    let client = NodeLife.Client(name: client, sinceNanoseconds: now)
    life = isAdmitted ? .running(client) : .refused(client)
    failedConnections = 0
    if isAdmitted { overrunsNanoseconds = [] }
  }

  /// Notes that the client has changed so that it may not be connected any more.
  mutating func refuse() {
    if let client = life.client { life = .refused(client) }
  }

  /// Notes that SIGSTOP holds the process of the client.
  mutating func stop() {
    if let client = life.client { life = .stopped(client) }
  }

  /// Notes that its client has gone.
  ///
  /// - Returns: The time at which the client came; nil without a client.
  mutating func vanish() -> UInt64? {
    defer { life = .absent }
    return life.client?.sinceNanoseconds
  }

  /// Forgets its client, because the host attaches to a server.
  mutating func beginAnew() {
    starts = 0
    if life != .missing { life = .absent }
  }

  // MARK: - Starting

  /// Stores the process of its start.
  mutating func start(_ program: any NodeProcess) {
    self.program = program
    starts += 1
    life = .starting
  }

  /// Notes that the host has no command to start it.
  ///
  /// - Returns: Whether that is new.
  mutating func miss() -> Bool {
    defer { life = .missing }
    return life != .missing
  }

  /// Plans the next start by its policy.
  ///
  /// - Parameters:
  ///   - since: The time at which the client that has gone had come; nil without one.
  ///   - now: The time on the host's clock.
  mutating func planRestart(ranSinceNanoseconds since: UInt64?, nowNanoseconds now: UInt64) {
    switch use.restart {
    case .never: life = .absent
    case .once where starts > 1: life = .absent
    case .once, .always:
      if use.restart == .always, let since, now &- since >= Self.steadyNanoseconds { starts = 1 }
      life = .waiting(untilNanoseconds: now + Self.waitNanoseconds(afterStarts: starts))
    }
  }

  /// Whether a start is due; true only once.
  mutating func isDue(nowNanoseconds now: UInt64) -> Bool {
    guard case .waiting(let until) = life, now >= until else { return false }
    life = .absent
    return true
  }

  /// Returns and forgets a process that ended before its client appeared; nil without one.
  mutating func takeStillborn() -> (any NodeProcess)? {
    guard life == .starting, let program, program.hasEnded else { return nil }
    self.program = nil
    life = .absent
    return program
  }

  /// Whether the last process that was started for it still runs.
  var hasLiveProgram: Bool { program?.hasEnded == false }

  // MARK: - Failing

  /// Notes a failed connection of one of its ports.
  ///
  /// - Returns: Whether that was one too many; the count begins anew then.
  mutating func noteFailedConnection() -> Bool {
    failedConnections += 1
    guard failedConnections >= Self.failureLimit else { return false }
    failedConnections = 0
    return true
  }

  /// Notes that its callback took longer than a period.
  ///
  /// - Returns: Whether that was one too many; the count begins anew then.
  mutating func noteOverrun(nowNanoseconds now: UInt64) -> Bool {
    overrunsNanoseconds.removeAll { now &- $0 > Self.overrunsNanoseconds }
    overrunsNanoseconds.append(now)
    guard overrunsNanoseconds.count >= Self.overrunLimit else { return false }
    overrunsNanoseconds = []
    return true
  }

  /// Notes that it was late too often.
  ///
  /// - Returns: The remedy; nil if it is bypassed for lateness already.
  mutating func noteLate(nowNanoseconds now: UInt64) -> NodeFault.Remedy? {
    guard !retries.isWaiting else { return nil }
    return retries.noteLate(use.restart, nowNanoseconds: now).map { .retried(afterSeconds: $0) }
      ?? .bypassed
  }

  /// Whether another try is due after lateness; true only once.
  mutating func isRetryDue(nowNanoseconds now: UInt64) -> Bool {
    retries.isDue(nowNanoseconds: now)
  }

  /// Clears the history of its lateness.
  mutating func forgetLateness() { retries = LateRetries() }
}
