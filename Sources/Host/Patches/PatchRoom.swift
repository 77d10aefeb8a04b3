// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Patchbay

/// The patch rules of the graph: connections between any ports that the host makes, leaves out or cuts.
///
/// Permissions win over rules: a capture is offered through a gate, and an output with a microphone is not connected to a program
/// without a yes. Two programs that insist on different connections are not fought for ever. Belongs to the control thread.
final class PatchRoom {
  /// The connections of this room to other rooms.
  struct Links {
    /// Whether the host may make a connection; a capture that needs a permission is offered through a gate instead.
    var permits: (ConnectionPair) -> Bool
  }

  /// How often a rule has cut connections, and whether it has given way.
  struct Acts: Sendable {
    var cuts = 0
    var hasGivenWay = false
  }

  /// With more clients than this that were cut, those that have been quiet are forgotten.
  private static let insistentLimit = 256

  private let control: Control
  private let connectsPorts: Bool
  private let links: Links
  private var keeper = PatchKeeper()
  /// How often each connection was made again, and each port defended.
  private var budgets: [String: EnforcementBudget] = [:]
  /// The cuts of denied connections that are reported one by one.
  private var insistence: [String: Insistence] = [:]
  private var acts: [Int: Acts] = [:]
  private var toldOverfull: Set<Int> = []

  /// Makes a room with the rules of a graph; ``read()`` reads the server.
  init(control: Control, graph: GraphFile, connectsPorts: Bool, links: Links) {
    self.control = control
    self.connectsPorts = connectsPorts
    self.links = links
    keeper.take(graph.patches)
  }

  // MARK: - Rules

  /// Replaces the rules; connections that earlier rules have made stay.
  func take(_ rules: [GraphFile.PatchRule]) {
    guard rules != keeper.rules || rules.map(\.line) != keeper.rules.map(\.line) else { return }
    let isFirst = !keeper.hasRules
    keeper.take(rules)
    if isFirst { read() }
    acts.removeAll()
    budgets.removeAll()
    insistence.removeAll()
    toldOverfull.removeAll()
    enforce()
    if connectsPorts { control.attachment?.connections.retryLeftOut() }
  }

  // MARK: - The server

  /// Reads the ports of a server that the host has just attached to, and with rules their connections; makes and cuts nothing yet.
  func read() {
    budgets.removeAll()
    guard let connections = control.attachment?.connections else { return }
    do throws(JACKError) {
      let ports = try connections.allPorts()
      let outputs = keeper.hasRules ? ports.filter(\.isOutput) : []
      let pairs = outputs.flatMap { port in
        connections.others(of: port.name).map {
          ConnectionPair(source: port.name, destination: $0)
        }
      }
      keeper.reset(ports: ports, connections: pairs, ownClients: connections.ownClients)
    } catch {
      control.publish(.error(), "the patch rules wait: the ports cannot be read: \(error)")
    }
  }

  /// Cuts what the rules forbid, and makes what they ask for, after attaching or with new rules.
  func enforce() {
    guard connectsPorts, keeper.hasRules else { return }
    for cut in keeper.forbidden() { remove(cut) }
    settle()
  }

  /// A port has come or changed.
  func appeared(_ port: PortInfo) {
    keeper.portAppeared(port, nowNanoseconds: control.nowNanoseconds)
  }

  /// A port has gone.
  func vanished(_ port: String) {
    keeper.portVanished(port)
    budgets = budgets.filter { !$0.key.contains(port) }
  }

  /// A port has another name: its connections stay, and other rules may mean them.
  func renamed(_ old: String, to new: String) {
    guard let pairs = keeper.portRenamed(old, to: new) else {
      vanished(old)
      control.attachment?.connections.portInfo(new).map { appeared($0) }
      return
    }
    for pair in pairs { connected(pair, isHosts: true) }
  }

  /// Takes in the ports and connections as they are, where no reports tell them.
  func readAnew() {
    let hands = keeper.handsMade
    read()
    keeper.keepHands(hands)
    enforce()
  }

  /// Two ports were connected: what the rules forbid is cut at once.
  func connected(_ pair: ConnectionPair, isHosts: Bool) {
    let now = control.nowNanoseconds
    let cuts = keeper.connected(pair, isHosts: isHosts, nowNanoseconds: now)
    guard connectsPorts else { return }
    for cut in cuts where mayCut(cut) { remove(cut) }
  }

  /// Two ports were disconnected.
  func disconnected(_ pair: ConnectionPair, isHosts: Bool) {
    keeper.disconnected(pair, isHosts: isHosts, nowNanoseconds: control.nowNanoseconds)
  }

  /// Makes the connections that the rules ask for, after a burst of notifications and with the timer.
  func settle() {
    guard connectsPorts else { return }
    for pair in keeper.missing(nowNanoseconds: control.nowNanoseconds) { make(pair) }
    for rule in keeper.overfullRules where toldOverfull.insert(rule).inserted {
      control.publish(
        .error(),
        "\(name(of: rule)) asks for more than \(PatchKeeper.limitOfRule) connections; the others are left out",
      )
    }
  }

  // MARK: - Acts

