// SPDX-License-Identifier: MIT

import InterAppAudio
import JACK
import Mixing
import Patchbay

@testable import Host

extension Node {
  /// A stereo effect that runs.
  static func effect(
    _ client: String,
    name: String? = nil,
    kind: NodeKind = .effect,
    pid: Int32? = nil,
    inputs: Int = 2,
    outputs: Int = 2,
    _ change: (inout NodeDescription) -> Void = { _ in },
  ) -> Node {
    var description = NodeDescription(
      kind: kind,
      subtype: "test",
      manufacturer: "test",
      name: name ?? client,
      ports: NodePorts(
        audioInputs: (0..<inputs).map { "in_\($0 + 1)" },
        audioOutputs: (0..<outputs).map { "out_\($0 + 1)" },
      ),
      isSessionActive: true,
    )
    change(&description)
    return Node(description: description, client: client, clientUUID: 1, processID: pid)
  }
}

/// A server with nodes, as values.
final class ScriptedNodeServer: NodeServer {
  let serverName = "scripted"
  let hostName = "house"
  let hostClients = ["house", "house-sources"]
  let periodSeconds = 0.005
  /// Moved by ``NodeBench/advance(milliseconds:)``.
  var cycleCount: UInt64 = 0
  let frame: UInt64? = 7
  var nodes: [String: Node] = [:]
  var changes: [RegistrationChange] = []
  var links: Set<ConnectionPair> = []
  /// The error of each connection; nil to connect.
  var refusal: JACKError?
  /// How often a connection was tried.
  private(set) var attempts = 0
  /// The error of each claim; nil to allow it.
  var claimFailure: InterAppAudioError?
  private(set) var claimed: Set<String> = []
  private(set) var descriptions: [HostDescription] = []
  private(set) var orders: [AudioUnitRemoteControlEvent] = []
  /// The nodes that are sources, by strip.
  private(set) var plugged: [String: [ConnectionPair]] = [:]
  var chains = [ScriptedChain(.strip("tone"))]

  func listNodes(_ files: [InstalledNode]) throws(JACKError) -> any NodeListing {
    Listing(server: self, declarations: files)
  }

  private struct Listing: NodeListing {
    let server: ScriptedNodeServer
    var declarations: [InstalledNode]
    var nodes: [String: Node] { server.nodes }
    mutating func take(_ notification: ClientNotification) -> [RegistrationChange] {
      defer { server.changes = [] }
      return server.changes
    }
  }

  func describe(_ host: HostDescription) throws(JACKError) { descriptions.append(host) }

  func claim(_ node: Node) throws(InterAppAudioError) {
    if let claimFailure { throw claimFailure }
    claimed.insert(node.name)
  }

  func release(_ node: Node) { claimed.remove(node.name) }

  /// The values of parameters that were written, in order.
  private(set) var parameters: [String] = []

  func setParameter(
    _ name: String,
    to value: Double,
    of node: Node,
  ) throws(InterAppAudioError) {
    parameters.append("\(node.name) \(name) \(value)")
  }

  func carryOut(
    _ event: AudioUnitRemoteControlEvent,
    _ state: inout HostTransportState,
  ) throws(JACKError) {
    orders.append(event)
  }

  var chainPorts: [any ChainPorts] { chains }
  func channels(of place: InsertPlace) -> Int { 2 }
  func isLeaving(_ chain: InsertPlace) -> Bool { false }
  func addChainPorts(at place: InsertPlace) throws { chains.append(ScriptedChain(place)) }
  func heardPorts(ofStrip strip: String) -> [String] {
    ["house-sources:\(strip)_1", "house-sources:\(strip)_2"]
  }
  func destinations(of port: String) -> [String] { [] }

  func link(_ pair: ConnectionPair) throws(JACKError) {
    attempts += 1
    if let refusal { throw refusal }
    links.insert(pair)
  }

  func unlink(_ pair: ConnectionPair) { links.remove(pair) }
  func isConnected(_ pair: ConnectionPair) -> Bool { links.contains(pair) }
  func plug(_ strip: String) {}
  func plug(_ strip: String, _ pairs: [ConnectionPair]) { plugged[strip] = pairs }
  func unplug(_ strip: String) { plugged[strip] = nil }
}

/// The ports of a chain, which fade in no time.
final class ScriptedChain: ChainPorts {
  let place: InsertPlace
  let inletNames: [String]
  let returnNames: [String]
  let sendNames: [String] = []
  let routeNames: [String] = []
  let outletNames: [String] = []
  /// Every value that was set, in order, without repetitions.
  private(set) var wets: [Double] = []
  var missCount = 0
  var missedCycleCount: Int { missCount }
  var returnFaults = InputFaults()
  var wet: Double { wets.last ?? 0 }

  init(_ place: InsertPlace) {
    self.place = place
    inletNames = (1...2).map { "house-\(place.name):in_\($0)" }
    returnNames = (1...2).map { "house-\(place.name):return_\($0)" }
  }

  func setWet(_ wet: Double) { if wet != wets.last { wets.append(wet) } }
}
