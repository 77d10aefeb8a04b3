// SPDX-License-Identifier: MIT

internal import Glibc
public import Logging
internal import Synchronization
public import SystemSupport

/// A JACK server that this process has started, or taken over from a process that was killed.
///
/// Safe from any thread: [any-thread].
public final class ServerProcess: Sendable {
  struct State: Sendable {
    var configuration: ServerConfiguration
    var child: ChildProcess?
    /// The server that was taken over; nil once it was stopped.
    var left: ProcessHandle?
    var fallbackReason: String?
    /// The process whose end is wanted, or already reported otherwise.
    var expectedExit: Int32?
  }

  /// Ends of the server that ``stop(within:)`` and ``restart(with:within:)`` did not cause, for one reader; the newest 16 are kept.
  public let exits: AsyncStream<ProcessExit>

  let logger: Logger
  let bond: ChildProcess.Bond
  let state: Mutex<State>
  /// Start, restart and stop follow each other.
  let operation = Mutex<Void>(())
  private let exitContinuation: AsyncStream<ProcessExit>.Continuation

  /// Prepares a server; ``start(within:)`` starts it.
  ///
  /// - Parameters:
  ///   - configuration: Settings of the server.
  ///   - logger: Takes the server's output: its errors as warnings, the rest as debug lines.
  public convenience init(
    _ configuration: ServerConfiguration,
    logger: Logger = Logger(label: "jackd"),
  ) {
    self.init(configuration, bond: .bound, left: nil, logger: logger)
  }

  /// Prepares a server, or takes one over.
  ///
  /// - Parameters:
  ///   - configuration: Settings of the server.
  ///   - bond: `bound` for one that ends with this process however that ends, `detached` for one that outlives its kill.
  ///   - left: A server that runs with these settings, and that nobody else will end; nil for none.
  ///   - logger: As above; the output of a server that was taken over is lost.
  package init(
    _ configuration: ServerConfiguration,
    bond: ChildProcess.Bond,
    left: ProcessHandle?,
    logger: Logger = Logger(label: "jackd"),
  ) {
    self.state = Mutex(State(configuration: configuration, left: left))
    self.bond = bond
    self.logger = logger
    (self.exits, self.exitContinuation) = AsyncStream.makeStream(
      of: ProcessExit.self,
      bufferingPolicy: .bufferingNewest(16),
    )
  }

  deinit {
    runningProcess?.send(SIGTERM)
    exitContinuation.finish()
  }

  /// Settings of the running server, or of the next start. [any-thread]
  public var configuration: ServerConfiguration { state.withLock { $0.configuration } }

  /// The process id; nil while it does not run. [any-thread]
  public var pid: Int32? { runningProcess?.pid }

  /// The process of the server; nil while it does not run.
  var runningProcess: (any EndableProcess)? {
    state.withLock { state in
      let process: (any EndableProcess)? = state.child ?? state.left
      return process?.isRunning == true ? process : nil
    }
  }

  /// Whether it runs. [any-thread]
  public var isRunning: Bool { pid != nil }

  /// The name of the driver that is used, such as `alsa`. [any-thread]
  public var driverName: String { configuration.resolvedDriver.name }

  /// Why the server runs without real-time scheduling although asked for; nil if it does not.
  public var realtimeFallbackReason: String? { state.withLock { $0.fallbackReason } }

  /// Starts the server and waits until a client can open.
  ///
  /// Returns at once when it runs. While this process is a client of another server, the test is
  /// whether the new one listens.
  ///
  /// - Parameter limit: The longest wait.
  /// - Throws: ``JACKError`` with `serverNotInstalled` or `serverDidNotStart` (with jackd's last
  ///   lines).
  ///
  /// [control-thread]
  public func start(within limit: Duration = .seconds(10)) async throws(JACKError) {
    try await onThread { () throws(JACKError) in try self.startNow(within: limit) }
  }

  /// Stops the server if it runs, and starts it with another configuration.
  ///
  /// - Parameters:
  ///   - configuration: Settings of the server; nil for the present ones.
  ///   - limit: The longest wait for its answer.
  /// - Throws: As ``start(within:)``.
  ///
  /// [control-thread]
  public func restart(
    with configuration: ServerConfiguration? = nil,
    within limit: Duration = .seconds(10),
  ) async throws(JACKError) {
    try await onThread { () throws(JACKError) in
      self.stopNow(within: .seconds(3))
      if let configuration { self.state.withLock { $0.configuration = configuration } }
      try self.startNow(within: limit)
    }
  }

  /// Ends the server and reaps it.
  ///
  /// - Parameter limit: The time from SIGTERM to SIGKILL.
  /// - Returns: Whether SIGTERM ended it; false if it had to be killed. A killed server keeps its place
  ///   among a user's eight servers until another server of its name has started and ended.
  ///
  /// [control-thread]
  @discardableResult
  public func stop(within limit: Duration = .seconds(3)) async -> Bool {
    let hasEnded = try? await onThread { () throws(JACKError) in self.stopNow(within: limit) }
    return hasEnded ?? false
  }

  /// Runs blocking work on a separate thread, one after the other.
  private func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(JACKError) -> Value
  ) async throws(JACKError) -> Value {
    let result: Result<Value, JACKError> = await withCheckedContinuation { continuation in
      let hasThread = BackgroundThread.start(name: "jack-server") {
        continuation.resume(
          returning: self.operation.withLock { _ in
            Result { () throws(JACKError) in try body() }
          }
        )
      }
      if !hasThread {
        continuation.resume(returning: .failure(error("the system gives us no thread")))
      }
    }
    return try result.get()
  }

  func report(_ exit: ProcessExit) {
    let isExpected = state.withLock { $0.expectedExit == exit.pid }
    if !isExpected { exitContinuation.yield(exit) }
  }

  func error(_ detail: String, _ code: JACKError.Code = .serverDidNotStart) -> JACKError {
    let configuration = self.configuration
    return JACKError(code, call: configuration.program, subject: configuration.name, detail: detail)
  }
}
