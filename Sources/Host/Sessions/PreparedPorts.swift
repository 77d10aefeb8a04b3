// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Patchbay

/// The ports that a request asks for, compiled and matched away from the control thread.
///
/// Pure value: [any-thread].
struct PreparedPorts: Sendable {
  /// The ports; nil where the request has none.
  var ports: SessionPorts?
  /// The ports of the server that they match; nil without a server.
  var answers: PreparedAnswers?

  /// Compiles the patterns of a request, and matches them with the ports of the server, on a thread of the shared pool.
  ///
  /// - Parameters:
  ///   - ports: The texts of the request.
  ///   - channels: The channels of the strip; nil for 2.
  ///   - directory: Reads a copy of the server's ports; nil without a server.
  /// - Returns: The ports with what they match.
  /// - Throws: `badValue` for a pattern that cannot be used.
  /// [any-thread]
  static func prepare(
    _ ports: [String],
    channels: Int?,
    directory: @Sendable () async -> PortDirectory?,
  ) async throws(ControlError) -> PreparedPorts {
    guard !ports.isEmpty else { return PreparedPorts() }
    let compiled = try await onPool { () throws(ControlError) in
      try SessionPorts(checking: ports, channels: channels)
    }
    guard let directory = await directory() else { return PreparedPorts(ports: compiled) }
    let answers = try await onPool { () throws(ControlError) in
      directory.prepareAnswers(to: compiled.patterns, facing: .intoHost)
    }
    return PreparedPorts(ports: compiled, answers: answers)
  }

  /// Runs `body` on a thread of the pool that all tasks share.
  ///
  /// A request's own task runs on the control thread.
  private static func onPool<Value: Sendable>(
    _ body: @escaping @Sendable () throws(ControlError) -> Value
  ) async throws(ControlError) -> Value {
    let task = Task.detached { () -> Result<Value, ControlError> in
      Result { () throws(ControlError) in try body() }
    }
    return try await task.value.get()
  }
}

extension SessionPorts {
  /// The ports that feed a strip, as a request gives them. [any-thread]
  ///
  /// - Throws: `badValue` for a pattern that cannot be used.
  fileprivate init(checking ports: [String], channels: Int?) throws(ControlError) {
    do throws(PortPattern.Fault) {
      try self.init(ports, channels: channels ?? 2)
    } catch {
      throw ControlError(
        .badValue,
        place: "ports",
        fault: error.description,
        allowed: "full port names, globs with * and ?, or expressions between slashes",
      )
    }
  }
}
