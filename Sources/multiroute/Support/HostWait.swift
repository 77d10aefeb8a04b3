// SPDX-License-Identifier: MIT

import CommandSupport
import ControlProtocol
import ControlSocket

/// The wait of `status --wait` for a host that plays, which may still have to be started.
///
/// Belongs to the control thread.
struct HostWait {
  /// The time between two looks.
  private static let pause = Duration.milliseconds(100)
  /// After this time people are told what is waited for.
  private static let patience = Duration.seconds(2)

  let address: HostAddress
  let limit: Duration

  /// Waits until the host is attached to its server and its engine runs.
  ///
  /// - Throws: ``ControlClientError``: `timedOut` with the last obstacle, or at once a fault that no waiting mends, such as
  ///   several hosts of which none is named.
  func finish() async throws {
    let start = ContinuousClock.now
    var isTold = false
    while let obstacle = try await obstacle() {
      let waited = ContinuousClock.now - start
      guard waited < limit else {
        throw ControlClientError(
          .timedOut,
          "no host has come to play within the time of --timeout: \(obstacle)"
        )
      }
      if waited >= Self.patience, !isTold {
        Terminal.complain("waiting for a host that plays: \(obstacle)")
        isTold = true
      }
      try await Task.sleep(for: min(Self.pause, limit - waited))
    }
  }

  /// The reason why no host plays yet; nil where one does.
  private func obstacle() async throws -> String? {
    do throws(ControlClientError) {
      let client = try await ControlClient.connect(to: address)
      let status: HostStatus
      do throws(ControlClientError) {
        status = try await client.call(GetStatus.self)
      } catch {
        await client.close()
        throw error
      }
      await client.close()
      guard status.server.state != .running else { return nil }
      let state = status.server.state?.rawValue ?? "unknown"
      return "the host '\(status.host.name)' is there, and its state is '\(state)'"
    } catch {
      switch error.code {
      case .noSuchHost, .hostDead, .timedOut, .connectionClosed: return error.description
      case .refused(let reason) where reason.code == .notReady: return error.description
      default: throw error
      }
    }
  }
}
