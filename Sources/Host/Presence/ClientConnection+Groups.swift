// SPDX-License-Identifier: MIT

internal import JACK

extension ClientConnection {
  /// Registers the ports of a strip, route or source, and says in their metadata what they are.
  ///
  /// - Parameters:
  ///   - group: The name of what they belong to.
  ///   - label: Its name for people; nil takes `group`.
  ///   - names: The short names, one a channel.
  ///   - order: The place of the first port among all of the client's; counted on.
  ///   - flags: What the ports are beside.
  /// - Returns: The ports, channel by channel.
  /// - Throws: What JACK said.
  func registerGroup<Direction>(
    _ group: String,
    label: String?,
    names: [String],
    order: inout Int,
    flags: PortFlags = [],
  ) throws(JACKError) -> [ClientPort<AudioKind, Direction>] {
    var ports: [ClientPort<AudioKind, Direction>] = []
    for (channel, name) in names.enumerated() {
      let port: ClientPort<AudioKind, Direction> = try register(name, flags: flags)
      let subject = try info(of: port).uuid
      let pretty = PortNames.pretty(label ?? group, channel: channel, of: names.count)
      try setMetadata(MetadataValue(pretty), for: .prettyName, of: subject)
      try setMetadata(MetadataValue(group), for: .portGroup, of: subject)
      try setMetadata(.integer(order), for: .order, of: subject)
      try setMetadata(MetadataValue("AUDIO"), for: .signalType, of: subject)
      ports.append(port)
      order += 1
    }
    return ports
  }
}
