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
  /// The controller while it is plugged in.
  private(set) var plugged: PluggedController?
  /// The last message; nil before the first.
  private(set) var lastMessage: MIDIMessage?
  /// The messages that came.
  private(set) var receivedCount = 0
  /// Messages that its surface did not read in time.
  private(set) var unreadCount = 0
  private var wiring: ControllerWiring

  init(device: ControllerDevice, line: ControllerLine) {
    self.device = device
    self.line = line
    wiring = ControllerWiring(
      device: device,
      inputName: line.inputName,
      outputName: line.outputName,
    )
  }

  /// Its state.
  var report: ControllerReport {
    ControllerReport(
      name: device.name,
      device: plugged?.device,
      inputPort: line.inputName,
      outputPort: line.outputName,
      sources: wiring.sources.sorted(),
      destinations: wiring.destinations.sorted(),
      lastMessage: lastMessage,
      receivedCount: receivedCount,
      lostCount: line.lostCount + unreadCount,
    )
  }

  // MARK: - Finding

  /// The ports of others that it is connected to, or is about to be.
  var takenPorts: Set<String> { wiring.takenPorts }

  /// The connections to make now, as ``ControllerWiring/wanted(among:taken:isNew:)`` says.
  func wanted(
    among ports: some Sequence<PortInfo>,
    taken: Set<String>,
    isNew: (_ port: String) -> Bool,
  ) -> [ConnectionPair] { wiring.wanted(among: ports, taken: taken, isNew: isNew) }

  /// Takes the refusal of a connection.
  func refused(_ pair: ConnectionPair) { wiring.refused(pair) }

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
    let pairs = wiring.take(device) { name in port(name).flatMap(device.rank) != nil }
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
    guard let other = wiring.connected(pair) else { return nil }
    line.setOutputConnected(!wiring.destinations.isEmpty)
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
    wiring.disconnected(pair)
    return unplugIfAlone()
  }

  /// Takes the end of a port, and of its connections: when it comes again, it is connected again.
  ///
  /// - Returns: The controller, if it was unplugged by that.
  func vanished(_ port: String) -> PluggedController? {
    wiring.vanished(port)
    return unplugIfAlone()
  }

  private func unplugIfAlone() -> PluggedController? {
    line.setOutputConnected(!wiring.destinations.isEmpty)
    return wiring.isEmpty ? unplug() : nil
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
