// SPDX-License-Identifier: MIT

public import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import SystemSupport

/// The reason for which a version of the graph was not taken; the one before stays in force.
///
/// Pure value: [any-thread].
struct GraphRefusal: Error, Sendable, Equatable {
  /// The path of the graph file.
  let path: String
  /// The faults of the file as `file:line:column: error: …`, or the one step that failed.
  let faults: [String]
  /// The code of the error on the control socket.
  let code: ControlErrorCode

  /// The error on the control socket.
  var controlError: ControlError {
    ControlError(code, message: faults.joined(separator: "\n"))
  }
}

extension Host {
  /// Answers the request for another version of the graph. [any-thread]
  nonisolated func registerApply(on router: ControlRouter) -> ControlRouter {
    router.on(ApplyGraph.self) { params, _ throws(ControlError) in
      do throws(GraphRefusal) {
        return try await self.take(params)
      } catch {
        throw error.controlError
      }
    }
  }

  /// Reads the file of the graph in force again, and takes its present version.
  ///
  /// The outcome is an event: `graphApplied`, `graphRefused`, or none where nothing differs.
  ///
  /// - Returns: The addresses of surfaces that the version has opened. [control-thread]
  @discardableResult
  public func applyAgain() async -> [SurfaceAddress] {
    // The event has told the faults.
    (try? await take(ApplyGraph.Params()))?.addresses ?? []
  }

  /// The files from which the graph in force was read. [control-thread]
  public var graphFiles: [String] { rooms.graph.files }

  /// Reads another version of the graph, and takes it unless only its plan is asked for.
  ///
  /// - Throws: The faults; nothing has changed then.
  private func take(_ params: ApplyGraph.Params) async throws(GraphRefusal) -> ApplyGraph.Result {
    await rooms.applying.begin()
    defer { rooms.applying.end() }
    let isDry = params.dryRun ?? false
    let path = params.path ?? rooms.graph.path
    do throws(GraphRefusal) {
      return try await take(path: path, text: params.text, isDry: isDry)
    } catch {
      if !isDry {
        rooms.control.publish(
          .graphRefused(.init(path: error.path, faults: error.faults)),
          "\(error.path) is not applied, and the graph before it plays on: "
            + error.faults.joined(separator: "\n"),
        )
      }
      throw error
    }
  }

  private func take(
    path: String,
    text: String?,
    isDry: Bool,
  ) async throws(GraphRefusal) -> ApplyGraph.Result {
    let (graph, read) = try await Self.read(path, text: text, configuration).get()
    let difference = GraphDifference(from: rooms.graph, to: graph)
    let plan = rooms.plan(of: difference, to: graph)
    guard !isDry, !difference.isEmpty else {
      if !isDry { rooms.applying.took(read) }
      return ApplyGraph.Result(plan: plan, applied: false, version: rooms.applying.version)
    }
    let addresses = rooms.surfaces.addresses
    let lateMilliseconds: Double
    do throws(HostError) {
      lateMilliseconds = try await apply(graph, difference: difference)
    } catch {
      throw GraphRefusal(path: path, faults: ["error: \(error)"], code: error.code.controlCode)
    }
    rooms.applying.took(read)
    let version = rooms.applying.version
    rooms.control.publish(
      .graphApplied(.init(version: version, changes: plan.changes.count)),
      "version \(version.number) of the graph is in force, with \(plan.changes.count) "
        + "\(plan.changes.count == 1 ? "change" : "changes"): \(path)",
    )
    return ApplyGraph.Result(
      plan: plan,
      applied: true,
      version: version,
      lateMilliseconds: lateMilliseconds,
      addresses: rooms.surfaces.addresses.filter { !addresses.contains($0) },
    )
  }

  /// Reads and checks a graph on a thread that may wait for the disk.
  private nonisolated static func read(
    _ path: String,
    text: String?,
    _ configuration: HostConfiguration,
  ) async -> Result<(graph: GraphFile, text: String), GraphRefusal> {
    await BackgroundThread.value(name: "graph-reader") {
      () -> Result<(graph: GraphFile, text: String), GraphRefusal> in
      do throws(GraphFileErrors) {
        let text = if let text { text } else { try GraphFile.text(ofFile: path) }
        let graph = try GraphFile.parse(text, path: path, files: .audio)
        return .success((configuration.prepared(graph), text))
      } catch {
        let faults = error.diagnostics.map(\.description)
        return .failure(GraphRefusal(path: path, faults: faults, code: .badValue))
      }
    }
  }
}
