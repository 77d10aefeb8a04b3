// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization
import TestSupport

/// A program that runs beside the test; it is ended and reaped when its owner lets it go.
final class Child: Sendable {
  /// How a program ended.
  enum End: Equatable {
    /// It returned this code.
    case code(Int32)
    /// This signal ended it.
    case signal(Int32)
  }

  private enum State {
    case runs
    case ended(End)
  }

  let pid: pid_t
  let name: String
  private let folder: String
  private let state = Mutex(State.runs)

  /// Starts a program in a process group of its own, as a terminal would.
  ///
  /// - Parameters:
  ///   - program: Its path, or its name on `$PATH`.
  ///   - arguments: Its arguments, without itself.
  ///   - environment: What differs from the environment of the test.
  ///   - scratch: Where its output is kept.
  /// - Throws: ``TestFailure`` when it cannot be started.
  init(
    _ program: String,
    _ arguments: [String],
    environment: [String: String] = [:],
    in scratch: Scratch,
  ) throws {
    name = program.split(separator: "/").last.map(String.init) ?? program
    folder = try scratch.makeFolder("\(name)-output")

    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (descriptor, file) in [(Int32(1), "stdout"), (2, "stderr")] {
      let path = "\(folder)/\(file)"
      unsafe posix_spawn_file_actions_addopen(
        &actions,
        descriptor,
        path,
        O_WRONLY | O_CREAT | O_APPEND,
        0o600,
      )
    }
    // libjack leaves its descriptors open for children, and a server's socket must not outlive it.
    for descriptor in Int32(3)..<1024 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK),
    )

    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var pid: pid_t = 0
    let failure = unsafe Self.withCStrings([program] + arguments) { argv in
      unsafe Self.withCStrings(variables.map { "\($0)=\($1)" }) { envp in
        unsafe posix_spawnp(&pid, program, &actions, &attributes, argv, envp)
      }
    }
    guard failure == 0 else {
      let reason = unsafe String(cString: strerror(failure))
      throw TestFailure("\(program) cannot be started: \(reason)")
    }
    self.pid = pid
  }

  deinit {
    send(SIGTERM)
    for _ in 0..<300 where end == nil { usleep(10_000) }
    guard end == nil else { return }
    send(SIGKILL)
    state.withLock { _ in _ = waitpid(pid, nil, 0) }
  }

  /// How it ended; nil while it runs.
  var end: End? {
    state.withLock { state in
      if case .ended(let end) = state { return end }
      var status: Int32 = 0
      guard unsafe waitpid(pid, &status, WNOHANG) == pid else { return nil }
      let signal = status & 0x7f
      let end = signal == 0 ? End.code((status >> 8) & 0xff) : .signal(signal)
      state = .ended(end)
      return end
    }
  }

  /// Waits until it has ended.
  func waitForEnd(within limit: Duration = .seconds(20)) async throws -> End {
    try await waitUntil("\(name) ends\n\(standardError)", within: limit) { end != nil }
    guard let end else { throw TestFailure("\(name) has not ended") }
    return end
  }

  /// Sends a signal to it, or to all of its group, unless it has ended.
  func send(_ signal: Int32, toGroup: Bool = false) {
    guard end == nil else { return }
    kill(toGroup ? -pid : pid, signal)
  }

  /// What it has written to its standard output so far.
  var standardOutput: String { text(of: "stdout") }
  /// What it has written to its standard error so far.
  var standardError: String { text(of: "stderr") }

  /// The last 16 KiB of what it has written to its standard output; its first line may be cut.
  var lastOutput: String {
    guard let file = FileHandle(forReadingAtPath: "\(folder)/stdout") else { return "" }
    defer { try? file.close() }
    let length = (try? file.seekToEnd()) ?? 0
    try? file.seek(toOffset: length > 16_384 ? length - 16_384 : 0)
    return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
  }

  private func text(of file: String) -> String {
    let data = FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data()
    return String(decoding: data, as: UTF8.self)
  }

  private static func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result,
  ) -> Result {
    var copies = unsafe strings.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    unsafe copies.append(nil)
    return unsafe copies.withUnsafeMutableBufferPointer { buffer in
      var none: UnsafeMutablePointer<CChar>?
      return unsafe withUnsafeMutablePointer(to: &none) { empty in
        unsafe body(buffer.baseAddress ?? empty)
      }
    }
  }
}
