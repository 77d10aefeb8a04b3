// SPDX-License-Identifier: MIT

internal import JACK
internal import Logging

extension ClientConnection {
  /// Registers the ports of a strip, route or source, and describes them in their metadata.
  ///
  /// - Parameters:
  ///   - group: The name of the strip, route or source.
  ///   - label: Its name for people; nil takes `group`.
  ///   - names: The short names, one a channel.
  ///   - order: The place of the first port among all of the client's; advanced past the new ports.
  ///   - flags: Further port flags.
  ///   - isDescribed: Whether the metadata is set; it takes some milliseconds.
  /// - Returns: The ports, channel by channel.
  /// - Throws: JACK's error; all ports of the group are unregistered then.
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
      // A port that cannot be unregistered goes with the client.
      for port in ports { leave(port) }
      throw error
    }
    return ports
  }

  /// Describes the ports of a strip, route or source in their metadata.
  ///
  /// - Parameters:
  ///   - ports: The ports, channel by channel.
  ///   - group: The name of the strip, route or source.
  ///   - label: Its name for people; nil takes `group`.
  ///   - order: The place of the first port among all of the client's.
  /// - Throws: JACK's error.
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

  /// Writes this client's name and icon into its metadata, and removes descriptions that killed programs and servers have left.
  func introduce(as name: String, icon: String) {
    removeLeftDescriptions()
    describe(uuid, [.prettyName: MetadataValue(name), .iconName: MetadataValue(icon)])
  }

  /// Writes metadata of a port or client for people.
  ///
  /// libjack keeps metadata in a store that is unusable for good after several servers were killed.
  /// The host plays without metadata, so a refusal is only logged.
  func describe(_ subject: UInt64, _ metadata: [MetadataKey: MetadataValue]) {
    do throws(JACKError) {
      guard try !describe(subject, as: metadata) else { return }
      Logger(label: "multiroute").info(
        "no name: a port or client of another running server has the number \(subject)"
      )
    } catch {
      Logger(label: "multiroute").notice("no metadata: \(error)")
    }
  }
}
