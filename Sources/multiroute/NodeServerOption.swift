// SPDX-License-Identifier: MIT

import ArgumentParser
import InterAppAudio

/// Which JACK server a command about nodes talks to.
struct NodeServerOption: ParsableArguments {
  @Option(
    name: [.customShort("n"), .customLong("server")],
    help: "The name of the JACK server. Default: $JACK_DEFAULT_SERVER, or 'default'.",
  )
  var server: String?

  /// Opens a client that finds and patches nodes, does something, and closes it.
  ///
  /// Faults end the command with sysexits' code; faulty node files are told and passed over.
  func withHost<Value: Sendable>(
    _ body: (InterAppHost) async throws -> Value
  ) async throws -> Value {
    let folders = NodeFolders()
    for fault in folders.read().faults { Terminal.complain("\(fault)") }
    do {
      let description = HostDescription(name: "multiroute-nodes", isSessionActive: false)
      let host = try InterAppHost(description, server: server, folders: folders)
      do {
        let value = try await body(host)
        await host.close()
        return value
      } catch {
        await host.close()
        throw error
      }
    } catch let error as InterAppAudioError {
      Terminal.complain("error: \(error)")
      throw ExitCode(error)
    }
  }
}

extension ExitCode {
  init(_ error: InterAppAudioError) {
    self =
      switch error.code {
      case .jack, .instanceInvalidated, .initializationTimedOut, .instanceTimedOut: .unavailable
      case .notPermitted: .noPermission
      default: .badData
      }
  }
}
