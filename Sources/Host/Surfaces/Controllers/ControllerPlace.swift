// SPDX-License-Identifier: MIT

internal import JACK
internal import Patchbay
internal import Surfaces

/// A controller of the graph, with what is plugged in for it.
///
/// Belongs to the control thread.
final class ControllerPlace {
  /// The controller.
  private(set) var device: ControllerDevice
  /// The line to it.
  let line: ControllerLine
  /// The ports of others that the host hears.
  private(set) var sources: Set<String> = []
  /// The ports of others that hear the host.
  private(set) var destinations: Set<String> = []
  /// The controller while it is plugged in.
  private(set) var plugged: PluggedController?
  /// The last message; nil before the first.
  private(set) var lastMessage: MIDIMessage?
  /// The messages that came.
  private(set) var receivedCount = 0
  /// Messages that its surface did not read in time.
  private(set) var unreadCount = 0
  /// Connections that were made or tried since their ports came: one that a user removes stays away.
  private var tried: Set<ConnectionPair> = []
  /// Connections that were asked for, and that JACK has not reported yet.
  private var expected: Set<ConnectionPair> = []

  init(device: ControllerDevice, line: ControllerLine) {
    self.device = device
    self.line = line
  }

  /// Its state.
  var report: ControllerReport {
    ControllerReport(
      name: device.name,
      device: plugged?.device,
      inputPort: line.inputName,
      outputPort: line.outputName,
      sources: sources.sorted(),
      destinations: destinations.sorted(),
      lastMessage: lastMessage,
      receivedCount: receivedCount,
      lostCount: line.lostCount + unreadCount,
    )
  }

  // MARK: - Finding

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
  func wanted(
    among ports: some Sequence<PortInfo>,
    taken: Set<String>,
    isNew: (_ port: String) -> Bool,
  ) -> [ConnectionPair] {
    let ranked = ports.filter { !taken.contains($0.name) }
      .compactMap { port in device.rank(of: port).map { (port: port, rank: $0) } }
      .sorted {
        $0.rank == $1.rank
          ? NaturalOrder.areInIncreasingOrder($0.port.name, $1.port.name) : $0.rank < $1.rank
      }
      .map(\.port)
    let source =
      ranked.first { sources.contains($0.name) }
      ?? ranked.first { $0.isOutput && !tried.contains(incoming($0)) }
    var pairs: [ConnectionPair] = []
    if sources.isEmpty, !expected.contains(where: { $0.destination == line.inputName }), let source
    {
      pairs.append(incoming(source))
    }
    if destinations.isEmpty, !expected.contains(where: { $0.source == line.outputName }) {
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

  /// Takes the refusal of a connection.
  func refused(_ pair: ConnectionPair) { expected.remove(pair) }

  private func incoming(_ port: PortInfo) -> ConnectionPair {
    ConnectionPair(source: port.name, destination: line.inputName)
  }

  private func outgoing(_ port: PortInfo) -> ConnectionPair {
    ConnectionPair(source: line.outputName, destination: port.name)
  }

  private static func names(of port: PortInfo) -> [DeviceName] {
    DeviceName.names(ofPort: port.name, aliases: port.aliases)
  }

  // MARK: - Versions of the graph

  /// Looks for another device under the same name; the one that is connected stays if it fits.
  ///
  /// - Parameters:
  ///   - device: The controller as the version in force has it.
  ///   - port: Gives the port of a name.
  ///   - cut: Cuts a connection to a port that is not the device's.
  /// - Returns: The controller, if it was unplugged by that.
  func take(
    _ device: ControllerDevice,
    port: (_ name: String) -> PortInfo?,
    cut: (ConnectionPair) -> Void,
  ) -> PluggedController? {
    guard device != self.device else { return nil }
    self.device = device
    tried = []
    func isOther(_ name: String) -> Bool { port(name).flatMap(device.rank) == nil }
    let pairs =
      sources.filter(isOther).map { ConnectionPair(source: $0, destination: line.inputName) }
      + destinations.filter(isOther).map {
        ConnectionPair(source: line.outputName, destination: $0)
      }
    var gone: PluggedController?
    for pair in pairs {
      cut(pair)
      // JACK's report comes later, and another device may be found by then.
      gone = disconnected(pair) ?? gone
    }
    return gone
  }

  /// Plugs the device in once more, for another surface.
  ///
  /// - Returns: The controller; nil where none is plugged in.
  func replug() -> PluggedController? {
    guard let former = unplug() else { return nil }
    plugged = PluggedController(name: former.name, device: former.device, line: line)
    return plugged
  }

  // MARK: - What JACK reports

  /// Takes a connection.
  ///
  /// - Parameters:
  ///   - pair: The ports.
  ///   - device: The device behind a port.
  /// - Returns: The controller, if it was plugged in by that.
  func connected(
    _ pair: ConnectionPair,
    device: (_ port: String) -> String,
  ) -> PluggedController? {
    expected.remove(pair)
    let other: String
    if pair.destination == line.inputName {
      other = pair.source
      sources.insert(other)
    } else if pair.source == line.outputName {
      other = pair.destination
      destinations.insert(other)
      line.setOutputConnected(true)
    } else {
      return nil
    }
    guard plugged == nil else { return nil }
    let found = device(other)
    let name = self.device.isGuest ? GuestController.name(ofDevice: found) : line.name
    plugged = PluggedController(name: name, device: found, line: line)
    return plugged
  }

  /// Takes the end of a connection.
  ///
  /// - Returns: The controller, if it was unplugged by that.
  func disconnected(_ pair: ConnectionPair) -> PluggedController? {
    if pair.destination == line.inputName { sources.remove(pair.source) }
    if pair.source == line.outputName {
      destinations.remove(pair.destination)
      if destinations.isEmpty { line.setOutputConnected(false) }
    }
    return sources.isEmpty && destinations.isEmpty ? unplug() : nil
  }

  /// Takes the end of a port, and of its connections: when it comes again, it is connected again.
  ///
  /// - Returns: The controller, if it was unplugged by that.
  func vanished(_ port: String) -> PluggedController? {
    tried = tried.filter { !$0.contains(port) }
    expected = expected.filter { !$0.contains(port) }
    // A port has one direction, so one of these is nothing.
    let heard = disconnected(ConnectionPair(source: port, destination: line.inputName))
    return heard ?? disconnected(ConnectionPair(source: line.outputName, destination: port))
  }

  /// Unplugs the controller.
  ///
  /// - Returns: It; nil where none was plugged in.
  @discardableResult
  func unplug() -> PluggedController? {
    defer { plugged = nil }
    plugged?.end()
    return plugged
  }

  // MARK: - Messages

  /// Hands all messages that wait to the surface.
  ///
  /// - Returns: Whether any of them has moved the crossfader.
  func drain() -> Bool {
    var hasMoved = false
    while let message = line.receive() {
      lastMessage = message
      receivedCount += 1
      if message.crossfaderPosition != nil { hasMoved = true }
      if plugged?.present(message) == false { unreadCount += 1 }
    }
    return hasMoved
  }
}
