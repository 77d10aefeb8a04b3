// SPDX-License-Identifier: MIT

/// A strip or a route of a host, as the ports that stand for it.
///
/// Pure value: [any-thread].
public struct NamedPlace: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// The inputs to which a signal for it is connected, by full name.
  public var inputs: [String]
  /// The outputs that give its signal, by full name.
  public var outputs: [String]

  /// Makes a place from its parts.
  public init(name: String, inputs: [String], outputs: [String]) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
  }
}
