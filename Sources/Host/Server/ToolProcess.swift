// SPDX-License-Identifier: MIT

internal import Subprocess

/// A command-line tool of another package that the host uses.
struct ToolProcess: Sendable {
  /// The tool's name, looked for in $PATH.
  let name: String
  /// The Debian package that brings it, for messages.
  let package: String
  /// What is changed of the host's own environment.
  var environment: [String: String] = [:]
  /// How long it may run.
  var timeLimit = Duration.seconds(5)

  /// What a tool may write at most; more is a fault of the tool.
  private static let outputLimitInBytes = 1 << 20
  /// How long a tool that has run too long may take to end by itself.
  private static let graceTime = Duration.milliseconds(200)

  /// Runs the tool to its end, also when the calling task is cancelled meanwhile.
  ///
  /// Half a change of somebody else's server would be worse than a host that ends a little later.
  ///
  /// - Returns: What it wrote and its exit code, whatever that is.
  /// - Throws: `HostError` when the tool is not installed, does not start, or runs too long.
  func run(_ arguments: [String]) async throws(HostError) -> ToolOutput {
    try await Task { await result(arguments) }.value.get()
  }

  private func result(_ arguments: [String]) async -> Result<ToolOutput, HostError> {
    do {
      let outcome = try await withThrowingTaskGroup(of: Outcome.self) { group in
        group.addTask { .ended(try await collect(arguments)) }
        group.addTask {
          try await Task.sleep(for: timeLimit)
          return .timeLimitReached
        }
        defer { group.cancelAll() }
        return try await group.next() ?? .timeLimitReached
      }
      return switch outcome {
      case .ended(let output): .success(output)
      case .timeLimitReached:
        .failure(HostError(.jack, "\(name) did not end within \(timeLimit)"))
      }
    } catch let error as SubprocessError where error.code == .executableNotFound {
      let help = "install it with `apt install \(package)`"
      return .failure(HostError(.jack, "\(name) is not installed; \(help)"))
    } catch {
      return .failure(HostError(.jack, "\(name) cannot be run: \(error)"))
    }
  }

  private enum Outcome: Sendable {
    case ended(ToolOutput)
    case timeLimitReached
  }

  private func collect(_ arguments: [String]) async throws -> ToolOutput {
    var options = PlatformOptions()
    options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: Self.graceTime)]
    // A group of its own: Ctrl-C is for the host, which still needs its tools to give things back.
    options.processGroupID = 0
    let overrides = environment.map { (Environment.Key(stringLiteral: $0), String?.some($1)) }
    let result = try await Subprocess.run(
      .name(name),
      arguments: Arguments(arguments),
      environment: .inherit.updating(Dictionary(uniqueKeysWithValues: overrides)),
      platformOptions: options,
      output: .string(limit: Self.outputLimitInBytes),
      error: .string(limit: Self.outputLimitInBytes),
    )
    let exitCode: Int32? =
      switch result.terminationStatus {
      case .exited(let code): code
      case .signaled: nil
      }
    return ToolOutput(
      exitCode: exitCode,
      standardOutput: result.standardOutput,
      standardError: result.standardError,
    )
  }
}
