// SPDX-License-Identifier: MIT

internal import Glibc

/// A command-line tool of another package, run to its end with a time limit.
///
/// Pure value: [any-thread].
package struct ToolProcess: Sendable {
  /// The tool's name, searched for in $PATH.
  package let name: String
  /// The Debian package that contains it, for messages.
  package let package: String
  /// Variables that differ from this process's environment.
  package let environment: [String: String]
  /// Time after which it is ended.
  package let timeLimit: Duration

  /// Limit of each output stream in bytes; more is dropped.
  private static let outputLimitInBytes = 1 << 20
  /// Time from SIGTERM to SIGKILL for a tool that ran too long.
  private static let graceTime = Duration.milliseconds(200)

  /// Describes a tool; ``run(_:)`` runs it.
  package init(
    name: String,
    package: String,
    environment: [String: String] = [:],
    timeLimit: Duration = .seconds(5),
  ) {
    self.name = name
    self.package = package
    self.environment = environment
    self.timeLimit = timeLimit
  }

  /// Runs the tool to its end, even when the calling task is cancelled in the meantime, because
  /// half a change of another program's server would be worse than a host that ends a little later.
  ///
  /// - Returns: Its output and its exit code, whatever that is.
  /// - Throws: ``ToolError`` when the tool is not installed, does not start, or runs too long.
  package func run(_ arguments: [String]) async throws(ToolError) -> ToolOutput {
    let child: ChildProcess
    do throws(SystemError) {
      child = try ChildProcess.start(
        name,
        arguments,
        environment: environment,
        bond: .bound,
        output: .text(limitInBytes: Self.outputLimitInBytes),
        errors: .text(limitInBytes: Self.outputLimitInBytes),
      )
    } catch {
      guard error.code == ENOENT else { throw ToolError("\(name) cannot be run: \(error.reason)") }
      throw ToolError("\(name) is not installed; install it with `apt install \(package)`")
    }
    guard let exit = await child.exit(within: timeLimit) else {
      await child.end(within: Self.graceTime)
      throw ToolError("\(name) did not end within \(timeLimit)")
    }
    return ToolOutput(
      exitCode: exit.status,
      standardOutput: child.text(of: .output),
      standardError: child.text(of: .errors),
    )
  }
}

/// Exit code and output of a tool that has ended.
///
/// Pure value: [any-thread].
package struct ToolOutput: Sendable, Hashable {
  /// Its exit code; nil when a signal ended it.
  package let exitCode: Int32?
  /// The text of its standard output.
  package let standardOutput: String
  /// The text of its standard error.
  package let standardError: String

  /// Whether it ended with exit code 0.
  package var isSuccess: Bool { exitCode == 0 }

  /// Its last line of output, or its exit code in words, for messages.
  package var fault: String {
    let lines = (standardError + standardOutput).split(separator: "\n")
    let end = exitCode.map { "exit code \($0)" } ?? "ended by a signal"
    return lines.last.map(String.init) ?? end
  }
}

/// Reason why a tool could not be run to its end.
///
/// Pure value: [any-thread].
package struct ToolError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The tool, the fault, and the remedy where there is one.
  package let description: String

  package init(_ description: String) { self.description = description }
}
