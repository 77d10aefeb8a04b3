// SPDX-License-Identifier: MIT

internal import Glibc
public import JACK

extension NodeDescription {
  /// The properties that a node with this description writes; the kind is last. [any-thread]
  func metadata(server: String, client: String) -> [(key: MetadataKey, value: MetadataValue)] {
    var properties: [(key: MetadataKey, value: MetadataValue)] = [
      (.prettyName, MetadataValue(name)),
      (NodeMetadata.subtype, MetadataValue(subtype.text)),
      (NodeMetadata.manufacturer, MetadataValue(manufacturer.text)),
      (NodeMetadata.version, .integer(Int(version))),
      (NodeMetadata.client, MetadataValue("\(server)/\(client)")),
      (NodeMetadata.processID, .integer(Int(getpid()))),
      (NodeMetadata.flags, MetadataValue(NodeFlags(self).text)),
    ]
    if let iconName { properties.append((.iconName, MetadataValue(iconName))) }
    if !parameters.isEmpty {
      let list = MetadataValue(NodeParameterList.text(parameters), type: "application/json")
      properties.append((NodeMetadata.parameters, list))
    }
    for (key, names) in [
      (NodeMetadata.audioInputs, ports.audioInputs),
      (NodeMetadata.audioOutputs, ports.audioOutputs),
      (NodeMetadata.midiInputs, ports.midiInputs),
    ] where !names.isEmpty {
      properties.append((key, MetadataValue(names.joined(separator: "\n"))))
    }
    properties.append((NodeMetadata.kind, MetadataValue(kind.rawValue)))
    return properties
  }

  /// Reads the description that a client publishes; nil if it is no node, or if the metadata is of another client.
  ///
  /// A list of parameters with a fault is left out: ``parameterFault(metadata:)``.
  public init?(
    metadata: [MetadataKey: MetadataValue],
    server: String,
    client: String,
  ) {
    func text(_ key: MetadataKey) -> String { metadata[key]?.text ?? "" }
    func lines(_ key: MetadataKey) -> [String] {
      text(key).split(separator: "\n").map(String.init)
    }
    guard let kind = NodeKind(rawValue: text(NodeMetadata.kind)),
      text(NodeMetadata.client) == "\(server)/\(client)"
    else { return nil }
    let flags = NodeFlags(text: text(NodeMetadata.flags))
    self.init(
      kind: kind,
      subtype: FourCharCode(text(NodeMetadata.subtype)) ?? .any,
      manufacturer: FourCharCode(text(NodeMetadata.manufacturer)) ?? .any,
      name: metadata[.prettyName]?.text ?? client,
      version: UInt32(text(NodeMetadata.version)) ?? 0,
      iconName: metadata[.iconName]?.text,
      ports: NodePorts(
        audioInputs: lines(NodeMetadata.audioInputs),
        audioOutputs: lines(NodeMetadata.audioOutputs),
        midiInputs: lines(NodeMetadata.midiInputs),
      ),
      hasEntitlement: flags.contains(.entitlement),
      mixesWithOthers: flags.contains(.mixWithOthers),
      usesSystemAudio: flags.contains(.usesSystemAudio),
      isSessionActive: flags.contains(.sessionActive),
      hasBackgroundAudio: flags.contains(.backgroundAudio),
    )
    let list = try? NodeParameterList.parameters(text(NodeMetadata.parameters))
    parameters = (list ?? []).presentValues(in: metadata)
  }

  /// The fault in the list of parameters that a client publishes; nil without one. [any-thread]
  static func parameterFault(metadata: [MetadataKey: MetadataValue]) -> String? {
    guard let list = metadata[NodeMetadata.parameters] else { return nil }
    do throws(InterAppAudioError) {
      _ = try NodeParameterList.parameters(list.text)
      return nil
    } catch {
      return error.message
    }
  }
}

/// The flags of a node's or host's session, as words of text.
///
/// Pure value: [any-thread].
struct NodeFlags: OptionSet, Sendable {
  let rawValue: Int

  static let entitlement = NodeFlags(rawValue: 1)
  static let mixWithOthers = NodeFlags(rawValue: 2)
  static let usesSystemAudio = NodeFlags(rawValue: 4)
  static let sessionActive = NodeFlags(rawValue: 8)
  static let backgroundAudio = NodeFlags(rawValue: 16)
  static let remoteControl = NodeFlags(rawValue: 32)

  private static let words: [(flag: NodeFlags, word: Substring)] = [
    (.entitlement, "entitlement"), (.mixWithOthers, "mixWithOthers"),
    (.usesSystemAudio, "usesSystemAudio"), (.sessionActive, "sessionActive"),
    (.backgroundAudio, "backgroundAudio"), (.remoteControl, "remoteControl"),
  ]

  init(rawValue: Int) { self.rawValue = rawValue }

  /// Reads words; unknown ones are ignored.
  init(text: String) {
    let found = text.split(separator: " ")
    self = Self.words.reduce(into: []) { if found.contains($1.word) { $0.insert($1.flag) } }
  }

  init(_ description: NodeDescription) {
    self = []
    if description.hasEntitlement { insert(.entitlement) }
    if description.mixesWithOthers { insert(.mixWithOthers) }
    if description.usesSystemAudio { insert(.usesSystemAudio) }
    if description.isSessionActive { insert(.sessionActive) }
    if description.hasBackgroundAudio { insert(.backgroundAudio) }
  }

  var text: String {
    Self.words.filter { contains($0.flag) }.map(\.word).joined(separator: " ")
  }
}
