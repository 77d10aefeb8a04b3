// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// The program under test, as scripts call it.
enum Multiroute {
  /// What a command has printed, and how it ended.
  struct Output {
    let end: Child.End
    let standardOutput: String
    let standardError: String
  }

  /// Where a program is: beside the test bundle, where SwiftPM builds both.
  static func path(of program: String = "multiroute") throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = (tests as NSString).deletingLastPathComponent + "/\(program)"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw TestFailure("no program at \(path); swift build --product \(program) makes it")
    }
    return path
  }

  /// Runs a command, given word by word, to its end.
  static func run(
    _ arguments: String...,
    in scratch: Scratch,
    within limit: Duration = .seconds(30),
  ) async throws -> Output {
    try await run(arguments, in: scratch, within: limit)
  }

  /// Runs a command to its end.
  static func run(
    _ arguments: [String],
    environment: [String: String] = [:],
    in scratch: Scratch,
    within limit: Duration = .seconds(30),
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
  /// What hosts and commands of a test see of the user's environment.
  var hostEnvironment: [String: String] {
    ["XDG_RUNTIME_DIR": runtimeDirectory, "XDG_STATE_HOME": stateDirectory]
  }

  /// Stands for `$XDG_STATE_HOME`.
  var stateDirectory: String { path + "/state" }
}
