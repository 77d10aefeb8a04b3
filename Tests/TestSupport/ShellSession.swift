// SPDX-License-Identifier: MIT

internal import Foundation
internal import Glibc
internal import Synchronization
internal import SystemSupport
internal import Testing

/// A shell script with its own folder that runs until it is stopped, or until the tests end.
///
/// The script starts its programs and reads orders from its standard input. It ends when this pipe is closed,
/// which also happens when the tests crash, and then ends its programs.
public final class ShellSession: Sendable {
  /// Environment variables for programs that use the script's processes.
  public let environment: [String: String]
  /// The session's own folder, home of its programs; deleted at the end.
  public let folder: String

  private let shell = Mutex<Shell?>(nil)
  private static let patience = Duration.seconds(30)

  /// A running script; its members are used under the session's lock only.
  private struct Shell {
    let process: ChildProcess
    let lifeline: FileHandle
  }

  /// Starts a script.
  ///
  /// - Parameters:
  ///   - script: The script, for /bin/sh.
  ///   - files: Texts to write before, by their path in the folder.
  ///   - environment: Changes to the process's environment. The folder is `$HOME`, `run` in
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

    let lifeline = Pipe()
    let process = try ChildProcess.start(
      "/bin/sh",
      ["-c", script],
      environment: self.environment,
      bond: .bound,
      input: .descriptor(lifeline.fileHandleForReading.fileDescriptor),
      output: .file(self.folder + "/log"),
      errors: .file(self.folder + "/log"),
    )
    // The script has its own copy of the reading end.
    try lifeline.fileHandleForReading.close()
    shell.withLock { $0 = Shell(process: process, lifeline: lifeline.fileHandleForWriting) }
  }

  deinit { stop() }

  /// The output of the script and its programs so far.
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
      try shell.lifeline.write(contentsOf: Data((line + "\n").utf8))
    }
  }

  /// Runs a program in the session's environment to its end.
  ///
  /// - Parameter command: The program's name and its arguments.
  /// - Returns: Its standard output, without white space around it.
  /// - Throws: ``TestFailure`` when its exit code is not 0.
  @discardableResult
  public func run(_ command: [String]) throws -> String {
    guard let program = command.first else { throw TestFailure("no command") }
    let end = try runProgramBlocking(
      program,
      Array(command.dropFirst()),
      environment: environment,
    )
    guard end.status == 0 else {
      let text = command.joined(separator: " ")
      throw TestFailure("\(text): exit code \(end.status): \(end.output)")
    }
    return end.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Ends the script and its programs, and deletes the folder.
  public func stop() {
    guard let shell = shell.withLock({ $0.take() }) else { return }
    try? shell.lifeline.close()
    if !shell.process.waitForExit(within: Self.patience) {
      shell.process.send(SIGKILL)
      Issue.record("a session's script did not end within \(Self.patience), and was killed")
    }
    try? FileManager.default.removeItem(atPath: folder)
  }
}
