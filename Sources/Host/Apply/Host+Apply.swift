// SPDX-License-Identifier: MIT

public import GraphFiles

extension Host {
  /// Takes over another version of the graph.
  ///
  /// What both versions have goes on untouched, sample for sample. What is new fades in, what is gone fades out, and what has
  /// changed is ramped, or is silent for the time of two ramps while it is patched. Values that users have set stay, unless
  /// the two versions differ in them. A second call waits until the first has ended.
  ///
  /// - Parameter graph: A graph without errors.
  /// - Returns: The number of the version, and the differences that were carried out.
  /// - Throws: ``HostError`` with the place and the reason; the version before stays in force then, and what is heard is
  ///   unchanged.
  /// [control-thread]
  @discardableResult
  public func apply(_ graph: GraphFile) async throws(HostError) -> AppliedGraph {
    await rooms.inForce.begin()
    defer { rooms.inForce.end() }
    return try await VersionChange(rooms, to: graph).carryOut()
  }
}
