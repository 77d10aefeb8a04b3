// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import OSC
import PatchFiles
import Sessions

@testable import GraphFiles
@testable import Host
@testable import InterAppAudio
@testable import Surfaces

/// A reader of what comes from files and other programs, for the fuzzer and for its kept inputs.
///
/// Each takes any bytes: a crash, a hang, or a statement that does not hold is a fault. A plain value: [any-thread].
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// A graph file.
  case graph
  /// A line of the control socket: JSON-RPC, and the rights of guests.
  case line
  /// The file of an installed node.
  case node
  /// The list of parameters that a node publishes in JACK's metadata.
  case metadata
  /// A recorded event log.
  case events
  /// The file with a user's settings.
  case state
  /// The patch bay of qjackctl or qpwgraph, or a snapshot of aj-snapshot.
  case patches
  /// A packet of OSC.
  case osc
  /// Messages of a Mackie Control, each with its length before it.
  case midi
  /// Headers of a web request that say who may have sent it.
  case access
  /// The bytes of a connection to the web server.
  case web
  /// The bytes of a WebSocket, after its request.
  case frames

  /// Reads an input.
  ///
  /// - Parameter bytes: Any bytes.
  /// - Returns: Work on other threads that is left to do; nil if all is read.
  public func read(_ bytes: [UInt8]) -> (@Sendable () async -> Void)? {
    switch self {
    case .graph: graph(text(bytes))
    case .line: _ = LineGuest(rights: WebRights(role: .watch)).answer(to: bytes)
    case .node: _ = try? InstalledNode(text: text(bytes), path: "/nowhere/node.yaml")
    case .metadata: metadata(text(bytes))
    case .events: events(text(bytes))
    case .state: _ = try? JSONDecoder().decode(KeptState.self, from: Data(bytes))
    case .patches: _ = try? PatchImport(bytes)
    case .osc: osc(bytes)
    case .midi: midi(bytes)
    case .access: WebClaims.read(text(bytes))
    case .web: return { await WebConnection(isWebSocket: false).read(bytes) }
    case .frames: return { await WebConnection(isWebSocket: true).read(bytes) }
    }
    return nil
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func graph(_ text: String) {
    guard let graph = try? GraphFile.parse(text, path: "/nowhere/graph.yaml", files: anyFile) else {
      return
    }
    let difference = GraphDifference(from: graph, to: graph)
    precondition(difference.changes.isEmpty, "a graph differs from itself")
  }

  /// Every file is there, so that no input depends on the machine.
  private var anyFile: FileProbe { FileProbe { _ in .readable(channels: nil) } }

  private func metadata(_ text: String) {
    guard let parameters = try? NodeParameterList.parameters(text) else { return }
    let again = try? NodeParameterList.parameters(NodeParameterList.text(parameters))
    precondition(again == parameters, "a list of parameters changes when it is written")
  }

  private func events(_ text: String) {
    guard let log = try? EventLog(jsonLines: text), (try? log.checkOrder()) != nil else { return }
    _ = log.replay()
  }

  private func osc(_ bytes: [UInt8]) {
    guard let packet = try? OSCPacket(bytes: bytes) else { return }
    guard let again = try? OSCPacket(bytes: packet.bytes) else {
      preconditionFailure("a packet cannot be read again")
    }
    precondition(again.bytes == packet.bytes, "a packet changes when it is written")
  }

  private func midi(_ bytes: [UInt8]) {
    var control = MackieControl(units: [MackieUnit(), MackieUnit(model: .logic, isExtender: true)])
    for unit in 0..<2 { _ = control.react(to: .plugged(unit: unit), at: .zero) }
    var rest = bytes[...]
    var number = 0
    while let length = rest.popFirst() {
      let message = Array(rest.prefix(Int(length % 32)))
      rest = rest.dropFirst(message.count)
      number += 1
      let now = Duration.milliseconds(number)
      _ = control.react(to: .received(message, unit: Int(length / 32) % 3), at: now)
      _ = control.react(to: .tick, at: now)
    }
  }
}
