// SPDX-License-Identifier: MIT

internal import Glibc
public import JACK

extension NodeDescription {
  /// The properties that a node with this description writes, the one that counts last.
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

  /// Reads what a client has published; nil where it is no node, or the metadata is not its own.
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
    )
  }
}
