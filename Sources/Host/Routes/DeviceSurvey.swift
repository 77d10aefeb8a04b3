// SPDX-License-Identifier: MIT

internal import FoundationEssentials
public import GraphFiles
internal import JACK
internal import Patchbay
internal import Sessions
internal import SystemSupport

/// The ports and cards of this machine that can be routes, and their use in a graph. [any-thread]
public struct DeviceSurvey: Codable, Sendable {
  /// The ports of a JACK client, or a device of a sound card.
  public struct Entry: Codable, Sendable, Hashable {
    /// `jack` or `alsa`.
    public let kind: String
    /// The client's name, or ALSA's name of the device.
    public let name: String
    /// Its name for people.
    public let description: String
    /// `output` or `input`, seen from the host.
    public let direction: String
    /// The ports; empty for a device.
    public let ports: [String]
    /// The type of a route to it that gives no `type`.
    public let type: String
    /// Its use in the graph.
    public let use: String
    /// A route to paste into a graph file; nil for the ports of a bridge, because a route names the bridge's
    /// device.
    public let block: String?
  }

  /// A route of the graph whose ports or device are missing.
  public struct Missing: Codable, Sendable, Hashable {
    /// The route's name.
    public let route: String
    /// The ports or device that it names.
    public let wants: String
    /// The route on which it is heard meanwhile; nil without one, or if that is missing too.
    public fileprivate(set) var fallback: String?
    /// The line to write for the route in the graph file, so that it uses ports that are there; nil without any.
    public fileprivate(set) var line: String?
  }

  /// The server's name and kind; nil if no server answers.
  public private(set) var server: String?
  /// Whether PipeWire drives the cards, so that every card is a JACK client already.
  public private(set) var isPipeWire = false
  /// The ports and devices found.
  public private(set) var entries: [Entry] = []
  /// The routes whose ports or devices are missing.
  public private(set) var missing: [Missing] = []
  /// The JACK clients that only play: programs, no effects and no cards.
  public private(set) var programs: [String] = []

  /// Surveys this machine.
  ///
  /// - Parameters:
  ///   - graph: The graph that decides the use of each entry.
  ///   - server: The server's name; nil for JACK's default.
  public init(graph: GraphFile?, server: String?) {
    let found = Self.jackPorts(server: server)
    let ports = found?.ports
    let identity = ServerIdentity.find(name: server)
    self.init(
      graph: graph,
      ports: ports ?? [],
      bridges: found?.bridges ?? [],
      devices: Machine().soundDevices(),
      isPipeWire: identity.kind == .pipewire && ports != nil,
      server: ports.map { _ in "\(identity.name) (\(identity.kind.rawValue))" },
    )
  }

  init(
    graph: GraphFile?,
    ports: [PortInfo],
    bridges: Set<String> = [],
    devices: [SoundDevice],
    isPipeWire: Bool,
    server: String?,
  ) {
    self.server = server
    self.isPipeWire = isPipeWire
    let candidates = ports.filter { $0.isAudio && Self.standsForDevice($0) }
    let groups = Dictionary(grouping: candidates) { Group(client: $0.client, isOutput: $0.isInput) }
    for (group, members) in groups.sorted(by: { $0.key < $1.key }) {
      entries.append(Self.entry(group, members, graph, bridges.contains(group.client)))
    }
    for device in devices {
      if device.canPlay { entries.append(Self.entry(device, true, graph, ports, isPipeWire)) }
      if device.canCapture { entries.append(Self.entry(device, false, graph, ports, isPipeWire)) }
    }
    programs = Self.programs(ports.filter(\.isAudio))
    missing = (graph?.routes ?? []).compactMap { Self.missing($0, ports, devices) }
    addLines(for: graph)
    let wanted = Dictionary(uniqueKeysWithValues: missing.map { ($0.route, $0.fallback) })
    for index in missing.indices {
      var seen: Set<String> = []
      // The fallback is missing too, and may have a fallback itself.
      while let next = missing[index].fallback, let further = wanted[next] {
        missing[index].fallback = seen.insert(next).inserted ? further : nil
      }
    }
  }

  /// Adds the lines for routes whose ports have other names here: each takes ports that no other route uses.
  private mutating func addLines(for graph: GraphFile?) {
    var free = entries.filter { $0.kind == "jack" && $0.block != nil && !$0.use.hasPrefix("route") }
      .map { (direction: $0.direction, ports: $0.ports) }
    for index in missing.indices {
      guard let route = graph?.routes.first(where: { $0.name == missing[index].route }),
        route.helper == nil
      else { continue }
      let direction = route.direction == .output ? "output" : "input"
      guard
        let place = free.firstIndex(where: {
          $0.direction == direction && $0.ports.count >= route.channels
        })
      else { continue }
      missing[index].line = route.line(with: free[place].ports)
      free[place].ports.removeFirst(route.channels)
    }
  }

  // MARK: - JACK

  private struct Group: Hashable, Comparable {
    let client: String
    /// Whether the host plays to it.
    let isOutput: Bool

    static func < (first: Group, second: Group) -> Bool {
      (first.client, first.isOutput ? 0 : 1) < (second.client, second.isOutput ? 0 : 1)
    }
  }

