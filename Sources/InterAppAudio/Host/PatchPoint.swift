// SPDX-License-Identifier: MIT

internal import JACK

/// One end of a connection as people name it: a node, a client, or some ports of a client.
public struct PatchPoint: Hashable, Sendable {
  /// What it was called.
  public let name: String
  /// The node, where it is one.
  public let node: Node?
  /// The name of the client.
  public let client: String
  /// Full names of audio ports, channel by channel.
  public let audio: [String]
  /// Full names of MIDI ports.
  public let midi: [String]
  /// Whether it was named by the beginning of port names: of its ports as many are taken, from the first, as the
  /// other end has.
  public let isOpenEnded: Bool
}

extension PatchPoint {
  /// A node's side.
  init(name: String, node: Node, isSource: Bool) {
    self.name = name
    self.node = node
    client = node.name
    audio = isSource ? node.audioOutputs : node.audioInputs
    midi = isSource ? [] : node.midiInputs
    isOpenEnded = false
  }

  /// The ports of any client that a name means; nil where it means none.
  ///
  /// - Parameters:
  ///   - name: A client's name, a port's, or the beginning of ports' names; the port of exactly this name counts
  ///     before others whose names begin with it.
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
    isOpenEnded = isBeginning
  }

  /// The connections from here to another end: audio channel by channel, and MIDI where both have it.
  ///
  /// - Throws: ``InterAppAudioError`` `invalidFormat`, or `unsupportedType` (they have nothing in common).
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
        "'\(name)' gives nothing that '\(destination.name)' takes",
      )
    }
    return pairs
  }
}

extension InterAppHost {
  /// Looks for an end of a connection; an installed node that does not run is started.
  ///
  /// - Parameters:
  ///   - name: A node's name, a client's name, a port's name, or `client:` with the beginning of port names.
  ///   - isSource: Whether signals come out of it.
  /// - Returns: The ports on that side.
  /// - Throws: ``InterAppAudioError`` `notFound`, or what starting the node fails with.
  public func patchPoint(
    _ name: String,
    isSource: Bool,
  ) async throws(InterAppAudioError) -> PatchPoint {
    let found = try lookUp(name, isSource: isSource)
    guard let node = found.node, !node.isRunning else { return found }
    return PatchPoint(name: name, node: try await start(node), isSource: isSource)
  }

  /// Looks for an end of a connection; one that does not run has no ports.
  ///
  /// - Parameters:
  ///   - name: What ``patchPoint(_:isSource:)`` takes.
  ///   - isSource: Whether signals come out of it.
  ///   - known: Nodes that names stand for already.
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
    let names = Set(ports.map(\.client)).union(listed.map(\.name)).sorted()
    throw InterAppAudioError(
      .notFound,
      "there is no node, client or port '\(name)' that \(isSource ? "gives" : "takes") signals; "
        + "there are: \(names.joined(separator: ", "))",
    )
  }
}
