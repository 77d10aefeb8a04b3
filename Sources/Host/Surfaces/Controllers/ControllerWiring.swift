// SPDX-License-Identifier: MIT

internal import JACK
internal import Patchbay
internal import Surfaces

/// The connections of one controller's two ports at the host: those that are there, and those to make.
///
/// Pure value: [any-thread].
struct ControllerWiring: Sendable {
  /// The controller.
  private(set) var device: ControllerDevice
  /// The full name of the host's port that hears it.
  let inputName: String
  /// The full name of the host's port that it hears.
  let outputName: String
  /// The ports of others that the host hears.
  private(set) var sources: Set<String> = []
  /// The ports of others that hear the host.
  private(set) var destinations: Set<String> = []
  /// Connections that were made or tried since their ports came: one that a user removes stays away.
  private var tried: Set<ConnectionPair> = []
  /// Connections that were asked for, and that JACK has not reported yet.
  private var expected: Set<ConnectionPair> = []

  /// Begins without connections.
  init(device: ControllerDevice, inputName: String, outputName: String) {
    self.device = device
    self.inputName = inputName
    self.outputName = outputName
  }

  /// Whether nothing is connected.
  var isEmpty: Bool { sources.isEmpty && destinations.isEmpty }

  /// The ports of others that it is connected to, or is about to be.
  var takenPorts: Set<String> {
    let asked = tried.flatMap { [$0.source, $0.destination] }
    return sources.union(destinations).union(asked)
  }

  /// The connections to make now: to the port that fits best of those that nobody has taken.
  ///
  /// The way to the host comes first: the two together are a loop, in which JACK delays the connection that is made last
  /// by a period. So a port that only hears waits until the one that sends had time to come.
  ///
  /// - Parameters:
  ///   - ports: All MIDI ports of other clients.
  ///   - taken: The ports that other controllers of the graph are connected to.
  ///   - isNew: Whether a port has just come.
  /// - Returns: The connections, each of them once as long as its port is there.
  mutating func wanted(
    among ports: some Sequence<PortInfo>,
    taken: Set<String>,
    isNew: (_ port: String) -> Bool,
  ) -> [ConnectionPair] {
    let ranked = ports.filter { !taken.contains($0.name) }
      .compactMap { port -> (port: PortInfo, rank: Int)? in
        device.rank(of: port).map { (port, $0) }
      }
      .sorted {
        $0.rank == $1.rank
          ? NaturalOrder.areInIncreasingOrder($0.port.name, $1.port.name) : $0.rank < $1.rank
      }
      .map(\.port)
    // One that was asked for counts: its twin need not wait for JACK's report.
    let source =
      ranked.first { sources.contains($0.name) || expected.contains(incoming($0)) }
      ?? ranked.first { $0.isOutput && !tried.contains(incoming($0)) }
    var pairs: [ConnectionPair] = []
    if sources.isEmpty, !expected.contains(where: { $0.destination == inputName }), let source {
      pairs.append(incoming(source))
    }
    if destinations.isEmpty, !expected.contains(where: { $0.source == outputName }) {
      // The way back belongs to the port that is heard (MID-31).
      let names = Set(source.map(Self.names) ?? [])
      let hearing = ranked.filter { $0.isInput && !tried.contains(outgoing($0)) }
      let twin =
        hearing.first { !names.isDisjoint(with: Self.names(of: $0)) }
        ?? (device.isGuest ? nil : hearing.first)
      if let twin, source != nil || !isNew(twin.name) { pairs.append(outgoing(twin)) }
    }
    tried.formUnion(pairs)
    expected.formUnion(pairs)
    return pairs
  }

  /// Looks for another device: every connection may be tried anew.
  ///
  /// - Parameters:
  ///   - device: The controller as the version of the graph in force has it.
  ///   - isIts: Whether a port is one of the device's.
  /// - Returns: The connections that are there to ports of others.
  mutating func take(
    _ device: ControllerDevice,
    isIts: (_ port: String) -> Bool,
  ) -> [ConnectionPair] {
    self.device = device
    tried = []
    return sources.filter { !isIts($0) }
      .map { ConnectionPair(source: $0, destination: inputName) }
      + destinations.filter { !isIts($0) }
      .map { ConnectionPair(source: outputName, destination: $0) }
  }

  /// Takes the refusal of a connection.
  mutating func refused(_ pair: ConnectionPair) { expected.remove(pair) }

  /// Takes a connection that JACK reports.
  ///
  /// - Returns: The port of the other; nil for a connection of others.
  mutating func connected(_ pair: ConnectionPair) -> String? {
    expected.remove(pair)
    if pair.destination == inputName {
      sources.insert(pair.source)
      return pair.source
    }
    guard pair.source == outputName else { return nil }
    destinations.insert(pair.destination)
    return pair.destination
  }

  /// Takes the end of a connection.
  mutating func disconnected(_ pair: ConnectionPair) {
    if pair.destination == inputName { sources.remove(pair.source) }
    if pair.source == outputName { destinations.remove(pair.destination) }
  }

  /// Takes the end of a port, and of its connections: when it comes again, it is connected again.
  mutating func vanished(_ port: String) {
    tried = tried.filter { !$0.contains(port) }
    expected = expected.filter { !$0.contains(port) }
    sources.remove(port)
    destinations.remove(port)
  }

  private func incoming(_ port: PortInfo) -> ConnectionPair {
    ConnectionPair(source: port.name, destination: inputName)
  }

  private func outgoing(_ port: PortInfo) -> ConnectionPair {
    ConnectionPair(source: outputName, destination: port.name)
  }

  private static func names(of port: PortInfo) -> [DeviceName] {
    DeviceName.names(ofPort: port.name, aliases: port.aliases)
  }
}
