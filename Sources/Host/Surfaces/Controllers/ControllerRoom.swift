// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import JACK
internal import Logging
internal import Patchbay
internal import Surfaces
internal import Synchronization

/// The MIDI controllers of the graph: their ports, their connections as they come and go, and their messages.
///
/// Belongs to the control thread.
final class ControllerRoom {
  /// The time in which a port may get the aliases by which it is found (MID-40).
  private static let namingNanoseconds: UInt64 = 2_000_000_000
  /// The time in which all ports of a controller come.
  private static let arrivalNanoseconds: UInt64 = 100_000_000
  /// The pause between two positions of the crossfader that the rest of the host is told.
  private static let foldingPause = Duration.milliseconds(20)

  /// A surface that serves controllers.
  private struct Reader {
    let serves: (_ name: String) -> Bool
    let arrived: (any ControllerPort) -> Void
  }

  private let control: Control
  private var devices: [ControllerDevice]
  private let crossfaderMoved: () -> Void

  private var lines: ControllerLines?
  private var places: [ControllerPlace] = []
  /// The MIDI ports of other clients.
  private var ports: [String: PortInfo] = [:]
  /// The ports that have just come, with the time until which their aliases are read again.
  private var unnamed: [String: UInt64] = [:]
  /// The surfaces that serve controllers, by their kind.
  private var readers: [String: Reader] = [:]
  private var isTelling = false
  /// Whether messages and ports are taken.
  private var isListening = false
  /// The numbers of lost messages that were reported.
  private var reportedLosses: [String: Int] = [:]

  /// Makes a room without a server.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - devices: The controllers of the graph.
  ///   - crossfaderMoved: Called after a controller has moved the crossfader, every 20 ms at most.
  init(control: Control, devices: [ControllerDevice], crossfaderMoved: @escaping () -> Void) {
    self.control = control
    self.devices = devices
    self.crossfaderMoved = crossfaderMoved
  }

  /// The state of all controllers, in the order of the graph; empty without a server.
  var reports: [ControllerReport] { places.map(\.report) }

  /// The devices that are plugged in and not in the graph, by name.
  var unknownDevices: [UnknownDevice] {
    let heard = Set(places.filter(\.device.isGuest).compactMap { $0.plugged?.device })
    let taken = places.filter { !$0.device.isGuest }
      .reduce(into: Set<String>()) { $0.formUnion($1.takenPorts) }
    let all =
      places.isEmpty ? (try? control.attachment?.controllers.ports()) ?? [] : Array(ports.values)
    let names = all.compactMap { port -> String? in
      guard port.isOutput, !taken.contains(port.name) else { return nil }
      let names = DeviceName.names(ofPort: port.name, aliases: port.aliases)
      return ControllerDevice.isUnknownHardware(port, names) ? names.first?.text : nil
    }
    return Set(names).union(heard).sorted()
      .map { UnknownDevice(name: $0, isHeard: heard.contains($0)) }
  }

  /// Hands controllers to a surface, too: those that are plugged in, and each one that comes.
  ///
  /// - Parameters:
  ///   - kind: The surface, which takes the place of one of that kind.
  ///   - serves: Whether it serves the controller of a name.
  ///   - arrived: Called with each of its controllers.
  func join(
    _ kind: String,
    serving serves: @escaping (_ name: String) -> Bool = { _ in true },
    _ arrived: @escaping (any ControllerPort) -> Void,
  ) {
    let isNew = readers.updateValue(Reader(serves: serves, arrived: arrived), forKey: kind) == nil
    for place in places where serves(place.device.name) {
      if isNew {
        if let plugged = place.plugged { arrived(plugged) }
      } else if let plugged = place.replug() {
        // The surface before reads the messages of the present plug.
        tell(plugged, from: place)
      }
    }
  }

  private func tell(_ plugged: PluggedController, from place: ControllerPlace) {
    for reader in readers.values where reader.serves(place.device.name) { reader.arrived(plugged) }
  }

  /// Hands no controller to a surface any more.
  func leave(_ kind: String) { readers[kind] = nil }

  // MARK: - The server

  /// Looks for the controllers, after each attachment.
  func begin() {
    guard let server = control.attachment?.controllers, let lines = server.lines else { return }
    self.lines = lines
    places = devices.compactMap { device in
      lines.line(to: device.name).map { ControllerPlace(device: device, line: $0) }
    }
    if !places.isEmpty { listen(to: lines, on: server) }
  }

  /// Takes messages, and finds the ports that are there.
  private func listen(to lines: ControllerLines, on server: AttachedControllers) {
    isListening = true
    let isWaiting = Flag()
    let room = control.handle(to: self)
    lines.listen {
      // One call at a time: it takes all that has come.
      if isWaiting.raise() {
        room {
          isWaiting.lower()
          $0.drain()
        }
      }
    }
    // Where the server is gone by now, it is found again as a whole.
    for port in (try? server.ports()) ?? [] { note(port) }
    connectMissing()
  }

  /// Leaves the server: all controllers are unplugged.
  func end() {
    lines?.end()
    for place in places { place.unplug() }
    lines = nil
    places = []
    ports = [:]
    unnamed = [:]
    reportedLosses = [:]
    isListening = false
  }

  // MARK: - Versions of the graph

