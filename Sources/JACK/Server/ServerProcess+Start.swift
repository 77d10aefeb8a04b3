// SPDX-License-Identifier: MIT

internal import Glibc
internal import Logging
internal import Synchronization
internal import SystemSupport

extension ServerProcess {
  private enum Attempt {
    case isRunning
    case noAnswer
    case mayBeTriedAgain(JACKError)
    case realtimeRefused(reason: String)
  }

  private static let pauseMicroseconds: UInt32 = 5_000

  func startNow(within limit: Duration) throws(JACKError) {
    guard !isRunning else { return }
    let deadline = ContinuousClock.now + limit
    var configuration = self.configuration
    guard let path = Machine.this.program(configuration.program) else {
      throw error("not found in PATH; install the package jackd2", .serverNotInstalled)
    }
    state.withLock { $0.fallbackReason = nil }
    var failure: JACKError?
    while true {
      switch try attempt(configuration, path: path, deadline: deadline) {
      case .isRunning:
        return
      case .noAnswer:
        let lines = state.withLock { $0.child }?.lastLines ?? []
        stopNow(within: .seconds(3))
        throw failure ?? error(Self.quote("no answer in time", lines))
      case .mayBeTriedAgain(let reason):
        failure = reason
        guard ContinuousClock.now < deadline else { throw reason }
        usleep(10 * Self.pauseMicroseconds)
      case .realtimeRefused(let reason):
        logger.warning("no real-time scheduling, starting without: \(reason)")
        state.withLock { $0.fallbackReason = reason }
        stopNow(within: .seconds(3))
        configuration.isRealtime = false
      }
    }
  }

  /// Ends the server; returns whether SIGTERM was enough.
  @discardableResult
  func stopNow(within limit: Duration) -> Bool {
    let process = runningProcess
    state.withLock { state in
      state.expectedExit = state.child?.pid
      state.left = nil
    }
    guard let process else { return true }
    process.send(SIGTERM)
    if process.waitForExit(within: limit) { return true }
    logger.warning("the server does not end, killing it", metadata: ["pid": "\(process.pid)"])
    process.send(SIGKILL)
    _ = process.waitForExit(within: limit)
    return false
  }

  private func attempt(
    _ configuration: ServerConfiguration,
    path: String,
    deadline: ContinuousClock.Instant,
  ) throws(JACKError) -> Attempt {
    MetadataStore.prepare()
    let child: ChildProcess
    do throws(SystemError) {
      child = try ChildProcess.start(
        path,
        configuration.arguments,
        bond: bond,
        output: .lines { [logger] in logger.debug("\($0)") },
        errors: .lines { [logger] in logger.warning("\($0)") },
        onExit: { [weak self] in self?.report($0) },
      )
    } catch {
      throw self.error("cannot start \(path): \(error.reason)")
    }
    state.withLock { state in
      state.child = child
      // Until it answers, its end is reported as an error of the start.
      state.expectedExit = child.pid
    }
    while !answers(configuration.name, child) {
      if let exit = child.exit {
        return .mayBeTriedAgain(try failure(of: exit))
      }
      guard ContinuousClock.now < deadline else { return .noAnswer }
      usleep(Self.pauseMicroseconds)
    }
    if configuration.isRealtime, let reason = Self.realtimeRefusal(child.lastLines) {
      return .realtimeRefused(reason: reason)
    }
    state.withLock { $0.expectedExit = nil }
    return .isRunning
  }

  /// Whether a client can open; or, where this process cannot try, whether the server listens.
  ///
  /// The socket must belong to this child: another server of this name may still exist.
  private func answers(_ name: String, _ child: ChildProcess) -> Bool {
    guard let socket = ServerSocket.find(server: name),
      Machine.this.process(child.pid, holdsOneOf: [socket])
    else { return false }
    do {
      return try OpenedClient.open(name: "probe-\(getpid())", server: name).close() == .closed
    } catch {
      return error.code == .otherServerInUse
    }
  }

  /// The error for a server that ended at once; throws it when another try is of no use.
  private func failure(of exit: ProcessExit) throws(JACKError) -> JACKError {
    if exit.lastLines.contains(where: { $0.hasPrefix("Too many servers") }) {
      // jackd counts 8 in shared memory, and never forgets one that was killed.
      return error(
        Self.quote(
          "JACK counts too many servers; a killed one is counted until one of its name starts and "
            + "stops again, or, with no server running, /dev/shm/jack-shm-registry is removed",
          exit.lastLines,
        )
      )
    }
    if exit.lastLines.contains(where: { $0.hasSuffix("server already active") }) {
      return error(
        Self.quote("another program's server of this name runs already", exit.lastLines)
      )
    }
    let end = exit.signal.map { "signal \($0)" } ?? "status \(exit.status ?? 0)"
    throw error(Self.quote("it ended at once with \(end)", exit.lastLines))
  }

  /// jackd continues without real-time threads when it is refused them, but reports that it has them.
  static func realtimeRefusal(_ lines: [String]) -> String? {
    lines.first { $0.hasPrefix("Cannot use real-time scheduling") }
  }

  private static func quote(_ fault: String, _ lines: [String]) -> String {
    guard !lines.isEmpty else { return fault }
    return fault + "; its last lines:\n"
      + lines.suffix(12).map { "  " + $0 }.joined(separator: "\n")
  }
}
