// SPDX-License-Identifier: MIT

package import GraphFiles
internal import JACK

/// A question for foreign ports whose answer a ``PortDirectory`` keeps up to date.
///
/// Pure value: [any-thread].
package struct PortQuery: Hashable, Sendable {
  /// The ports that are meant.
  package enum Subject: Hashable, Sendable {
    /// Those of the hardware.
    case physical
    /// Those whose name matches.
    case name(PortPattern)
    /// Those whose name or alias matches.
    case nameOrAlias(PortPattern)
  }

  /// The ports that are meant.
  package let subject: Subject
  /// The direction of the audio, seen from the host's ports.
  package let direction: ConnectionRule.Direction

  /// Asks for ports that the host would connect in this direction.
  package init(_ subject: Subject, facing direction: ConnectionRule.Direction) {
    self.subject = subject
    self.direction = direction
  }

  /// Whether a foreign port is among the answers.
  func matches(_ port: PortInfo) -> Bool {
    guard port.faces(direction) else { return false }
    switch subject {
    case .physical: return port.isPhysical
    case .name(let pattern): return pattern.matches(port.name)
    case .nameOrAlias(let pattern):
      return pattern.matches(port.name) || port.aliases.contains(where: pattern.matches)
    }
  }
}

extension ConnectionRule.Target {
  /// The questions that say which ports are found; none for a name, which the directory knows anyhow.
  func queries(facing direction: ConnectionRule.Direction) -> [PortQuery] {
    switch self {
    case .named: []
    case .matching(let pattern): [PortQuery(.nameOrAlias(pattern), facing: direction)]
    case .dealt(let patterns, _, _), .dealtByClient(let patterns, _, _):
      patterns.map { PortQuery(.name($0), facing: direction) }
    case .physical: [PortQuery(.physical, facing: direction)]
    }
  }
}

extension PortInfo {
  /// Whether the host would connect the port in this direction.
  func faces(_ direction: ConnectionRule.Direction) -> Bool {
    switch direction {
    case .intoHost: isOutput
    case .outOfHost: isInput
    }
  }
}