  /// Goes over to other controllers: those of both versions go on, with their device unless another one is to be found.
  ///
  /// - Parameter devices: The controllers of the version in force; their ports are registered.
  func take(_ devices: [ControllerDevice]) {
    guard devices != self.devices else { return }
    self.devices = devices
    guard let server = control.attachment?.controllers, let lines else { return }
    let before = places
    places = devices.compactMap { device in
      before.first { $0.device.name == device.name }
        ?? lines.line(to: device.name).map { ControllerPlace(device: device, line: $0) }
    }
    for place in before where !places.contains(where: { $0 === place }) {
      reportedLosses[place.device.name] = nil
      if let gone = place.unplug() { tellUnplugged(gone) }
    }
    if !isListening, !places.isEmpty { listen(to: lines, on: server) }
    for (place, device) in zip(places, devices) {
      let gone = place.take(device, port: { [ports] in ports[$0] }) { cut($0, on: server) }
      if let gone { tellUnplugged(gone) }
    }
    connectMissing()
  }

  private func cut(_ pair: ConnectionPair, on server: AttachedControllers) {
    do throws(JACKError) {
      try server.disconnect(pair)
    } catch {
      // The port may be gone by now, with its notification still to come.
      guard !error.isOfGonePort else { return }
      control.publish(.error(), "cannot disconnect \(pair.source) → \(pair.destination): \(error)")
    }
  }

  // MARK: - Notifications

  /// Handles a notification of JACK's.
  func take(_ notification: ClientNotification) {
    guard !places.isEmpty else { return }
    switch notification {
    case .portRegistered(let port):
      guard port.isMIDI, !port.isMine else { return }
      note(port)
      connectMissing()
    case .portUnregistered(let name): forget(name)
    case .portRenamed(let old, let new):
      forget(old)
      guard let port = control.attachment?.controllers.port(named: new), port.isMIDI, !port.isMine
      else { return }
      note(port)
      connectMissing()
    case .portsConnected(let source, let destination):
      connected(ConnectionPair(source: source, destination: destination))
    case .portsDisconnected(let source, let destination):
      let pair = ConnectionPair(source: source, destination: destination)
      for place in places { if let gone = place.disconnected(pair) { tellUnplugged(gone) } }
    default: break
    }
  }

  private func note(_ port: PortInfo) {
    ports[port.name] = port
    unnamed[port.name] = control.nowNanoseconds + Self.namingNanoseconds
  }

  private func forget(_ name: String) {
    unnamed[name] = nil
    guard ports.removeValue(forKey: name) != nil else { return }
    for place in places { if let gone = place.vanished(name) { tellUnplugged(gone) } }
    connectMissing()
  }

  private func connected(_ pair: ConnectionPair) {
    for place in places {
      let plugged = place.connected(pair) { [ports] name in
        DeviceName.names(ofPort: name, aliases: ports[name]?.aliases ?? []).first?.text ?? name
      }
      guard let plugged else { continue }
      control.logger.notice("controller '\(plugged.name)' is plugged in: \(plugged.device)")
      tell(plugged, from: place)
    }
  }

  private func tellUnplugged(_ gone: PluggedController) {
    control.logger.notice("controller '\(gone.name)' is unplugged: \(gone.device)")
  }

  /// Whether a port has just come, and others of its controller may follow.
  private func isNew(_ port: String) -> Bool {
    guard let deadline = unnamed[port] else { return false }
    return control.nowNanoseconds < deadline - Self.namingNanoseconds + Self.arrivalNanoseconds
  }

  private func connectMissing() {
    guard let server = control.attachment?.controllers else { return }
    for place in places {
      let taken = places.filter { $0 !== place }
        .reduce(into: Set<String>()) { $0.formUnion($1.takenPorts) }
      // A guest waits until the port's aliases are there: one of them may make it a controller of the graph.
      let found = ports.values.filter { !place.device.isGuest || unnamed[$0.name] == nil }
      for pair in place.wanted(among: found, taken: taken, isNew: isNew) {
        do throws(JACKError) {
          try server.connect(pair)
        } catch {
          place.refused(pair)
          // The port may be gone by now, with its notification still to come.
          guard !error.isOfGonePort else { continue }
          control.publish(.error(), "cannot connect \(pair.source) → \(pair.destination): \(error)")
        }
      }
    }
  }

  // MARK: - Messages

  /// Hands the messages that wait to the surfaces.
  private func drain() {
    var hasMoved = false
    for place in places { if place.drain() { hasMoved = true } }
    guard hasMoved, !isTelling else { return }
    isTelling = true
    crossfaderMoved()
    control.task { [weak self, control] in
      // Wall time: how often people see a moved control.
      await control.sleep(Self.foldingPause)
      self?.isTelling = false
      self?.crossfaderMoved()
    }
  }

  // MARK: - The timer

  /// Reads the aliases of ports that have just come, and reports messages that were lost.
  func look() {
    if !unnamed.isEmpty { readNames() }
    for place in places {
      let report = place.report
      let lost = report.lostCount - (reportedLosses[report.name] ?? 0)
      guard lost > 0 else { continue }
      reportedLosses[report.name] = report.lostCount
      control.publish(
        .error(),
        "\(lost) MIDI messages of or for controller '\(report.name)' were lost: there were too many at once",
      )
    }
  }

  private func readNames() {
    guard let server = control.attachment?.controllers else { return }
    for (name, deadline) in unnamed {
      if let port = server.port(named: name) { ports[name] = port }
      if control.nowNanoseconds >= deadline { unnamed[name] = nil }
    }
    connectMissing()
  }
}

extension JACKError {
  /// Whether the port, the server or the client has gone. [any-thread]
  fileprivate var isOfGonePort: Bool { [.noSuchPort, .serverGone, .closed].contains(code) }
}

/// Whether something is under way, for two threads. [any-thread]
private final class Flag: Sendable {
  private let isUp = Atomic(false)

  /// Raises the flag.
  ///
  /// - Returns: Whether it was down.
  func raise() -> Bool { !isUp.exchange(true, ordering: .acquiringAndReleasing) }

  /// Lowers the flag.
  func lower() { isUp.store(false, ordering: .releasing) }
}
