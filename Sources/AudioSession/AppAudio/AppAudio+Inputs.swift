// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation
internal import JACK
internal import Sessions
internal import Synchronization

extension AppAudio {
  /// Lets recorders receive the input if the permission and the mute allow it (PRM-1).
  func reviewInput() {
    let detail = SessionController.shared.current.detail
    let isOpen =
      detail.map { $0.permission == .granted && $0.active && !$0.inputMuted } ?? false
    lock.withLock {
      try? withOpen { $0.client.setInputOpen(isOpen) }
    }
  }

  /// Registers inputs until there are `count`; the caller holds the lock.
  func prepareInputs(_ count: Int) throws {
    try withOpen { open in
      while open.inputs.count < count {
        open.inputs.append(try open.client.connection.register("in_\(open.inputs.count + 1)"))
      }
    }
  }

  /// Connects the inputs with the JACK ports of the input route, and with no others.
  func connectInputs() {
    let inputs = SessionController.shared.current.detail?.route.inputs ?? []
    let ports = inputs.flatMap(\.jackPorts)
    try? withOpen { open in
      let inputs = open.inputs.indices.map { ports.indices.contains($0) ? ports[$0] : nil }
      try open.patch.follow(open.client.connection, inputs)
    }
    reviewInput()
  }
}

/// Keeps a client's inputs connected with the ports of the input route.
struct InputPatch {
  /// The last port that each input was connected with.
  private var patched: [Int: String] = [:]

  /// Connects inputs whose port has changed, or that have no connection.
  ///
  /// While the port stays the same, an existing connection is kept: it can be the host's capture gate.
  ///
  /// - Parameters:
  ///   - connection: The client.
  ///   - inputs: For each input the name of its port, nil for silence.
  /// - Throws: JACK's refusal.
  ///
  /// [control-thread]
  mutating func follow(
    _ connection: ClientConnection,
    _ inputs: [String?],
  ) throws(JACKError) {
    for (index, wanted) in inputs.enumerated() {
      let own = "\(connection.name):in_\(index + 1)"
      var connected = try connection.connections(ofPort: own)
      if patched[index] != wanted {
        for other in connected { try connection.disconnect(other, from: own) }
        connected = []
      }
      patched[index] = wanted
      if let wanted, connected.isEmpty { _ = try connection.connect(wanted, to: own) }
    }
  }
}
