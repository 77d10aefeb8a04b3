// SPDX-License-Identifier: MIT

package import JACK
package import Patchbay

/// Ports as a server would report them.
package enum Ports {
  /// An audio output port.
  package static func output(_ name: String, physical: Bool = false, aliases: [String] = [])
    -> PortInfo
  {
    port(name, flags: physical ? [.output, .physical] : .output, aliases: aliases)
  }

  /// An audio input port.
  package static func input(_ name: String, physical: Bool = false, aliases: [String] = [])
    -> PortInfo
  {
    port(name, flags: physical ? [.input, .physical] : .input, aliases: aliases)
  }

  /// A MIDI output port.
  package static func midi(_ name: String) -> PortInfo {
    port(name, type: MIDIKind.typeName, flags: .output, aliases: [])
  }

  private static func port(
    _ name: String,
    type: String = AudioKind.typeName,
    flags: PortFlags,
    aliases: [String],
  ) -> PortInfo {
    let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
    return PortInfo(
      name: name,
      client: parts[0],
      shortName: parts[1],
      type: type,
      flags: flags,
      isMine: false,
      uuid: 0,
      aliases: aliases,
    )
  }
}

extension ConnectionPair {
  /// The pair without labels.
  package init(_ source: String, _ destination: String) {
    self.init(source: source, destination: destination)
  }
}
