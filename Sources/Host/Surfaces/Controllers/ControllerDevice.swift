// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK
internal import Surfaces

/// A MIDI controller that the host looks for.
///
/// Pure value: [any-thread].
struct ControllerDevice: Sendable, Equatable {
  /// The names of ports that are the controller's.
  enum Ports: Sendable, Equatable {
    /// Those with these words in the name of device and port.
    case words(String)
    /// Those of which a name or an alias matches, or the name of device and port.
    case matching(PortPattern)
    /// Those of any hardware that is no other controller's.
    case anyHardware
  }

  /// The controllers that a host hears beside those of its graph.
  static let guests = (1...4).map { ControllerDevice(name: "guest.\($0)", ports: .anyHardware) }

  /// The rate of a DIN cable, in bytes per second, with a reserve.
  static let dinBytesPerSecond = 3_000

  /// The name in the graph, a part of the names of the host's ports.
  let name: String
  /// The ports.
  let ports: Ports
  /// The fastest rate at which the host sends to it.
  let bytesPerSecond: Int

  /// Makes a controller.
  init(name: String, ports: Ports, bytesPerSecond: Int = dinBytesPerSecond) {
    self.name = name
    self.ports = ports
    self.bytesPerSecond = bytesPerSecond
  }

  /// The controller that a graph names.
  init(_ controller: GraphFile.Controller) {
    switch controller.device {
    case .name(let words): self.init(name: controller.name, ports: .words(words))
    case .pattern(let pattern): self.init(name: controller.name, ports: .matching(pattern))
    }
  }

  /// How well a port fits: 0 is best; nil for one that is not the controller's.
  func rank(of port: PortInfo) -> Int? {
    let names = DeviceName.names(ofPort: port.name, aliases: port.aliases)
    switch ports {
    case .words(let words): return names.compactMap { $0.rank(of: words) }.min()
    case .matching(let pattern):
      let all = [port.name] + port.aliases + names.map(\.text)
      return all.contains(where: pattern.matches) ? 0 : nil
    case .anyHardware: return Self.isUnknownHardware(port, names) ? 0 : nil
    }
  }

  /// Whether it takes what no other controller has.
  var isGuest: Bool { if case .anyHardware = ports { true } else { false } }

  /// Whether a port can be a controller of which nothing is known; ALSA's loop to itself is none.
  static func isUnknownHardware(_ port: PortInfo, _ names: [DeviceName]) -> Bool {
    port.isPhysical && !names.contains { $0.rank(of: "Midi Through") != nil }
  }
}

/// A device that is plugged in and not in the graph.
///
/// Pure value: [any-thread].
struct UnknownDevice: Sendable, Hashable {
  /// The device's name on JACK.
  var name: String
  /// Whether the host hears it.
  var isHeard: Bool
}

/// The state of a controller of the graph.
///
/// Pure value: [any-thread].
struct ControllerReport: Sendable, Equatable {
  /// The name in the graph.
  var name: String
  /// The device's name on JACK; nil while none is plugged in.
  var device: String?
  /// The full name of the host's port that hears it.
  var inputPort: String
  /// The full name of the host's port that it hears.
  var outputPort: String
  /// The ports of others that the host hears.
  var sources: [String]
  /// The ports of others that hear the host.
  var destinations: [String]
  /// The last message, with its frame; nil before the first.
  var lastMessage: MIDIMessage?
  /// The messages that came since the host began.
  var receivedCount: Int
  /// Messages in either direction that were dropped because there was no room.
  var lostCount: Int
}
