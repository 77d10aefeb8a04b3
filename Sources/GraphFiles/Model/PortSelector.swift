// SPDX-License-Identifier: MIT

/// One entry of a `ports` list: a JACK port by name, or every port that a pattern matches.
public enum PortSelector: Sendable, Equatable {
  /// The port of this full name, `client:port`.
  case name(String)
  /// Every port whose full name matches.
  case pattern(PortPattern)

  /// Whether the port of this full name is meant.
  ///
  /// [any-thread]
  public func matches(_ portName: String) -> Bool {
    switch self {
    case .name(let name): name == portName
    case .pattern(let pattern): pattern.matches(portName)
    }
  }
}

extension PortSelector: CustomStringConvertible {
  /// The selector as a graph file writes it.
  public var description: String {
    switch self {
    case .name(let name): name
    case .pattern(let pattern): pattern.description
    }
  }
}
