// SPDX-License-Identifier: MIT

internal import JACK
internal import Logging

extension ClientConnection {
  /// Registers the ports of a strip, route or source, and says in their metadata what they are.
  ///
  /// - Parameters:
  ///   - group: The name of what they belong to.
  ///   - label: Its name for people; nil takes `group`.
  ///   - names: The short names, one a channel.
  ///   - order: The place of the first port among all of the client's; counted on.
  ///   - flags: What the ports are beside.
  ///   - isDescribed: Whether the metadata is set; it takes some milliseconds.
  /// - Returns: The ports, channel by channel.
  /// - Throws: What JACK said; none of the ports is left then.
  func registerGroup<Direction>(
    _ group: String,
    label: String?,
    names: [String],
    order: inout Int,
    flags: PortFlags = [],
    isDescribed: Bool = true,
  ) throws(JACKError) -> [ClientPort<AudioKind, Direction>] {
    var ports: [ClientPort<AudioKind, Direction>] = []
    do throws(JACKError) {
      for name in names {
        let port: ClientPort<AudioKind, Direction> = try register(name, flags: flags)
        ports.append(port)
      }
      if isDescribed { try describe(ports, of: group, label: label, order: order) }
      order += names.count
    } catch {
      // What cannot be given back goes with the client.
      for port in ports { try? unregister(port) }
      throw error
    }
    return ports
  }

  /// Says in the metadata of ports what they belong to.
  ///
  /// - Parameters:
  ///   - ports: The ports, channel by channel.
  ///   - group: The name of what they belong to.
  ///   - label: Its name for people; nil takes `group`.
  ///   - order: The place of the first port among all of the client's.
  /// - Throws: What JACK said.
  func describe<Direction>(
    _ ports: [ClientPort<AudioKind, Direction>],
    of group: String,
    label: String?,
    order: Int,
  ) throws(JACKError) {
    for (channel, port) in ports.enumerated() {
      let pretty = PortNames.pretty(label ?? group, channel: channel, of: ports.count)
      describe(
        try info(of: port).uuid,
        [
          .prettyName: MetadataValue(pretty), .portGroup: MetadataValue(group),
          .order: .integer(order + channel), .signalType: MetadataValue("AUDIO"),
        ],
      )
    }
  }

  /// Says in the metadata of this client what people should read, and takes away what a killed client has left under
  /// the same id.
  func introduce(as name: String, icon: String) {
    // A store that cannot be read is told of below.
    try? removeAllMetadata(of: uuid)
    describe(uuid, [.prettyName: MetadataValue(name), .iconName: MetadataValue(icon)])
  }

  /// Says in the metadata of a port or client what people should read.
  ///
  /// libjack keeps metadata in a store that servers killed often enough make useless for all that
  /// come after; the host plays without it, so a refusal is no more than a line in the log.
  func describe(_ subject: UInt64, _ metadata: [MetadataKey: MetadataValue]) {
    do throws(JACKError) {
      for (key, value) in metadata { try setMetadata(value, for: key, of: subject) }
    } catch {
      Logger(label: "multiroute").notice("no metadata: \(error)")
    }
  }
}
