// SPDX-License-Identifier: MIT

internal import ControlProtocol
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
  /// - Returns: How much longer the pauses were than the plan says, in milliseconds.
  /// - Throws: ``HostError`` with the place and the reason; the version before stays in force then, and what is heard is
  ///   unchanged.
  /// [control-thread]
  @discardableResult
  func apply(_ graph: GraphFile, difference: GraphDifference) async throws(HostError) -> Double {
    let before = rooms.graph
    if let (part, reason) = rooms.partForStart(of: graph) {
      throw HostError(
        .badGraph,
        "\(graph.path): \(part): \(reason); stop it and start it with this graph",
      )
    }
    let surfaces = try await openSurfaces(of: graph)
    await admitControllers(of: graph)
    let lateMilliseconds: Double
    do throws(HostError) {
      try await rooms.moveServer(to: graph.server, from: before.server)
      lateMilliseconds = try await change(to: graph, difference)
    } catch {
      await undoSurfaces(surfaces)
      await takeControllers(insteadOf: graph)
      throw error
    }
    await takeSurfaces(surfaces)
    await takeMackie(insteadOf: before)
    await takeControllers(insteadOf: before)
    await rooms.hardware.isSettled()
    return lateMilliseconds
  }

  /// Takes over a version on the server that it asks for; where that fails, the host goes back to the server before.
  private func change(
    to graph: GraphFile,
    _ difference: GraphDifference,
  ) async throws(HostError) -> Double {
    let before = rooms.graph
    do throws(HostError) {
      return try await VersionChange(rooms, to: graph, difference).carryOut()
    } catch {
      do throws(HostError) {
        try await rooms.moveServer(to: before.server, from: graph.server)
      } catch {
        rooms.control.publish(.error(), "the server before cannot be used again: \(error)")
      }
      throw error
    }
  }
}
