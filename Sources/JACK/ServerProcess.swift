// SPDX-License-Identifier: MIT

internal import Glibc
public import Logging
internal import Synchronization

/// A JACK server that runs as a child of this process, and dies with it.
public final class ServerProcess: Sendable {
  /// How a server ended.
  public struct Exit: Sendable, Hashable {
    /// The process id it had.
    public let pid: Int32
    /// The status it returned; nil when a signal ended it.
    public let status: Int32?
    /// The signal that ended it; nil when it returned.
    public let signal: Int32?
    /// The last lines it wrote.
    public let lastLines: [String]

    package init(pid: Int32, status: Int32?, signal: Int32?, lastLines: [String]) {
      self.pid = pid
      self.status = status
      self.signal = signal
      self.lastLines = lastLines
    }
  }

  struct State: Sendable {
    var configuration: ServerConfiguration
    var child: ChildProcess?
    var fallbackReason: String?
    /// The process whose end is wanted, or already reported otherwise.
    var expectedExit: Int32?
  }

  /// The ends that nobody asked for, for one reader; the newest 16 are kept.
  public let exits: AsyncStream<Exit>

  let logger: Logger
  let state: Mutex<State>
  /// Start, restart and stop follow each other.
  let operation = Mutex<Void>(())
  private let exitContinuation: AsyncStream<Exit>.Continuation

  /// Prepares a server; ``start(within:)`` starts it.
  ///
  /// - Parameters:
  ///   - configuration: What to start.
  ///   - logger: Takes what the server writes: its errors as warnings, the rest as debug lines.
  public init(_ configuration: ServerConfiguration, logger: Logger = Logger(label: "jackd")) {
    self.state = Mutex(State(configuration: configuration))
    self.logger = logger
    (self.exits, self.exitContinuation) = AsyncStream.makeStream(
      of: Exit.self,
      bufferingPolicy: .bufferingNewest(16),
    )
  }

  deinit {
    state.withLock { $0.child }?.send(SIGTERM)
    exitContinuation.finish()
  }

  /// What runs, or would be started. [any-thread]
  public var configuration: ServerConfiguration { state.withLock { $0.configuration } }

  /// The process id; nil while it does not run. [any-thread]
  public var pid: Int32? {
    state.withLock { state in
      guard let child = state.child, child.exit == nil else { return nil }
      return child.pid
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
  /// Does nothing when it runs. While this process is a client of another server, the test is
  /// whether the new one listens.
  ///
  /// - Parameter limit: How long to wait.
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
  ///   - configuration: What to start; nil for the same again.
  ///   - limit: How long to wait for it to answer.
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
  /// - Parameter limit: How long after SIGTERM to send SIGKILL.
  /// - Returns: Whether it ended of itself; false where it had to be killed. A killed server keeps its place
  ///   among the eight of a user until one of its name has come and gone.
  ///
  /// [control-thread]
  @discardableResult
  public func stop(within limit: Duration = .seconds(3)) async -> Bool {
    let hasEnded = try? await onThread { () throws(JACKError) in self.stopNow(within: limit) }
    return hasEnded ?? false
  }

  /// Runs blocking work on a thread of its own, one after the other.
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

  func report(_ exit: Exit) {
    let isExpected = state.withLock { $0.expectedExit == exit.pid }
    if !isExpected { exitContinuation.yield(exit) }
  }

  func error(_ detail: String, _ code: JACKError.Code = .serverDidNotStart) -> JACKError {
    let configuration = self.configuration
    return JACKError(code, call: configuration.program, subject: configuration.name, detail: detail)
  }
}
