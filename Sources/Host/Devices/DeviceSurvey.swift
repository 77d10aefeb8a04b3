// SPDX-License-Identifier: MIT

internal import FoundationEssentials
public import GraphFiles
internal import JACK
internal import Sessions

/// What can be a route on this machine, and what a graph would do with it.
public struct DeviceSurvey: Codable, Sendable {
  /// Ports of a JACK client, or a device of a sound card.
  public struct Entry: Codable, Sendable, Hashable {
    /// `jack` or `alsa`.
    public let kind: String
    /// The client's name, or ALSA's name of the device.
    public let name: String
    /// What people call it.
    public let description: String
    /// `output` or `input`, seen from the host.
    public let direction: String
    /// The ports; none for a device.
    public let ports: [String]
    /// The port type that a route without `type` has.
    public let type: String
    /// What the graph does with it.
    public let use: String
    /// A route to paste into a graph file; nil for the ports of a bridge, whose device is the one to name.
    public let block: String?
  }

  /// A route of the graph that finds nothing here.
  public struct Missing: Codable, Sendable, Hashable {
    /// The route's name.
    public let route: String
    /// What it looks for.
    public let wants: String
    /// Where it is heard meanwhile; nil where nothing is said of that, or none of it is there either.
    public fileprivate(set) var fallback: String?
  }

  /// The server's name and kind; nil where none answers.
  public private(set) var server: String?
  /// Whether PipeWire drives the cards, so that every one of them is a JACK client already.
  public private(set) var isPipeWire = false
  /// What is there.
  public private(set) var entries: [Entry] = []
  /// What the graph looks for in vain.
  public private(set) var missing: [Missing] = []

  /// Looks around.
  ///
  /// - Parameters:
  ///   - graph: The graph to judge by.
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
    missing = (graph?.routes ?? []).compactMap { Self.missing($0, ports, devices) }
    let wanted = Dictionary(uniqueKeysWithValues: missing.map { ($0.route, $0.fallback) })
    for index in missing.indices {
      var seen: Set<String> = []
      // A fallback that is missing has one of its own, perhaps.
      while let next = missing[index].fallback, let further = wanted[next] {
        missing[index].fallback = seen.insert(next).inserted ? further : nil
      }
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

  /// All ports, and which clients are bridges of ours.
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

  /// PipeWire's virtual devices do not say that they are physical, but their ports are named so.
  private static func standsForDevice(_ port: PortInfo) -> Bool {
    port.isPhysical
      || JACKLibrary.isPipeWire
        && (port.shortName.hasPrefix("playback_") || port.shortName.hasPrefix("capture_"))
  }

  private static func entry(
    _ group: Group,
    _ members: [PortInfo],
    _ graph: GraphFile?,
    _ isBridge: Bool,
  ) -> Entry {
    let names = members.map(\.name).sorted(by: NaturalOrder.areInIncreasingOrder)
    let type = PortTypeGuess.type(
      of: members.flatMap { [$0.name] + $0.aliases },
      isOutput: group.isOutput,
      isHardware: members.contains(where: \.isPhysical),
    )
    let routes = (graph?.routes ?? []).filter { route in
      (route.direction == .output) == group.isOutput
        && route.ports.contains { selector in names.contains { selector.matches($0) } }
    }
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
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
    // jackd's ALSA driver tells the device in its ports' aliases: `alsa_pcm:hw:0:in1`.
    let isDriven = ports.flatMap(\.aliases).contains { alias in
      guard alias.hasPrefix("alsa_pcm:") else { return false }
      return device.isMeant(
        by: alias.dropFirst("alsa_pcm:".count).split(separator: ":").prefix(2)
          .joined(separator: ":")
      )
    }
    let type = device.portType(isOutput: isOutput)
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
    return Missing(route: route.name, wants: wants, fallback: route.fallback)
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
