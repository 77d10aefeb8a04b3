// SPDX-License-Identifier: MIT

public import GraphFiles

/// A version of the graph that has come into force.
///
/// Pure value: [any-thread].
public struct AppliedGraph: Sendable, Equatable {
  /// Its number; the graph of the host's start is 1.
  public let version: Int
  /// The differences to the version before.
  public let difference: GraphDifference
}
