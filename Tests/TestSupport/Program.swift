// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemSupport

/// The end of a program that a test ran.
package struct ProgramEnd: Sendable {
  /// Its exit status, or 128 and the signal that ended it.
  package let status: Int32
  /// The text of its standard output.
  package let output: String
  /// The text of its standard error.
  package let errors: String
}

/// Runs a program to its end; blocks the calling thread meanwhile. [any-thread]
///
/// - Parameters:
///   - program: Its path, or its name in `$PATH`.
///   - arguments: Its arguments, without its name.
///   - environment: Changes to the environment of the test.
///   - limit: The longest wait; generous, because a passing test does not use it.
/// - Returns: Its status and its output.
/// - Throws: ``TestFailure`` when it cannot be started or does not end.
package func runProgram(
  _ program: String,
  _ arguments: [String] = [],
  environment: [String: String] = [:],
  within limit: Duration = .seconds(60),
) throws -> ProgramEnd {
  let child = try ChildProcess.start(
    program,
    arguments,
    environment: environment,
    bond: .bound,
    output: .text(limitInBytes: 1 << 24),
    errors: .text(limitInBytes: 1 << 24),
  )
  guard child.waitForExit(within: limit), let exit = child.exit else {
    child.send(SIGKILL)
    throw TestFailure("\(program) \(arguments.joined(separator: " ")) did not end within \(limit)")
  }
  return ProgramEnd(
    status: exit.shellCode,
    output: child.text(of: .output),
    errors: child.text(of: .errors)
  )
}
