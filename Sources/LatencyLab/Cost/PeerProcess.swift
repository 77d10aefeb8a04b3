// SPDX-License-Identifier: MIT

import Glibc

/// A program that runs beside a measurement.
final class PeerProcess {
  /// Its process id.
  let pid: Int32
  private var isReaped = false

  /// Starts a program found by its name or path, without input.
  ///
  /// - Parameters:
  ///   - program: The name or path.
  ///   - arguments: Its arguments, without itself.
  ///   - environment: Variables to set beside our own.
  ///   - outputPath: The file for its standard output; nowhere by default.
  /// - Throws: ``LabError`` `tool` when it cannot be started.
  init(
    _ program: String,
    _ arguments: [String],
    environment: [String: String] = [:],
    outputPath: String = "/dev/null",
  ) throws(LabError) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, path) in ["/dev/null", outputPath, "/dev/null"].enumerated() {
      unsafe posix_spawn_file_actions_addopen(
        &actions,
        Int32(descriptor),
        path,
        O_RDWR | O_CREAT,
        0o600,
      )
    }
    // env(1) sets the variables: changing our own would race with other threads.
    let settings = environment.map { "\($0.key)=\($0.value)" }.sorted()
    let words = ["env"] + settings + [program] + arguments
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
    defer { unsafe pointers.forEach { unsafe free($0) } }
    unsafe pointers.append(nil)
    var process: pid_t = 0
    let result = unsafe posix_spawnp(&process, "env", &actions, nil, pointers, environ)
    guard result == 0 else {
      throw LabError(.tool, "\(program): cannot be started (error \(result))")
    }
    pid = process
  }

  deinit { stop() }

  /// Ends it: SIGTERM, after two seconds SIGKILL; it is reaped when this returns.
  func stop() {
    guard !isReaped else { return }
    kill(pid, SIGTERM)
    for _ in 0..<200 {
      if hasEnded { return }
      usleep(10_000)
    }
    crash()
    var status: Int32 = 0
    _ = unsafe waitpid(pid, &status, 0)
    isReaped = true
  }

  /// Ends it as a crash would (SIGKILL).
  func crash() {
    if !isReaped { kill(pid, SIGKILL) }
  }

  /// Whether it has ended; it is reaped then.
  var hasEnded: Bool {
    guard !isReaped else { return true }
    var status: Int32 = 0
    isReaped = unsafe waitpid(pid, &status, WNOHANG) != 0
    return isReaped
  }
}
