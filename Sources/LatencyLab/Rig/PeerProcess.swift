// SPDX-License-Identifier: MIT

import Glibc
import SystemSupport

/// A program that runs beside a measurement; ended and reaped with the value.
///
/// Safe from any thread: [any-thread].
final class PeerProcess: Sendable {
  private let child: ChildProcess

  /// Time from SIGTERM to SIGKILL.
  private static let graceTime = Duration.seconds(2)

  /// Starts a program found by its name or path, without input.
  ///
  /// - Parameters:
  ///   - program: The name or path.
  ///   - arguments: Its arguments, without itself.
  ///   - environment: Variables to add to the process's environment.
  ///   - outputPath: The file for its standard output; nil discards the output.
  /// - Throws: ``LabError`` `tool` when it cannot be started.
  init(
    _ program: String,
    _ arguments: [String],
    environment: [String: String] = [:],
    outputPath: String? = nil,
  ) throws(LabError) {
    do throws(SystemError) {
      child = try ChildProcess.start(
        program,
        arguments,
        environment: environment,
        bond: .bound,
        output: outputPath.map { .file($0) } ?? .null,
      )
    } catch {
      throw LabError(.tool, "\(program): cannot be started (\(error.reason))")
    }
  }

  deinit { stop() }

  /// Its process id.
  var pid: Int32 { child.pid }

  /// Ends it with SIGTERM, after two seconds with SIGKILL; it is reaped when this returns.
  func stop() {
    child.send(SIGTERM)
    if child.waitForExit(within: Self.graceTime) { return }
    crash()
    _ = child.waitForExit(within: Self.graceTime)
  }

  /// Ends it as a crash would (SIGKILL).
  func crash() { child.send(SIGKILL) }

  /// Whether it has ended.
  var hasEnded: Bool { !child.isRunning }
}
