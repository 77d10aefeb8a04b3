// SPDX-License-Identifier: MIT

internal import CRealtime
internal import Dispatch
internal import Glibc
package import Logging
internal import Synchronization

/// A program that we run: its output goes to a log, its end is told, and it is always reaped.
///
/// A thread of its own starts it, reads from it and waits for it, because the child is killed
/// when the thread that started it ends.
package final class ChildProcess: Sendable {
  private struct State {
    var pid: Int32 = 0
    var isReaped = false
    var lines: [String] = []
    var exit: ServerProcess.Exit?
  }

  private static let keptLines = 40

  private let logger: Logger
  private let onLine: (@Sendable (String) -> Void)?
  private let state = Mutex(State())
  private let hasExited = DispatchSemaphore(value: 0)

  private init(logger: Logger, onLine: (@Sendable (String) -> Void)?) {
    self.logger = logger
    self.onLine = onLine
  }

  /// Its process id.
  package var pid: Int32 { state.withLock { $0.pid } }
  var lastLines: [String] { state.withLock { $0.lines } }
  /// How it ended; nil while it runs.
  var exit: ServerProcess.Exit? { state.withLock { $0.exit } }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: The program.
  ///   - arguments: Its arguments, without itself.
  ///   - environment: What differs from the environment of this process.
  ///   - logger: Takes its standard output as debug lines and its errors as warnings.
  ///   - onLine: Called with each line of its standard output, on a thread of its own.
  ///   - onExit: Called on a thread of its own, once, when it has been reaped.
  /// - Returns: The child; or an errno value where it could not be started.
  package static func start(
    path: String,
    arguments: [String],
    environment: [String: String] = [:],
    logger: Logger,
    onLine: (@Sendable (String) -> Void)? = nil,
    onExit: @escaping @Sendable (ServerProcess.Exit) -> Void,
  ) -> (child: ChildProcess?, errno: Int32) {
    let child = ChildProcess(logger: logger, onLine: onLine)
    let start = Start()
    let hasThread = BackgroundThread.start(name: "child-process") {
      // env(1) keeps the process id, and with it what is bound to that.
      let words =
        environment.isEmpty
        ? (path, arguments)
        : (
          "/usr/bin/env",
          environment.sorted { $0.key < $1.key }.map { "\($0)=\($1)" } + [path] + arguments
        )
      child.run(path: words.0, arguments: words.1, start: start, onExit: onExit)
    }
    guard hasThread else { return (nil, EAGAIN) }
    start.isDone.wait()
    let failure = start.errno.load(ordering: .acquiring)
    return failure == 0 ? (child, 0) : (nil, failure)
  }

  /// What the thread tells the one that waits for the start.
  private final class Start: Sendable {
    let isDone = DispatchSemaphore(value: 0)
    let errno = Atomic<Int32>(0)
  }

  /// Sends a signal, unless the child is reaped: its id may be somebody else's then.
  package func send(_ signal: Int32) {
    state.withLock { state in
      if !state.isReaped, state.pid > 0 { _ = kill(state.pid, signal) }
    }
  }

  /// Waits until the child has been reaped; false when `limit` is over before.
  package func waitForExit(within limit: Duration) -> Bool {
    guard hasExited.wait(timeout: .now() + limit.dispatch) == .success else { return false }
    hasExited.signal()  // for whoever waits next
    return true
  }

  // MARK: - On the child's thread

  private func run(
    path: String,
    arguments: [String],
    start: Start,
    onExit: (ServerProcess.Exit) -> Void,
  ) {
    var pid: Int32 = 0
    var output: Int32 = -1
    var errors: Int32 = -1
    let failure = unsafe Self.withCStrings([path] + arguments) { argv in
      unsafe realtime_spawn(path, argv, SIGTERM, &pid, &output, &errors)
    }
    state.withLock { $0.pid = pid }
    start.errno.store(failure, ordering: .releasing)
    start.isDone.signal()
    guard failure == 0 else { return }
    defer {
      close(output)
      close(errors)
    }

    log(output: output, errors: errors)
    let exit = reap(pid)
    hasExited.signal()
    onExit(exit)
  }

  /// Copies both streams to the log until they end.
  private func log(output: Int32, errors: Int32) {
    var streams = [
      LineReader(descriptor: output) { [self] in
        log($0, .debug)
        onLine?($0)
      },
      LineReader(descriptor: errors) { [self] in log($0, .warning) },
    ]
    while !streams.isEmpty {
      var polls = streams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      guard unsafe poll(&polls, nfds_t(polls.count), -1) > 0 else {
        if errno == EINTR { continue }
        return
      }
      for index in polls.indices.reversed() where polls[index].revents != 0 {
        if !streams[index].read() { streams.remove(at: index) }
      }
    }
  }

  private func log(_ line: String, _ level: Logger.Level) {
    state.withLock { state in
      state.lines.append(line)
      if state.lines.count > Self.keptLines { state.lines.removeFirst() }
    }
    logger.log(level: level, "\(line)")
  }

  private func reap(_ pid: Int32) -> ServerProcess.Exit {
    // First wait without reaping, then reap under the lock: no signal can meet a reused id.
    var info = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return state.withLock { state in
      var status: Int32 = 0
      while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
      state.isReaped = true
      let signal = status & 0x7f
      let exit = ServerProcess.Exit(
        pid: pid,
        status: signal == 0 ? (status >> 8) & 0xff : nil,
        signal: signal == 0 ? nil : signal,
        lastLines: state.lines,
      )
      state.exit = exit
      return exit
    }
  }

  private static func withCStrings(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32,
  ) -> Int32 {
    var copies = unsafe strings.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    unsafe copies.append(nil)
    return unsafe body(copies)
  }
}
