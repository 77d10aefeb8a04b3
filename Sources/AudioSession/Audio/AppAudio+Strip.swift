// SPDX-License-Identifier: MIT

internal import Foundation
internal import JACK

extension AppAudio {
  /// Lets the outputs of a raw client sound through the session's strip.
  func addPorts(of client: String, outputs: Int) throws {
    guard outputs > 0 else { return }
    try lock.withLock {
      rawClients.insert(client)
      try updateStrip(channels: max(wantedOutputs, outputs))
    }
  }

  /// A raw client is gone.
  func forgetPorts(of client: String) {
    lock.withLock {
      rawClients.remove(client)
      // A strip that waits for ports in vain does no harm.
      try? updateStrip(channels: strip?.channels ?? wantedOutputs)
    }
  }

  /// Lets ports that the app has made itself sound through the session's strip.
  func setOwnPorts(_ ports: [String], channels: Int) throws {
    try lock.withLock {
      let before = ownPorts
      ownPorts = (ports, channels)
      do {
        try updateStrip(channels: open == nil && rawClients.isEmpty ? channels : wantedOutputs)
      } catch {
        ownPorts = before
        throw error
      }
    }
  }

  /// Gives the strip the ports that there are now, where they differ from before; under the lock.
  func updateStrip(channels: Int) throws {
    let channels = max(channels, ownPorts.channels)
    var clients = rawClients
    if open != nil { clients.insert(try withOpen { $0.client.connection.name }) }
    let ports = clients.sorted().map { $0 + ":out_*" } + ownPorts.ports
    guard strip?.ports != ports || strip?.channels != channels else { return }
    try SessionController.shared.setPorts(ports, channels: channels)
    strip = (ports, channels)
  }
}
