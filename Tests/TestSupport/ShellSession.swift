// SPDX-License-Identifier: MIT

internal import Foundation
internal import Glibc
internal import Synchronization

/// A shell script with its own folder that runs until it is stopped, or until the tests end.
///
/// The script starts what it needs and reads orders from its standard input: it ends when this pipe is
/// closed, which also happens when the tests crash, and then ends what it has started.
public final class ShellSession: Sendable {
  /// What programs need in their environment to find what the script has started.
  public let environment: [String: String]
  /// The session's own folder, home of its programs; deleted at the end.
  public let folder: String

  private let shell = Mutex<Shell?>(nil)

  /// A running script; its members are used under the session's lock only.
  private struct Shell: @unchecked Sendable {
    let process: Process
    let lifeline: Pipe
  }

  /// Starts a script.
  ///
  /// - Parameters:
  ///   - script: The script, for /bin/sh.
  ///   - files: Texts to write before, by their path in the folder.
  ///   - environment: What is changed of the process's environment. The folder is `$HOME`, `run` in
  ///     it `$XDG_RUNTIME_DIR`, and `bus` in that the address of the message bus.
  /// - Throws: An error of the file system, or of the start of the shell.
  public init(
    script: String,
    files: [String: String] = [:],
    environment: [String: String] = [:],
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "multiroute-test-\(UUID().uuidString)")
    let runtime = folder.appending(path: "run")
    try FileManager.default.createDirectory(
      at: runtime,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700],
    )
    for (path, text) in files {
      let file = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true,
      )
      try Data(text.utf8).write(to: file)
    }
    self.folder = folder.path
    self.environment = [
      "HOME": folder.path,
      "XDG_CONFIG_HOME": folder.appending(path: "config").path,
      "XDG_STATE_HOME": folder.appending(path: "state").path,
      "XDG_RUNTIME_DIR": runtime.path,
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(runtime.path)/bus",
    ].merging(environment) { _, new in new }

    let process = Process()
    let lifeline = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", script]
    process.environment = inherited(adding: self.environment)
    process.standardInput = lifeline
    let log = folder.appending(path: "log")
    try Data().write(to: log)
    let output = try FileHandle(forWritingTo: log)
    process.standardOutput = output
    process.standardError = output
    try process.start()
    shell.withLock { $0 = Shell(process: process, lifeline: lifeline) }
  }

  deinit { stop() }

  /// What the script and its programs have written so far.
  public var log: String {
    (try? String(contentsOf: URL(filePath: folder + "/log"), encoding: .utf8)) ?? ""
  }

  /// Writes a line to the script's standard input.
  ///
  /// - Parameter line: The line, without its end.
  /// - Throws: ``TestFailure`` when the script has ended.
  public func order(_ line: String) throws {
    try shell.withLock { shell in
      guard let shell else { throw TestFailure("the session has ended") }
      try shell.lifeline.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }
  }

  /// Runs a program in the session's environment to its end.
  ///
  /// - Parameter command: The program's name and its arguments.
  /// - Returns: What it wrote to its standard output, without white space around it.
  /// - Throws: ``TestFailure`` when its exit code is not 0.
  @discardableResult
  public func run(_ command: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.environment = inherited(adding: environment)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.start()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus == 0 else {
      let what = command.joined(separator: " ")
      throw TestFailure("\(what): exit code \(process.terminationStatus): \(text)")
    }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Ends the script and what it has started, and deletes the folder.
  public func stop() {
    guard let shell = shell.withLock({ $0.take() }) else { return }
    try? shell.lifeline.fileHandleForWriting.close()
    shell.process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }
}

extension Process {
  /// Runs the process with no signal blocked.
  ///
  /// The threads of a pool block most signals, a child has the mask of the thread that starts it,
  /// and a daemon that blocks SIGTERM could not be ended by it.
  fileprivate func start() throws {
    var none = sigset_t()
    var mask = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, &mask)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &mask, nil) }
    try run()
  }
}

private func inherited(adding changes: [String: String]) -> [String: String] {
  ProcessInfo.processInfo.environment.merging(changes) { _, new in new }
}
