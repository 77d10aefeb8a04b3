// SPDX-License-Identifier: MIT

internal import GraphFiles

extension Host {
  /// Takes over another version of the graph; ``ApplyRoom`` lets one change follow the other.
  ///
  /// Parts of both versions go on untouched, sample for sample. New ones fade in, removed ones fade out, and changed ones are
  /// ramped, or silent for the time of two ramps while they are patched. Values that users have set stay, unless the two
  /// versions differ in them.
  ///
  /// - Parameters:
  ///   - graph: A graph without errors.
  ///   - difference: Its differences to the graph in force.
  /// - Throws: ``HostError`` with the place and the reason; the version before stays in force then, and what is heard is
  ///   unchanged.
  /// [control-thread]
  func apply(_ graph: GraphFile, difference: GraphDifference) async throws(HostError) {
    try await VersionChange(rooms, to: graph, difference).carryOut()
  }
}
