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

/// Runs a program to its end, without blocking a thread. [any-thread]
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
) async throws -> ProgramEnd {
  let child = try start(program, arguments, environment)
  guard let exit = await child.exit(within: limit) else {
    throw killed(child, program, arguments)
  }
  return end(of: child, exit)
}

/// The same, but blocks the calling thread: for sessions with servers, which run one at a time.
///
/// - Parameters:
///   - program: Its path, or its name in `$PATH`.
///   - arguments: Its arguments, without its name.
///   - environment: Changes to the environment of the test.
/// - Returns: Its status and its output.
/// - Throws: ``TestFailure`` when it cannot be started or does not end.
func runProgramBlocking(
  _ program: String,
  _ arguments: [String],
  environment: [String: String],
) throws -> ProgramEnd {
  let child = try start(program, arguments, environment)
  guard child.waitForExit(within: .seconds(60)), let exit = child.exit else {
    throw killed(child, program, arguments)
  }
  return end(of: child, exit)
}

private func start(
  _ program: String,
  _ arguments: [String],
  _ environment: [String: String],
) throws -> ChildProcess {
  try ChildProcess.start(
    program,
    arguments,
    environment: environment,
    bond: .bound,
    output: .text(limitInBytes: 1 << 24),
    errors: .text(limitInBytes: 1 << 24),
  )
}

private func killed(
  _ child: ChildProcess,
  _ program: String,
  _ arguments: [String],
) -> TestFailure {
  child.send(SIGKILL)
  return TestFailure("\(program) \(arguments.joined(separator: " ")) did not end in time")
}

private func end(of child: ChildProcess, _ exit: ProcessExit) -> ProgramEnd {
  ProgramEnd(
    status: exit.shellCode,
    output: child.text(of: .output),
    errors: child.text(of: .errors),
  )
}
