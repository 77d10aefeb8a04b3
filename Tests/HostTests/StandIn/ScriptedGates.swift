// SPDX-License-Identifier: MIT

import JACK
import Mixing

@testable import Host

/// Gates of captures as values, with the connections that were asked for.
///
/// Used on the host's control thread only.
final class ScriptedGates: CaptureGates {
  let clientName: String
  private(set) var gates: [CaptureGate] = []
  /// Every connection that was asked for: `source destination`.
  private(set) var links: [String] = []
  /// How often a gate was opened or closed, by its id.
  private(set) var moves: [String: Int] = [:]
  private(set) var isClosed = false
  /// The connections that the output of each gate may have.
  private(set) var approved: [String: Int] = [:]
  /// The error of making a gate; nil to make it.
  var failure: JACKError?

  /// The samples that were no sound, by the gate's id.
  var faults: [String: InputFaults] = [:]

  init(_ name: String) { clientName = name }

  func add(client: String, source: String) throws -> CaptureGate {
    if let failure { throw failure }
    let id = "\(client)_\(gates.count + 1)"
    let gate = CaptureGate(
      id: id,
      client: client,
      source: source,
      input: "\(clientName):\(id)_in",
      output: "\(clientName):\(id)",
    )
    gates.append(gate)
    return gate
  }

  func connect(_ source: String, to destination: String) throws(JACKError) {
    links.append("\(source) \(destination)")
  }

  func set(_ id: String, isOpen: Bool, fadeSeconds: Double) throws(MixError) -> Bool {
    guard let index = gates.firstIndex(where: { $0.id == id }), gates[index].isOpen != isOpen else {
      return false
    }
    gates[index].isOpen = isOpen
    moves[id, default: 0] += 1
    return true
  }

  func approve(_ id: String, connections: Int) { approved[id] = connections }

  func remove(clients: Set<String>) { gates.removeAll { clients.contains($0.client) } }
  func inputFaults() -> [String: InputFaults] { faults }
  func collect() {}
  func close() { isClosed = true }
}
