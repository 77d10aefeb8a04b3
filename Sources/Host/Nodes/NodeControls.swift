// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import InterAppAudio

/// A parameter of a node in use, with its present value.
///
/// Pure value: [any-thread].
struct NodeControl: Sendable {
  /// The name under which the node is used.
  let node: String
  let parameter: NodeParameter
}

/// The parameters of the nodes in use, and the values that users have set: a node that is started again gets them again.
///
/// Each value is a property in JACK's metadata, which costs the server work and wakes all clients. So values are folded, and only
/// a few are written at a time. Belongs to the control thread.
final class NodeControls {
  /// The shortest time between two groups of values.
  static let foldNanoseconds: UInt64 = 20_000_000
  /// The greatest number of values in a group.
  static let groupLimit = 4

  private struct Place: Hashable {
    let node: String
    let parameter: String
  }

  private let control: Control
  private let ledger: NodeLedger
  private let server: () -> (any NodeServer)?
  /// The values that users have set, or that were seen to be set elsewhere.
  private var wanted: [String: [String: Double]] = [:]
  /// The parameters whose wanted value is not written yet, the first one to be written first.
  private var waiting: [Place] = []
  private var reportedFaults: [String: String] = [:]
  private lazy var sending = Folding(
    control: control,
    intervalNanoseconds: Self.foldNanoseconds
  ) { [unowned self] in send() }

  /// Knows no values yet.
  init(control: Control, ledger: NodeLedger, server: @escaping () -> (any NodeServer)?) {
    self.control = control
    self.ledger = ledger
    self.server = server
  }

  /// The parameters of all nodes that run and are in use, by node, in the order of their lists.
  var all: [NodeControl] {
    ledger.names.flatMap { name in
      (ledger.admitted(name)?.description.parameters ?? []).map { parameter in
        NodeControl(node: name, parameter: present(parameter, of: name))
      }
    }
  }

  /// One parameter of a node in use; nil if the node does not run, or has no such one.
  func find(_ node: String, _ parameter: String) -> NodeParameter? {
    guard ledger[node] != nil else { return nil }
    return ledger.admitted(node)?.description.parameters.first { $0.name == parameter }
      .map { present($0, of: node) }
  }

  private func present(_ parameter: NodeParameter, of node: String) -> NodeParameter {
    var parameter = parameter
    if let value = wanted[node]?[parameter.name], parameter.allows(value) {
      parameter.value = value
    }
    return parameter
  }

  /// Sets a parameter; the value is written soon, unless a later one replaces it.
  ///
  /// - Throws: `badValue` for a parameter that is not there, or a value that it does not allow.
  func set(_ value: Double, of parameter: String, ofNode node: String) throws(ControlError) {
    guard let found = find(node, parameter) else {
      throw ControlError(
        .badValue,
        place: "parameter",
        fault: "node '\(node)' does not run, or has no parameter '\(parameter)'",
        allowed: ledger.admitted(node)?.description.parameters.map(\.name).joined(separator: ", ")
          ?? "a node that runs",
      )
    }
    guard found.allows(value) else {
      throw ControlError(
        .badValue,
        place: parameter,
        fault: "'\(value)' is not one of its values",
        allowed: "\(found.range.lowerBound) to \(found.range.upperBound)",
      )
    }
    wanted[node, default: [:]][parameter] = value
    wait(Place(node: node, parameter: parameter))
  }

  /// Takes in the value that a node has got.
  func changed(_ parameter: NodeParameter, ofNode node: String) {
    // A value that waits is later than the one that comes back now.
    guard !waiting.contains(Place(node: node, parameter: parameter.name)) else { return }
    wanted[node, default: [:]][parameter.name] = parameter.value
  }

  /// Gives a node that has come the values that it had before.
  func came(_ name: String, _ node: Node) {
    if reportedFaults[name] != node.parameterFault {
      reportedFaults[name] = node.parameterFault
      if let fault = node.parameterFault {
        control.publish(.error(), "the parameters of node '\(name)' are left out: \(fault)")
      }
    }
    for parameter in node.description.parameters {
      guard let value = wanted[name]?[parameter.name], value != parameter.value,
        parameter.allows(value)
      else { continue }
      wait(Place(node: name, parameter: parameter.name))
    }
  }

  // MARK: - Writing

  private func wait(_ place: Place) {
    if !waiting.contains(place) { waiting.append(place) }
    sendSoon()
  }

  /// Writes what waits, now or when enough time has gone by.
  func sendSoon() {
    // jackd would pass the change on to a stopped node too.
    if !waiting.isEmpty, !ledger.haveStopped { sending.ask() }
  }

  private func send() {
    guard !ledger.haveStopped, let server = server() else { return }
    let group = waiting.prefix(Self.groupLimit)
    waiting.removeFirst(group.count)
    for place in group {
      // A node that has gone meanwhile gets the value when it is back.
      guard let node = ledger.admitted(place.node),
        let value = wanted[place.node]?[place.parameter]
      else { continue }
      do throws(InterAppAudioError) {
        try server.setParameter(place.parameter, to: value, of: node)
      } catch {
        control.publish(.error(), "node '\(place.node)': \(error.message)")
      }
    }
    sendSoon()
  }
}
