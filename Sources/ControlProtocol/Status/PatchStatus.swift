// SPDX-License-Identifier: MIT

/// A connection at one of the host's ports that a user has made or taken away by hand.
public struct PatchStatus: Codable, Sendable, Hashable {
  /// The full name of the output.
  public var source: String
  /// The full name of the input.
  public var destination: String
  /// Whether it was made; otherwise it was taken away.
  public var made: Bool
  /// Whether it is kept over the host's end.
  public var kept: Bool

  /// Makes the value from its parts.
  public init(source: String, destination: String, made: Bool, kept: Bool) {
    self.source = source
    self.destination = destination
    self.made = made
    self.kept = kept
  }
}
