// SPDX-License-Identifier: MIT

/// What a tool that has run to its end left behind.
struct ToolOutput: Sendable, Hashable {
  /// Its exit code; nil when a signal ended it.
  let exitCode: Int32?
  /// What it wrote to its standard output.
  let standardOutput: String
  /// What it wrote to its standard error.
  let standardError: String

  /// Whether it ended with exit code 0.
  var isSuccess: Bool { exitCode == 0 }

  /// The last line that tells a fault, for messages.
  var fault: String {
    let lines = (standardError + standardOutput).split(separator: "\n")
    let end = exitCode.map { "exit code \($0)" } ?? "ended by a signal"
    return lines.last.map(String.init) ?? end
  }
}
