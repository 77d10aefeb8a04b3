// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket

/// Which running host a command talks to.
struct HostOption: ParsableArguments {
  @Option(
    name: .customLong("host"),
    help: ArgumentHelp(
      "The host's name, or the path of its socket. Not needed while only one runs.",
      valueName: "name",
    ),
  )
  var host: String?

  var address: HostAddress {
    guard let host else { return .only }
    return host.contains("/") ? .path(host) : .name(host)
  }

  /// Connects, does something, and disconnects; faults end the command with sysexits' code.
  func withClient<Value: Sendable>(
    _ body: (ControlClient) async throws -> Value
  ) async throws -> Value {
    do {
      let client = try await ControlClient.connect(to: address, clientName: "multiroute")
      do {
        let value = try await body(client)
        await client.close()
        return value
      } catch {
        await client.close()
        throw error
      }
    } catch let error as ControlClientError {
      Terminal.complain("error: \(error)")
      switch error.code {
      case .refused(let reason) where reason.code == .notReady: throw ExitCode.unavailable
      case .refused: throw ExitCode.badData
      case .notPermitted: throw ExitCode.noPermission
      default: throw ExitCode.unavailable
      }
    }
  }
}
