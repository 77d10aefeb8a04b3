// SPDX-License-Identifier: MIT

@testable import Host
@testable import JACK

/// Ports as a server would tell of them.
enum Ports {
  static func output(_ name: String, physical: Bool = false, aliases: [String] = []) -> PortInfo {
    port(name, flags: physical ? [.output, .physical] : .output, aliases: aliases)
  }

  static func input(_ name: String, physical: Bool = false, aliases: [String] = []) -> PortInfo {
    port(name, flags: physical ? [.input, .physical] : .input, aliases: aliases)
  }

  static func midi(_ name: String) -> PortInfo {
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
  /// `a → b`.
  init(_ source: String, _ destination: String) {
    self.init(source: source, destination: destination)
  }
}
