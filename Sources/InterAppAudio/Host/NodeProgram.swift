// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Glibc
internal import JACK
internal import Synchronization

/// A program that was started because its node is to be connected.
///
/// It has a session of its own, so that a Ctrl-C on the host's terminal does not reach it, and
/// outlives its host unless it, or its node file, chooses otherwise.
public final class NodeProgram: Sendable {
  /// Its process.
  public let processID: Int32

  /// How it has ended, as wait(2) says it; nil while it runs, and where somebody else has reaped it.
  private let status = Mutex<(isReaped: Bool, status: Int32?)>((false, nil))
  private let name: String

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: Its name or path, and its arguments.
  ///   - server: The server it is to use, as `$JACK_DEFAULT_SERVER`; `JACK_NO_START_SERVER` is set.
  ///   - lossPolicy: What becomes of it when this process dies.
  /// - Throws: ``InterAppAudioError`` `notFound` where it cannot be started.
  ///
  /// [control-thread]
  public init(
    _ command: [String],
    server: String,
    lossPolicy: InstalledNode.LossPolicy = .stay,
  ) throws(InterAppAudioError) {
    guard let program = command.first else {
      throw InterAppAudioError(.notFound, "the node file gives no command to start it")
    }
    // env(1) sets the variables: changing our own would race with other threads.
    let words =
      ["env", "JACK_DEFAULT_SERVER=\(server)", "JACK_NO_START_SERVER=1", program]
      + command.dropFirst()
    let spawned = lossPolicy == .stop ? Self.spawnBound(words) : Self.spawn(words)
    guard spawned.errno == 0 else {
      throw InterAppAudioError(
        .notFound,
        "\(program): \(unsafe String(cString: strerror(spawned.errno)))"
      )
    }
    processID = spawned.pid
    name = program
  }

  deinit {
    // Whoever ends later is reaped by init, when this process ends.
    _ = hasEnded
  }

  /// Starts a program that is sent SIGTERM when this process dies.
  ///
  /// The signal comes with the end of the thread that has started it, so that thread waits for it.
  private static func spawnBound(_ words: [String]) -> (pid: pid_t, errno: Int32) {
    let start = Start()
    let hasThread = BackgroundThread.start(name: "node-program") {
      let spawned = spawn(["setpriv", "--pdeathsig", "TERM"] + words)
      start.result.withLock { $0 = spawned }
      start.isDone.signal()
      guard spawned.errno == 0 else { return }
      var info = unsafe siginfo_t()
      // Without reaping: that is for whoever asks.
      while unsafe waitid(P_PID, id_t(spawned.pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {
      }
    }
    guard hasThread else { return (0, EAGAIN) }
    start.isDone.wait()
    return start.result.withLock { $0 }
  }

  /// What the thread tells the one that waits for the start.
  private final class Start: Sendable {
    let isDone = DispatchSemaphore(value: 0)
    let result = Mutex<(pid: pid_t, errno: Int32)>((0, 0))
  }

  private static func spawn(_ words: [String]) -> (pid: pid_t, errno: Int32) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    // libjack leaves its descriptors open for children, and a server's socket must not outlive us.
    for descriptor in Int32(3)..<1024 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | 0x80  // POSIX_SPAWN_SETSID
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var arguments = unsafe words.map { unsafe strdup($0) }
    defer { unsafe arguments.forEach { unsafe free($0) } }
    unsafe arguments.append(nil)
    var pid: pid_t = 0
    let failure = unsafe posix_spawnp(&pid, words[0], &actions, &attributes, arguments, environ)
    return (pid, failure)
  }

  /// Whether it has ended; it is reaped then. [any-thread]
  public var hasEnded: Bool {
    status.withLock { state in
      guard !state.isReaped else { return true }
      var status: Int32 = 0
      let reaped = unsafe waitpid(processID, &status, WNOHANG)
      if reaped != 0 { state = (true, reaped > 0 ? status : nil) }
      return state.isReaped
    }
  }

  /// How it has ended, in words; nil where that is not known. [any-thread]
  public var end: String? {
    guard hasEnded, let status = status.withLock({ $0.status }) else { return nil }
    let signal = status & 0x7f
    guard signal == 0 else { return "ended by signal \(signal)" }
    switch (status >> 8) & 0xff {
    case 126: return "'\(name)' cannot be executed (status 126)"
    case 127: return "'\(name)' is not found (status 127)"
    case let code: return "ended with status \(code)"
    }
  }

  /// Whether a process is the program, or has come from it: it is in the session that was made for the program.
  /// [any-thread]
  public func isAncestor(of pid: Int32) -> Bool { getsid(pid) == processID }

  /// Sends it a signal, unless it is reaped: its id may be somebody else's then. [any-thread]
  public func send(_ signal: Int32) {
    guard !hasEnded else { return }
    status.withLock { if !$0.isReaped { _ = kill(processID, signal) } }
  }
}
