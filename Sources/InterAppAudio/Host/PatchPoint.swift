// SPDX-License-Identifier: MIT

internal import JACK

/// One end of a connection, as a user names it: a node, a client, or ports of a client.
///
/// Pure value: [any-thread].
public struct PatchPoint: Hashable, Sendable {
  /// The name that the user gave.
  public let name: String
  /// The node; nil for another client.
  public let node: Node?
  /// The name of the client.
  public let client: String
  /// Full names of audio ports, channel by channel.
  public let audio: [String]
  /// Full names of MIDI ports.
  public let midi: [String]
  /// Whether the name stands for more ports than are meant: the first ones are taken, as many as the other end has.
  public let isOpenEnded: Bool
}

extension PatchPoint {
  /// Makes one side of a node.
  init(name: String, node: Node, isSource: Bool) {
    self.name = name
    self.node = node
    client = node.name
    audio = isSource ? node.audioOutputs : node.audioInputs
    midi = isSource ? [] : node.midiInputs
    isOpenEnded = false
  }

  /// Makes the end of a connection that a name stands for; nil if it stands for no port.
  ///
  /// - Parameters:
  ///   - name: The name of a client, the name of a port, or a prefix of port names. A port with exactly this name wins over
  ///     ports with this prefix.
  ///   - ports: All ports on that side.
  init?(name: String, among ports: [PortInfo]) {
    let exact = ports.filter { $0.name == name }
    let isBeginning = exact.isEmpty && name.contains(":")
    let fitting =
      !exact.isEmpty
      ? exact : ports.filter { isBeginning ? $0.name.hasPrefix(name) : $0.client == name }
    guard let client = fitting.first?.client else { return nil }
    self.name = name
    node = nil
    self.client = client
    audio = fitting.filter(\.isAudio).map(\.name)
    midi = fitting.filter(\.isMIDI).map(\.name)
    // A card has more channels than a program; of a program all are meant.
    isOpenEnded = isBeginning || exact.isEmpty && fitting.allSatisfy(\.isPhysical)
  }

  /// Makes the end that a place of a host stands for; nil where it has no ports on that side.
  init?(_ place: NamedPlace, isSource: Bool, among ports: [PortInfo]) {
    let wanted = isSource ? place.outputs : place.inputs
    let found = wanted.compactMap { name in ports.first { $0.name == name } }
    guard let client = found.first?.client else { return nil }
    name = place.name
    node = nil
    self.client = client
    audio = found.filter(\.isAudio).map(\.name)
    midi = []
    isOpenEnded = true
  }

  /// The connections from here to another end: audio channel by channel, and MIDI if both ends have it.
  ///
  /// - Throws: ``InterAppAudioError`` `invalidFormat`, or `unsupportedType` (no ports in common).
  func pairs(
    to destination: PatchPoint
  ) throws(InterAppAudioError) -> [(source: String, destination: String)] {
    var pairs: [(source: String, destination: String)] = []
    for (from, to) in [(audio, destination.audio), (midi, destination.midi)]
    where !from.isEmpty && !to.isEmpty {
      do throws(InterAppAudioError) {
        pairs += try PortPairs.pairs(
          isOpenEnded && to.count > 1 ? Array(from.prefix(to.count)) : from,
          destination.isOpenEnded && from.count > 1 ? Array(to.prefix(from.count)) : to,
        )
      } catch {
        throw InterAppAudioError(error.code, "'\(name)' → '\(destination.name)': \(error.message)")
      }
    }
    guard !pairs.isEmpty else {
      throw InterAppAudioError(
        .unsupportedType,
        "'\(name)' has no audio or MIDI output that fits an input of '\(destination.name)'",
      )
    }
    return pairs
  }
}

extension InterAppHost {
  /// Finds an end of a connection; starts an installed node that is not running.
  ///
  /// - Parameters:
  ///   - name: A node's name, a client's name, a port's name, or `client:` with the beginning of port names.
  ///   - isSource: Whether the end is a source.
  /// - Returns: The ports on that side.
  /// - Throws: ``InterAppAudioError`` `notFound`, or the errors of starting the node.
  public func patchPoint(
    _ name: String,
    isSource: Bool,
  ) async throws(InterAppAudioError) -> PatchPoint {
    let found = try lookUp(name, isSource: isSource)
    guard let node = found.node, !node.isRunning else { return found }
    return PatchPoint(name: name, node: try await start(node), isSource: isSource)
  }

  /// Finds an end of a connection; a node that is not running has no ports.
  ///
  /// - Parameters:
  ///   - name: A name, as for ``patchPoint(_:isSource:)``.
  ///   - isSource: Whether the end is a source.
  ///   - known: Nodes that were just started, by name.
  /// - Returns: Its ports on that side.
  /// - Throws: ``InterAppAudioError`` `notFound` or `jack`.
  func lookUp(
    _ name: String,
    isSource: Bool,
    knowing known: [String: Node] = [:],
  ) throws(InterAppAudioError) -> PatchPoint {
    let listed = nodes()
    if let node = known[name] ?? NodeList.node(named: name, in: listed) {
      return PatchPoint(name: name, node: node, isSource: isSource)
    }
    let ports = try InterAppAudioError.wrapping { () throws(JACKError) in
      try connection.ports(flags: isSource ? .output : .input)
    }
    if let point = PatchPoint(name: name, among: ports) { return point }
    if let place = places.first(where: { $0.name == name }),
      let point = PatchPoint(place, isSource: isSource, among: ports)
    {
      return point
    }
    let names = Set(ports.map(\.client)).union(listed.map(\.name)).union(places.map(\.name))
      .sorted()
    throw InterAppAudioError(
      .notFound,
      "there is no node, client or port '\(name)' that \(isSource ? "gives" : "takes") signals; "
        + "there are: \(names.joined(separator: ", "))",
    )
  }
}

/// The pairs of ports that connect two lists of channels. [any-thread]
public enum PortPairs {
  /// Pairs ports channel by channel; a single port on one side is paired with all ports of the other.
  ///
  /// - Throws: ``InterAppAudioError`` `invalidFormat` if a side is empty, or if both have more than
  ///   one channel and different numbers.
  public static func pairs(
    _ sources: [String],
    _ destinations: [String],
  ) throws(InterAppAudioError) -> [(source: String, destination: String)] {
    guard !sources.isEmpty, !destinations.isEmpty,
      sources.count == destinations.count || sources.count == 1 || destinations.count == 1
    else {
      throw InterAppAudioError(
        .invalidFormat,
        "\(sources.count) channels cannot be connected with \(destinations.count): "
          + "use the same number on both sides, or one channel on one side",
      )
    }
    return (0..<max(sources.count, destinations.count)).map { index in
      (
        sources[sources.count == 1 ? 0 : index],
        destinations[destinations.count == 1 ? 0 : index]
      )
    }
  }
}
