// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// The program under test, as scripts call it.
enum Multiroute {
  /// A command's output, and how it ended.
  struct Output {
    let end: Child.End
    let standardOutput: String
    let standardError: String
  }

  /// The environment variable with the path of the `multiroute` to test; `scripts/test` sets it to the release build.
  private static let variable = "MULTIROUTE_TEST_PROGRAM"

  /// Where a program is: `multiroute` where ``variable`` says, or else beside the test bundle as all others.
  static func path(of program: String = "multiroute") throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var path = (tests as NSString).deletingLastPathComponent + "/\(program)"
    var remedy = "swift build --product \(program) makes it"
    if program == "multiroute", let release = ProcessInfo.processInfo.environment[variable] {
      path = release
      remedy = "\(variable) names it"
    }
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw TestFailure("no program at \(path); \(remedy)")
    }
    return path
  }

  /// Runs a command, given word by word, to its end.
  static func run(
    _ arguments: String...,
    in scratch: Scratch,
    within limit: Duration = .seconds(60),
  ) async throws -> Output {
    try await run(arguments, in: scratch, within: limit)
  }

  /// Runs a command to its end.
  static func run(
    _ arguments: [String],
    environment: [String: String] = [:],
    in scratch: Scratch,
    within limit: Duration = .seconds(60),
  ) async throws -> Output {
    let child = try Child(
      path(),
      arguments,
      environment: scratch.hostEnvironment.merging(environment) { $1 },
      in: scratch,
    )
    let end = try await child.waitForEnd(within: limit)
    return Output(
      end: end,
      standardOutput: child.standardOutput,
      standardError: child.standardError,
    )
  }
}

extension Scratch {
  /// The user's environment for hosts and commands of a test.
  var hostEnvironment: [String: String] {
    ["XDG_RUNTIME_DIR": runtimeDirectory, "XDG_STATE_HOME": stateDirectory]
  }

  /// Stands for `$XDG_STATE_HOME`.
  var stateDirectory: String { path + "/state" }
}

/// The repository that the tests were built from.
enum Repository {
  /// The absolute path of a file in it.
  static func path(_ relative: String) -> String {
    var folder = URL(filePath: #filePath)
    for _ in 0..<3 { folder.deleteLastPathComponent() }
    return folder.appending(path: relative).path(percentEncoded: false)
  }

  /// The text of a file in it.
  static func text(_ relative: String) throws -> String {
    try String(contentsOfFile: path(relative), encoding: .utf8)
  }
}
