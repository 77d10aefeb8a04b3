// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import InterAppAudio
internal import JACK

/// The faults of nodes (IAA-6): reports faulty nodes, leaves them out, and tries late ones again.
///
/// Belongs to the control thread.
final class NodeFaults {
  private let control: Control
  private let ledger: NodeLedger
  private let chains: InsertChains
  private let server: () -> (any NodeServer)?
  /// The misses at each place, with the ports where they happened.
  private var misses: [InsertPlace: (ports: ObjectIdentifier, history: MissHistory)] = [:]

  /// Makes the faults of a ledger's nodes.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - ledger: The nodes in use.
  ///   - chains: The effects.
  ///   - server: Gives the server; nil while the host is not attached.
  init(
    control: Control,
    ledger: NodeLedger,
    chains: InsertChains,
    server: @escaping () -> (any NodeServer)?,
  ) {
    self.control = control
    self.ledger = ledger
    self.chains = chains
    self.server = server
  }

  /// Leaves a node out and publishes the reason, unless it is left out for that reason already.
  ///
  /// - Parameters:
  ///   - node: The name under which it is used.
  ///   - fault: The fault.
  func report(_ node: String, _ fault: NodeFault) {
    guard chains.fault(of: node) != fault else { return }
    control.publish(
      .nodeFault(.init(node: node, reason: fault.sentence, retrySeconds: fault.retrySeconds)),
      fault.message(of: node),
    )
    chains.setFault(fault, of: node)
    chains.settle()
  }

  // MARK: - Nodes that are late

  /// Handles a callback of a node that took longer than a period.
  func overran(_ node: Node) {
    let now = control.nowNanoseconds
    guard let name = ledger.usedName(of: node), ledger[name]?.life.client?.name == node.name,
      ledger.change(name, { $0.noteOverrun(nowNanoseconds: now) }) == true
    else { return }
    reportLate(name, .overruns)
  }

  /// Reports running nodes that are late, and bypasses those that are late several times.
  func countMisses() {
    let now = control.nowNanoseconds
    for ports in server()?.chainPorts ?? [] {
      let place = ports.place
      var history = history(of: ports)
      history.note(count: ports.missCount, nowNanoseconds: now)
      if history.takeReport(nowNanoseconds: now) {
        control.publish(
          .nodeLate(
            .init(of: place.target, misses: ports.missCount, missedCycles: ports.missedCycleCount)
          ),
          "\(place.description) has gone on without its nodes: they were not in time",
        )
      }
      let isTooFrequent = history.isTooFrequent(nowNanoseconds: now)
      if isTooFrequent { history.forgive(count: ports.missCount) }
      misses[place] = (ObjectIdentifier(ports), history)
      guard isTooFrequent else { continue }
      for node in chains.nodes(at: place) { reportLate(node, .misses(place)) }
    }
  }

  /// Clears the miss history of places that use this node, because its end or stop explains the misses.
  func forgiveMisses(of node: String) {
    for ports in server()?.chainPorts ?? [] where chains.nodes(at: ports.place).contains(node) {
      var history = history(of: ports)
      history.forgive(count: ports.missCount)
      misses[ports.place] = (ObjectIdentifier(ports), history)
    }
  }

  private func history(of ports: any ChainPorts) -> MissHistory {
    guard let entry = misses[ports.place], entry.ports == ObjectIdentifier(ports) else {
      return MissHistory()
    }
    return entry.history
  }

  /// Bypasses a late effect, and publishes when it is tried again; a late source is only reported.
  private func reportLate(_ node: String, _ reason: NodeFault.LateReason) {
    guard !chains.places(of: node).isEmpty, ledger[node] != nil else {
      return report(node, .late(reason, .none))
    }
    let now = control.nowNanoseconds
    let remedy = ledger.change(node) { $0.noteLate(nowNanoseconds: now) } ?? nil
    if let remedy { report(node, .late(reason, remedy)) }
  }

  /// Ends the bypass of late effects whose waiting time is over; called by the host's timer.
  func retryLate() {
    let now = control.nowNanoseconds
    for name in ledger.names {
      guard ledger.change(name, { $0.isRetryDue(nowNanoseconds: now) }) == true,
        chains.clearFaults(of: name, where: \.isLate)
      else { continue }
      control.publish(
        .mixChanged(.triedAgain(node: name)),
        "effect '\(name)' was too late, and is tried again",
      )
      chains.settle()
    }
  }
}
