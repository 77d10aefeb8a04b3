// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK
internal import Mixing
internal import Patchbay
internal import Sessions

/// The server as captures use it; tests answer from a script.
///
/// Belongs to the control thread.
protocol CaptureServer: AnyObject {
  /// The names of the host's clients, except the client of the gates.
  var hostClients: [String] { get }
  /// The ports of the server.
  var ports: PortDirectory { get }
  /// The ports of other clients that a route found.
  func foundPorts(of route: GraphFile.Route) -> [String]
  /// The input ports that an output port is connected to; empty if the port is gone.
  func listeners(of port: String) -> [String]
  /// The ports of other clients that an output of the host is connected to.
  func destinations(of ownPort: String) -> [String]
  /// Makes a connection of another program again.
  func connect(_ source: String, to destination: String) throws(JACKError)
  /// Removes a connection of another program.
  func cut(_ source: String, from destination: String) throws(JACKError)
  /// Opens the client with the capture gates.
  func openGates() throws -> any CaptureGates
}

/// The capture gates; tests answer from a script.
///
/// Belongs to the control thread.
protocol CaptureGates: AnyObject {
  /// The name of the client that contains the gates.
  var clientName: String { get }
  /// The existing gates.
  var gates: [CaptureGate] { get }
  /// Makes a closed gate.
  func add(client: String, source: String) throws -> CaptureGate
  /// Connects two ports; an existing connection is not an error.
  func connect(_ source: String, to destination: String) throws(JACKError)
  /// Opens or closes a gate with a fade, and returns whether that changed it.
  func set(_ id: String, isOpen: Bool, fadeSeconds: Double) throws(MixError) -> Bool
  /// Sets how many connections the output of a gate may have; with any other number it gives silence.
  func approve(_ id: String, connections: Int)
  /// Removes the gates of clients that have gone.
  func remove(clients: Set<String>)
  /// The samples of each gate's capture that were no sound, by the gate's id, since it was made; only gates with faults.
  func inputFaults() -> [String: InputFaults]
  /// Frees memory that the audio thread no longer uses.
  func collect()
  /// Closes the client.
  func close()
}

extension CaptureGates {
  /// The gate of a client for a capture port.
  func gate(of client: String, source: String) -> CaptureGate? {
    gates.first { $0.client == client && $0.source == source }
  }

  /// The gate with this output.
  func gate(output: String) -> CaptureGate? { gates.first { $0.output == output } }
}

extension GateClient: CaptureGates {}

/// The facts about a client that hears a capture, and the consequences (PRM-1).
///
/// Pure value: [any-thread].
struct CaptureClaim: Sendable {
  /// The permission of its program.
  var permission: RecordPermission
  /// Whether it needs a permission: every client if the graph has `permissions`, else adopted ones only.
  var isRestricted: Bool
  /// Whether its session records now; nil without a session.
  var isSessionOpen: Bool?

  /// Whether it has to hear captures through a gate.
  var needsGate: Bool {
    guard isRestricted else { return permission == .denied }
    return permission != .granted || isSessionOpen != nil
  }

  /// Whether it hears a capture that it is connected to.
  var isHeard: Bool { mayHear || !needsGate }

  /// Whether it may hear the host's outputs that carry a microphone (PRM-3).
  var mayHearOutputs: Bool { isRestricted ? mayHear : permission != .denied }

  /// Whether its gates are open.
  var mayHear: Bool {
    guard permission == .granted else { return false }
    return isRestricted ? isSessionOpen ?? true : true
  }
}
