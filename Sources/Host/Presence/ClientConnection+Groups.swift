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
  /// - Throws: What JACK said; none of the ports is left then.
  func registerGroup<Direction>(
    _ group: String,
    label: String?,
    names: [String],
    order: inout Int,
    flags: PortFlags = [],
  ) throws(JACKError) -> [ClientPort<AudioKind, Direction>] {
    var ports: [ClientPort<AudioKind, Direction>] = []
    do throws(JACKError) {
      for (channel, name) in names.enumerated() {
        let port: ClientPort<AudioKind, Direction> = try register(name, flags: flags)
        ports.append(port)
        let subject = try info(of: port).uuid
        let pretty = PortNames.pretty(label ?? group, channel: channel, of: names.count)
        try setMetadata(MetadataValue(pretty), for: .prettyName, of: subject)
        try setMetadata(MetadataValue(group), for: .portGroup, of: subject)
        try setMetadata(.integer(order), for: .order, of: subject)
        try setMetadata(MetadataValue("AUDIO"), for: .signalType, of: subject)
        order += 1
      }
    } catch {
      // What cannot be given back goes with the client.
      for port in ports { try? unregister(port) }
      throw error
    }
    return ports
  }
}