  /// All ports, and the clients that are bridges of MultiRoute.
  private static func jackPorts(server: String?) -> (ports: [PortInfo], bridges: Set<String>)? {
    guard let client = try? OpenedClient.open(name: "multiroute-devices", server: server),
      let ports = try? client.connection.ports(kind: AudioKind.self)
    else { return nil }
    let mark = MetadataKey(rawValue: "urn:multiroute:bridge:lock")
    let bridges = Set(ports.filter(standsForDevice).map(\.client)).filter { name in
      guard let uuid = try? client.connection.uuid(ofClient: name) else { return false }
      return (try? client.connection.metadata(for: mark, of: uuid)) != nil
    }
    return (ports, bridges)
  }

  /// PipeWire does not mark its virtual devices as physical, but their ports are named like a device's.
  private static func standsForDevice(_ port: PortInfo) -> Bool {
    port.isPhysical || JACKLibrary.isPipeWire && DevicePorts.isNamedLikeDevice(port.name)
  }

  /// The clients with outputs alone; one named after another with a dash, as a host's source client is, belongs to that one.
  private static func programs(_ ports: [PortInfo]) -> [String] {
    let others = Dictionary(grouping: ports, by: \.client)
    return others.filter { client, ports in
      !ports.contains { $0.isInput || standsForDevice($0) }
        && !others.keys.contains { client.hasPrefix($0 + "-") }
    }.keys.sorted(by: NaturalOrder.areInIncreasingOrder)
  }

  private static func entry(
    _ group: Group,
    _ members: [PortInfo],
    _ graph: GraphFile?,
    _ isBridge: Bool,
  ) -> Entry {
    let names = DevicePorts.inOrder(
      members.map(\.name).sorted(by: NaturalOrder.areInIncreasingOrder)
    )
    let type = PortTypeGuess.type(
      of: members.flatMap { [$0.name] + $0.aliases },
      isOutput: group.isOutput,
      isHardware: members.contains(where: \.isPhysical),
    ).name
    let routes = (graph?.routes ?? []).filter { route in
      (route.direction == .output) == group.isOutput
        && route.ports.contains { selector in names.contains { selector.matches($0) } }
    }
    let list = names.map(DevicePorts.quoted).joined(separator: ", ")
    return Entry(
      kind: "jack",
      name: group.client,
      description: members.first?.aliases.first ?? group.client,
      direction: group.isOutput ? "output" : "input",
      ports: names,
      type: type,
      use: isBridge && routes.isEmpty
        ? "a bridge: a route names its device instead" : use(routes, graph),
      block: isBridge ? nil : block(group.client, group.isOutput, type, "ports: [\(list)]"),
    )
  }

  // MARK: - ALSA

  private static func entry(
    _ device: SoundDevice,
    _ isOutput: Bool,
    _ graph: GraphFile?,
    _ ports: [PortInfo],
    _ isPipeWire: Bool,
  ) -> Entry {
    let routes = (graph?.routes ?? []).filter { route in
      guard case .device(let wanted) = route.helper else { return false }
      return (route.direction == .output) == isOutput && device.isMeant(by: wanted.name)
    }
    // jackd's ALSA driver names the device in its ports' aliases: `alsa_pcm:hw:0:in1`.
    let isDriven = ports.flatMap(\.aliases).contains { alias in
      guard alias.hasPrefix("alsa_pcm:") else { return false }
      return device.isMeant(
        by: alias.dropFirst("alsa_pcm:".count).split(separator: ":").prefix(2)
          .joined(separator: ":")
      )
    }
    let type = device.portType(isOutput: isOutput).name
    let use =
      isPipeWire
      ? "PipeWire drives it: use its JACK ports, no bridge is needed"
      : isDriven ? "JACK drives it: use its ports" : use(routes, graph)
    return Entry(
      kind: "alsa",
      name: device.alsaName,
      description: "\(device.cardName), \(device.name)",
      direction: isOutput ? "output" : "input",
      ports: [],
      type: type,
      use: use,
      block: block(
        "\(device.cardID)-\(device.number)",
        isOutput,
        type,
        "device: \"\(device.alsaName)\"",
      ),
    )
  }

  // MARK: - The graph

  private static func use(_ routes: [GraphFile.Route], _ graph: GraphFile?) -> String {
    guard graph != nil else { return "–" }
    guard !routes.isEmpty else { return "not in the graph" }
    return routes.map { route in
      let type = route.isTypeGuessed ? "" : " (\(route.type.name))"
      return "route '\(route.name)'\(type)"
    }.joined(separator: ", ")
  }

  private static func missing(
    _ route: GraphFile.Route,
    _ ports: [PortInfo],
    _ devices: [SoundDevice],
  ) -> Missing? {
    let wants: String
    switch route.helper {
    case .device(let device):
      guard !devices.contains(where: { $0.isMeant(by: device.name) }) else { return nil }
      wants = "device \(device.name)"
    case .njbridge, .jacktrip:
      return nil
    case nil:
      let unmet = route.ports.filter { selector in
        !ports.contains { port in
          selector.matches(port.name) || port.aliases.contains { selector.matches($0) }
        }
      }
      guard !unmet.isEmpty else { return nil }
      wants = "ports " + unmet.map(\.description).joined(separator: ", ")
    }
    return Missing(route: route.name, wants: wants, fallback: route.fallback, line: nil)
  }

  private static func block(
    _ name: String,
    _ isOutput: Bool,
    _ type: String,
    _ way: String,
  ) -> String {
    let letters = name.lowercased().map { character in
      character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
    }
    let word = letters.drop { !$0.isLetter }.prefix(32)
    let direction = isOutput ? "" : "\n    direction: input"
    return "  \(word.isEmpty ? "route" : String(word))\(isOutput ? "" : "-in"):\n    type: \(type)"
      + "\(direction)\n    \(way)"
  }
}
