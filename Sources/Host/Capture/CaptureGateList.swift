// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import JACK
internal import Mixing
internal import Patchbay

/// The capture gates on one server, and the connections to them that the host approves.
///
/// Only connections to the gate's own client are approved. Part of the ``CaptureRoom``; belongs to the control thread.
final class CaptureGateList {
  private let control: Control
  private let server: () -> (any CaptureServer)?
  /// The client with the gates; nil without one.
  private(set) var client: (any CaptureGates)?
  /// The ports that may hear each gate, by its id.
  private var approved: [String: Set<String>] = [:]

  /// Begins without gates.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - server: Gives the server; nil while the host is not attached.
  init(control: Control, server: @escaping () -> (any CaptureServer)?) {
    self.control = control
    self.server = server
  }

  /// The existing gates.
  var all: [CaptureGate] { client?.gates ?? [] }

  /// Whether a client hears a gate, open or closed.
  func has(_ client: String) -> Bool { all.contains { $0.client == client } }

  /// Opens the client with the gates, if it is not open; a failure is reported.
  func open() {
    guard client == nil, let server = server() else { return }
    do {
      client = try server.openGates()
    } catch {
      control.publish(
        .error(),
        "cannot open the capture gates: \(error); programs without permission hear silence",
      )
    }
  }

  /// Closes the client, and forgets the gates.
  func close() {
    client?.close()
    client = nil
    approved.removeAll()
  }

  /// The samples of captures that were no sound, by their ports, as the gate of each that has heard most counts them.
  func inputFaults() -> [FaultPlace: InputFaults] {
    guard let client else { return [:] }
    let faults = client.inputFaults()
    // Two gates of a capture hear the same samples.
    return Dictionary(
      client.gates.compactMap { gate in faults[gate.id].map { (.capture(gate.source), $0) } },
      uniquingKeysWith: { $0.silencedSamples < $1.silencedSamples ? $1 : $0 },
    )
  }

  /// Frees memory that the audio thread no longer uses.
  func collect() { client?.collect() }

  /// Takes a capture to a port of a program through a gate of its own; a failure is reported.
  func connect(_ source: String, to destination: String, of program: String) {
    open()
    guard let client else { return }
    do {
      let gate =
        try client.gate(of: program, source: source) ?? client.add(client: program, source: source)
      guard approved[gate.id]?.contains(destination) != true else { return }
      try client.connect(source, to: gate.input)
      approve(destination, at: gate)
      do throws(JACKError) {
        try client.connect(gate.output, to: destination)
      } catch {
        disapprove(destination, at: gate)
        throw error
      }
    } catch {
      control.publish(
        .error(),
        "cannot make a gate from \(source) to \(destination): \(error); it hears silence",
      )
    }
  }

  /// Approves a connection that was made from a gate to a port of its own client; false for any other one.
  func take(_ pair: ConnectionPair, of program: String) -> Bool {
    guard let gate = client?.gate(output: pair.source), gate.client == program else { return false }
    approve(pair.destination, at: gate)
    return true
  }

  /// Withdraws the approval of a connection that is gone.
  func disconnected(_ pair: ConnectionPair) {
    guard let gate = client?.gate(output: pair.source) else { return }
    disapprove(pair.destination, at: gate)
  }

  /// Opens and closes gates with a fade.
  ///
  /// - Returns: Whether a gate has changed.
  func settle(fadeSeconds: Double, mayHear: (_ client: String) -> Bool) -> Bool {
    guard let client else { return false }
    var hasChanged = false
    for gate in client.gates {
      do throws(MixError) {
        let isOpen = mayHear(gate.client)
        hasChanged =
          try client.set(gate.id, isOpen: isOpen, fadeSeconds: fadeSeconds) || hasChanged
      } catch {
        control.publish(.error(), "gate '\(gate.id)': \(error)")
      }
    }
    return hasChanged
  }

  /// Removes the gates of clients that have gone.
  ///
  /// - Returns: The clients among them that had one.
  func remove(clients: Set<String>) -> Set<String> {
    let gone = clients.filter(has)
    guard !gone.isEmpty, let client else { return [] }
    for gate in client.gates where gone.contains(gate.client) { approved[gate.id] = nil }
    client.remove(clients: gone)
    return gone
  }

  private func approve(_ port: String, at gate: CaptureGate) {
    guard approved[gate.id, default: []].insert(port).inserted else { return }
    client?.approve(gate.id, connections: approved[gate.id]?.count ?? 0)
  }

  private func disapprove(_ port: String, at gate: CaptureGate) {
    guard approved[gate.id]?.remove(port) != nil else { return }
    client?.approve(gate.id, connections: approved[gate.id]?.count ?? 0)
  }
}
