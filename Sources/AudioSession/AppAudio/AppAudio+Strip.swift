// SPDX-License-Identifier: MIT

internal import Foundation
internal import JACK

extension AppAudio {
  /// Routes the outputs of an ``AudioIO`` through the session's strip.
  func addPorts(of client: String, outputs: Int) throws {
    guard outputs > 0 else { return }
    try lock.withLock {
      rawClients.insert(client)
      try updateStrip(channels: max(wantedOutputs, outputs))
    }
  }

  /// Removes the outputs of an ``AudioIO`` from the session's strip.
  func forgetPorts(of client: String) {
    lock.withLock {
      rawClients.remove(client)
      // If the host does not answer, its strip waits for ports that do not exist: harmless.
      try? updateStrip(channels: strip?.channels ?? wantedOutputs)
    }
  }

  /// Routes ports that the app opened without the library through the session's strip.
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

  /// Sends the host the ports of the strip if they have changed; the caller holds the lock.
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

extension ClientConnection {
  /// Waits until the host has connected all outputs with their strip, so that nothing of the first sound is lost.
  ///
  /// It waits half a second at most; a host that takes longer connects them later.
  /// [control-thread]
  func waitForStrip(outputs: Int) {
    let end = ContinuousClock.now + .milliseconds(500)
    var waiting = Array(1...max(1, outputs)).prefix(outputs)
    while true {
      waiting.removeAll { index in
        // Ports of a client whose server has ended are connected with nothing.
        (try? connections(ofPort: "\(name):out_\(index)"))?.isEmpty == false
      }
      guard !waiting.isEmpty, ContinuousClock.now < end else { return }
      Thread.sleep(forTimeInterval: 0.002)
    }
  }
}
