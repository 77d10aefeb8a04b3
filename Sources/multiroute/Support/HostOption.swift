// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import ControlProtocol
import ControlSocket
import Logging

/// The running host for a command.
///
/// Belongs to the control thread.
struct HostOption: ParsableArguments {
  @Option(
    name: .customLong("host"),
    help: ArgumentHelp(
      "The host's name, or the path of its socket. Only needed when several hosts run.",
      valueName: "name",
    ),
    completion: .file(extensions: ["sock"]),
  )
  var host: String?

  var address: HostAddress {
    guard let host else { return .only }
    return host.contains("/") ? .path(host) : .name(host)
  }

  /// Connects, does something, and disconnects.
  ///
  /// - Parameters:
  ///   - topics: The topics to subscribe to.
  ///   - body: Uses the connection.
  /// - Returns: The result of `body`.
  /// - Throws: An `ExitCode` of sysexits.
  func withClient<Value: Sendable>(
    subscribingTo topics: [Topic] = [],
    _ body: (ControlClient) async throws -> Value
  ) async throws -> Value {
    try await reporting {
      let client = try await EarlyConnection.client(of: address, subscribingTo: topics)
      do {
        let value = try await body(client)
        await client.close()
        return value
      } catch {
        await client.close()
        throw error
      }
    }
  }

  /// Does something with hosts; errors end the command with the exit status of sysexits.
  func reporting<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as ControlClientError {
      let option = error.code == .ambiguousHost ? " (--host NAME)" : ""
      Terminal.complain("error: \(error)\(option)")
      switch error.code {
      case .refused(let reason) where reason.code == .notReady: throw ExitCode.unavailable
      case .refused: throw ExitCode.badData
      case .notPermitted: throw ExitCode.noPermission
      default: throw ExitCode.unavailable
      }
    } catch let error as ControlError {
      // A name on the command line that the protocol does not have.
      Terminal.complain("error: \(error.message)")
      throw ExitCode.badData
    }
  }
}

/// Log levels on the command line.
///
/// Pure value: [any-thread].
enum LogLevelArgument {
  /// Reads a level by its name.
  ///
  /// - Throws: A usage error that lists the names.
  static func parse(_ text: String) throws -> Logger.Level {
    guard let level = Logger.Level(rawValue: text) else {
      let names = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("'\(text)' is not a log level; allowed: \(names)")
    }
    return level
  }
}