  private func make(_ pair: ConnectionPair) {
    guard let connections = control.attachment?.connections,
      let rule = keeper.rule(askingFor: pair)
    else { return }
    guard links.permits(pair) else { return keeper.refuse(pair) }
    guard keeper.rules[rule].keep == .appear || spend("\(pair.source) \(pair.destination)") else {
      return giveWay(rule, on: pair.source, keeping: "disconnected from \(pair.destination)", pair)
    }
    keeper.make(pair)
    do throws(JACKError) {
      switch try connections.join(pair) {
      case .connected: break
      case .ignored: keeper.refuse(pair)
      default: keeper.found(pair)
      }
    } catch {
      keeper.refuse(pair)
      // The port may be gone by now, with its notification still to come.
      guard error.code != .noSuchPort, error.code != .serverGone, error.code != .closed else {
        return
      }
      control.publish(
        .error(),
        "\(name(of: rule)): cannot connect \(pair.source) → \(pair.destination): \(error)",
      )
    }
  }

  /// Whether a connection is cut, or the host gives way to a program that insists; denied ones are always cut.
  private func mayCut(_ cut: PatchKeeper.Cut) -> Bool {
    guard let newcomer = cut.newcomer else { return true }
    let shared = [newcomer.source, newcomer.destination].first(where: cut.pair.contains)
    // Each newcomer has a budget of its own: three different ones are no program that insists.
    guard let port = shared, !spend("\(port) \(newcomer.source) \(newcomer.destination)") else {
      return true
    }
    giveWay(cut.rule, on: port, keeping: "connected several times", nil)
    return false
  }

  private func spend(_ key: String) -> Bool {
    budgets[key, default: EnforcementBudget()].spend(nowNanoseconds: control.nowNanoseconds)
  }

  private func giveWay(_ rule: Int, on port: String, keeping: String, _ pair: ConnectionPair?) {
    if let pair { keeper.refuse(pair) }
    acts[rule, default: Acts()].hasGivenWay = true
    control.publish(
      .gaveWay(.patch(of: port, line: keeper.rules[rule].line)),
      "another program insists: \(port) stays \(keeping); \(name(of: rule)) gives way until the port appears again",
    )
  }

  private func remove(_ cut: PatchKeeper.Cut) {
    guard let connections = control.attachment?.connections else { return }
    keeper.cut(cut)
    do throws(JACKError) {
      try connections.forbid(cut.pair)
    } catch {
      keeper.cutFailed(cut.pair)
      guard error.code != .notConnected, error.code != .noSuchPort else { return }
      control.publish(
        .error(),
        "\(name(of: cut.rule)): cannot take \(cut.pair.source) from \(cut.pair.destination): \(error)",
      )
      return
    }
    acts[cut.rule, default: Acts()].cuts += 1
    tell(cut)
  }

  /// Reports a cut; of a program that insists, only its first attempts.
  private func tell(_ cut: PatchKeeper.Cut) {
    let now = control.nowNanoseconds
    if insistence.count > Self.insistentLimit {
      insistence = insistence.filter { !$0.value.isQuiet(nowNanoseconds: now) }
    }
    let client = JACKNames.client(of: cut.pair.source) ?? cut.pair.source
    let count = insistence[client, default: Insistence()].note(cut.pair, nowNanoseconds: now)
    let text = "\(name(of: cut.rule)) has cut \(cut.pair.source) → \(cut.pair.destination)"
    switch count {
    case .few: publish(cut.pair, text)
    case .enough: publish(cut.pair, text + "; further attempts are cut, and not reported")
    case .more: break
    }
  }

  private func publish(_ pair: ConnectionPair, _ text: String) {
    control.publish(.mixChanged(.disconnected(pair.source, from: pair.destination)), text)
  }

  private func name(of rule: Int) -> String { keeper.rules[rule].name }

  // MARK: - Questions

  /// Whether the host does not make a connection itself, whatever asks for it.
  func leavesOut(_ pair: ConnectionPair) -> Bool { keeper.leavesOut(pair) }

  /// The rule that denies a connection; nil where none does.
  func denial(of pair: ConnectionPair) -> GraphFile.PatchRule? {
    keeper.denial(of: pair).map { keeper.rules[$0] }
  }

  /// The rule that asks for a connection; nil where none does.
  func rule(askingFor pair: ConnectionPair) -> GraphFile.PatchRule? {
    keeper.rule(askingFor: pair).map { keeper.rules[$0] }
  }

  /// The connections of a client that rules ask for, in a sentence each.
  func explanations(ofClient client: String) -> [String] {
    let asked = keeper.asked.filter { pair, _ in
      [pair.source, pair.destination].contains { JACKNames.client(of: $0) == client }
    }
    return asked.sorted { $0.key < $1.key }.map { pair, rule in
      let state =
        keeper.isConnected(pair)
        ? "is connected by \(name(of: rule))"
        : "is not connected, although \(name(of: rule)) asks for it: "
          + "it was taken away, needs a permission, or its port is another rule's"
      return "\(pair.source) → \(pair.destination) \(state)"
    }
  }

  /// The connections that users have made and removed by hand, between ports that are not the host's or against rules.
  var handStates: [ConnectionPair: GraphFile.PatchState] { keeper.handStates }

  /// The rules for `status`.
  var statuses: [PatchRuleStatus] {
    let counts = keeper.connectionCounts
    return keeper.rules.enumerated().map { index, rule in
      PatchRuleStatus(
        line: rule.line,
        rule: rule.text,
        connections: counts[index] ?? 0,
        cuts: acts[index]?.cuts ?? 0,
        gaveWay: acts[index]?.hasGivenWay ?? false,
      )
    }
  }
}

extension GraphFile.PatchRule {
  /// The rule as messages name it. [any-thread]
  var name: String { line > 0 ? "the patch rule in line \(line)" : "the patch rule \(text)" }
}
