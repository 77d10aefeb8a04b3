// SPDX-License-Identifier: MIT

internal import CSystemSupport
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A program that this process has started; its output is read, its end is reported, and it is always reaped.
///
/// Each child has a separate thread that starts it, reads its output and waits for it, without
/// polling. The child continues when the value is dropped. Safe from any thread: [any-thread].
package final class ChildProcess: Sendable {
  /// Standard input of a child.
  package enum Input: Sendable {
    /// Always at its end.
    case null
    /// This process's own.
    case inherited
    /// An open descriptor, which stays the caller's to close.
    case descriptor(Int32)
  }

  /// Destination of an output stream of a child.
  package enum Output: Sendable {
    /// Nowhere.
    case null
    /// This process's own stream.
    case inherited
    /// A file, which is made if it is missing, and appended to.
    case file(String)
    /// A function that is called with each line, on the child's thread; the newest lines are kept for
    /// ``ProcessExit/lastLines``.
    case lines(@Sendable (String) -> Void)
    /// Memory, up to a number of bytes; what exceeds them is dropped. ``ChildProcess/text(of:)`` gives it.
    case text(limitInBytes: Int)
  }

  /// A child's relation to this process.
  package enum Bond: Sendable {
    /// The process group, terminal and open descriptors of this process.
    case foreground
    /// A session of its own; the child receives SIGTERM when this process dies.
    case bound
    /// A session of its own; the child outlives this process.
    case detached
  }

  /// One of the two output streams.
  package enum Stream: Int, Sendable {
    case output = 1
    case errors = 2
  }

  private struct State {
    var pid: Int32 = 0
    var isReaped = false
    var lines: [String] = []
    var texts: [Stream: [UInt8]] = [:]
    var exit: ProcessExit?
    var waiters: [Waiter] = []
  }

  private static let keptLines = 40

  private let state = Mutex(State())
  private let hasExited = MonotonicSemaphore(value: 0)

  private init() {}

  // MARK: - Start

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: Its path, or its name in $PATH.
  ///   - arguments: Its arguments, without its name.
  ///   - environment: Variables that differ from this process's environment. Unless the bond is `foreground`, a child
  ///     inherits no ``LoaderVariables``; they can be given here.
  ///   - bond: Its relation to this process.
  ///   - input: Its standard input.
  ///   - output: Its standard output.
  ///   - errors: Its standard error.
  ///   - onExit: Called once, on the child's thread, after it has been reaped.
  /// - Returns: The child; it runs.
  /// - Throws: ``SystemError`` when the program is not found or cannot be executed, or there is no thread.
  package static func start(
    _ program: String,
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    bond: Bond,
    input: Input = .null,
    output: Output = .null,
    errors: Output = .null,
    onExit: (@Sendable (ProcessExit) -> Void)? = nil,
  ) throws(SystemError) -> ChildProcess {
    guard let path = Machine.this.program(program) else { throw SystemError(ENOENT, program) }
    let child = ChildProcess()
    let outcome = Outcome()
    let hasThread = BackgroundThread.start(name: "child-process") {
      let spawned: (streams: [StreamReader], code: Int32) = child.spawn(
        path,
        arguments: [program] + arguments,
        environment: environment,
        bond: bond,
        input: input,
        outputs: [(.output, output), (.errors, errors)],
      )
      outcome.code.store(spawned.code, ordering: .releasing)
      outcome.isKnown.signal()
      guard spawned.code == 0 else { return }
      child.watch(spawned.streams, onExit)
    }
    guard hasThread else { throw SystemError(EAGAIN, program) }
    outcome.isKnown.wait()
    let code = outcome.code.load(ordering: .acquiring)
    guard code == 0 else { throw SystemError(code, program) }
    return child
  }

  /// Result of a start, handed from the child's thread to the caller.
  private final class Outcome: Sendable {
    let isKnown = MonotonicSemaphore(value: 0)
    let code = Atomic<Int32>(0)
  }

  // MARK: - The running child

  /// Its process id.
  package var pid: Int32 { state.withLock { $0.pid } }
  /// The newest lines of those output streams that are read by line.
  package var lastLines: [String] { state.withLock { $0.lines } }
  /// Its exit; nil while it runs.
  package var exit: ProcessExit? { state.withLock { $0.exit } }
  /// Whether it has not ended.
  package var isRunning: Bool { exit == nil }

  /// The text of a stream that was started as ``Output/text(limitInBytes:)``, complete once the child has ended.
  package func text(of stream: Stream) -> String {
    state.withLock { String(decoding: $0.texts[stream] ?? [], as: UTF8.self) }
  }

  /// Sends a signal, unless the child is reaped: its id may belong to another process then.
  package func send(_ signal: Int32) {
    state.withLock { state in
      if !state.isReaped, state.pid > 0 { _ = kill(state.pid, signal) }
    }
  }

  // MARK: - Its end

  /// Blocks until the child has been reaped, at most for `limit`.
  ///
  /// - Returns: Whether it has been reaped.
  package func waitForExit(within limit: Duration) -> Bool {
    guard hasExited.wait(within: limit) else { return false }
    hasExited.signal()  // for the next caller
    return true
  }

  /// Waits until the child has been reaped, without blocking a thread and regardless of cancellation.
  ///
  /// - Parameter limit: The longest wait; nil for no limit.
  /// - Returns: Its exit; nil if the limit came first.
  package func exit(within limit: Duration?) async -> ProcessExit? {
    await withCheckedContinuation { continuation in
      let waiter = Waiter(continuation)
      let exit = state.withLock { state in
        if state.exit == nil { state.waiters.append(waiter) }
        return state.exit
      }
      if let exit { return waiter.resume(exit) }
      guard let limit else { return }
      DispatchQueue.global().asyncAfter(deadline: .now() + limit.dispatch) { waiter.resume(nil) }
    }
  }

  /// Ends the child with SIGTERM, or with SIGKILL when it has not ended within `grace`, and waits for its end.
  ///
  /// - Returns: Whether it ended within `grace`.
  @discardableResult
  package func end(within grace: Duration) async -> Bool {
    send(SIGTERM)
    if await exit(within: grace) != nil { return true }
    send(SIGKILL)
    _ = await exit(within: grace)
    return false
  }

  /// One caller that waits for the end; resumed once.
  private final class Waiter: Sendable {
    private let continuation: Mutex<CheckedContinuation<ProcessExit?, Never>?>

    init(_ continuation: CheckedContinuation<ProcessExit?, Never>) {
      self.continuation = Mutex(continuation)
    }

    func resume(_ exit: ProcessExit?) {
      continuation.withLock { $0.take() }?.resume(returning: exit)
    }
  }

  // MARK: - On the child's thread

  private func spawn(
    _ path: String,
    arguments: [String],
    environment: [String: String],
    bond: Bond,
    input: Input,
    outputs: [(stream: Stream, output: Output)],
  ) -> (streams: [StreamReader], code: Int32) {
    var request = unsafe system_spawn_request()
    unsafe request.group = bond == .foreground ? SYSTEM_SPAWN_FOREGROUND : SYSTEM_SPAWN_SESSION
    unsafe request.death_signal = bond == .bound ? SIGTERM : 0
    unsafe request.descriptors.0 = input.descriptor
    var opened: [Int32] = []
    var streams: [StreamReader] = []
    func give(_ descriptor: Int32, _ stream: Stream) {
      switch stream {
      case .output: unsafe request.descriptors.1 = descriptor
      case .errors: unsafe request.descriptors.2 = descriptor
      }
    }
    defer { for descriptor in opened { close(descriptor) } }
    for (stream, output) in outputs {
      switch output {
      case .null: give(-1, stream)
      case .inherited: give(Int32(stream.rawValue), stream)
      case .file(let path):
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return ([], errno) }
        opened.append(file)
        give(file, stream)
      case .lines, .text:
        var ends: [Int32] = [-1, -1]
        let fault = unsafe system_pipe(&ends)
        guard fault == 0 else { return ([], fault) }
        opened.append(ends[1])
        give(ends[1], stream)
        streams.append(StreamReader(ends[0], sink(for: output, stream)))
      }
    }
    // A program in the foreground is the user's own command, with the environment that the user gave it.
    let inherited =
      bond == .foreground
      ? Machine.environment : LoaderVariables.removed(from: Machine.environment)
    let variables = inherited.merging(environment) { $1 }.map { "\($0.key)=\($0.value)" }
    var pid: Int32 = 0
    let code = unsafe CStrings.with(arguments) { arguments in
      unsafe CStrings.with(variables) { variables in
        unsafe path.withCString { path in
          unsafe request.path = path
          unsafe request.arguments = arguments
          unsafe request.environment = variables
          return unsafe system_spawn(&request, &pid)
        }
      }
    }
    state.withLock { $0.pid = pid }
    return (streams, code)
  }

  private func sink(for output: Output, _ stream: Stream) -> StreamReader.Sink {
    switch output {
    case .lines(let onLine):
      .lines { [self] line in
        state.withLock { state in
          state.lines.append(line)
          if state.lines.count > Self.keptLines { state.lines.removeFirst() }
        }
        onLine(line)
      }
    case .text(let limit):
      .bytes { [self] bytes in
        state.withLock { state in
          let room = limit - state.texts[stream, default: []].count
          state.texts[stream, default: []] += bytes.prefix(max(0, room))
        }
      }
    case .null, .inherited, .file: .bytes { _ in }
    }
  }

  /// Reads the streams until they end or the child does, then reaps it.
  private func watch(_ streams: [StreamReader], _ onExit: ((ProcessExit) -> Void)?) {
    let pid = pid
    StreamReader.read(streams, untilEndOf: pid)
    let exit = reap(pid)
    hasExited.signal()
    onExit?(exit)
    for waiter in state.withLock({ state in
      defer { state.waiters = [] }
      return state.waiters
    }) {
      waiter.resume(exit)
    }
  }

  private func reap(_ pid: Int32) -> ProcessExit {
    // First wait without reaping, then reap under the lock: no signal can reach a reused id.
    var info = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return state.withLock { state in
      var status: Int32 = 0
      var reaped: Int32 = 0
      repeat { reaped = unsafe waitpid(pid, &status, 0) } while reaped < 0 && errno == EINTR
      state.isReaped = true
      let exit = ProcessExit(
        pid: pid,
        waitStatus: reaped == pid ? status : nil,
        lastLines: state.lines,
      )
      state.exit = exit
      return exit
    }
  }
}

extension ChildProcess.Input {
  fileprivate var descriptor: Int32 {
    switch self {
    case .null: -1
    case .inherited: 0
    case .descriptor(let descriptor): descriptor
    }
  }
}

/// Arrays of C strings, NULL at the end.
private enum CStrings {
  static func with<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result,
  ) -> Result {
    var copies = unsafe strings.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    unsafe copies.append(nil)
    return unsafe body(copies)
  }
}
