// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import FoundationEssentials
import Sessions

/// One run of `bench session`: its parts, one after the other.
///
/// Belongs to the control thread.
final class SessionRun {
  let rig: SessionRig
  let settings: SessionBenchmark.Settings
  var readings = SessionReadings()
  private let progress: BenchProgress.Handler
  private var part = 0

  init(
    rig: SessionRig,
    settings: SessionBenchmark.Settings,
    progress: @escaping BenchProgress.Handler,
  ) {
    self.rig = rig
    self.settings = settings
    self.progress = progress
  }

  /// Runs all parts.
  func measure() async throws(LabError) -> BenchRecord {
    let startedAt = Date()
    try await interruptions()
    try await ducks()
    try await activations()
    try await routes()
    try await kills()
    (readings.cycles, readings.lateCycles) = (rig.cycles, rig.lateCycles)
    return readings.record(settings, startedAt: startedAt)
  }

  // MARK: - Tools of the parts

  /// Repeats a body and reports the progress.
  func repeating(
    _ count: Int,
    _ label: String,
    _ body: () async throws(LabError) -> Void,
  ) async throws(LabError) {
    part += 1
    for round in 0..<count {
      if round.isMultiple(of: max(1, count / Self.reportsPerPart)) {
        progress(
          BenchProgress(
            step: part,
            stepCount: Self.partCount,
            label: label,
            fractionDone: (Double(part - 1) + Double(round) / Double(count))
              / Double(Self.partCount),
          )
        )
      }
      try await body()
    }
  }

  /// Opens a session of the rig's own connection.
  func open(
    app: String,
    class priorityClass: PriorityClass? = nil,
    options: CategoryOptions = [],
  ) async throws(LabError) -> String {
    var params = OpenSession.Params(app: app)
    params.category = .playback
    params.priorityClass = priorityClass
    params.options = options
    return try await rig.client.ask(OpenSession.self, params).session
  }

  func activate(_ session: String) async throws(LabError) {
    _ = try await rig.client.ask(ActivateSession.self, .init(session: session))
  }

  func deactivate(_ session: String) async throws(LabError) {
    _ = try await rig.client.ask(
      DeactivateSession.self,
      .init(session: session, notifyOthers: true),
    )
  }

  /// The audible change of a step; a step without one is counted.
  ///
  /// - Parameters:
  ///   - trace: Selects the signal of the step.
  ///   - step: The step; nil where cycles were lost.
  /// - Returns: The change.
  func change(
    _ trace: (SessionRig.Step) -> LevelTrace,
    in step: SessionRig.Step?,
  ) -> LevelTrace.Change? {
    guard let step else {
      readings.lostSteps += 1
      return nil
    }
    guard let change = trace(step).change else {
      readings.unheardSteps += 1
      return nil
    }
    return change
  }

  func microseconds(frames: Int) -> Double {
    Double(frames) / Double(settings.sampleRateHz) * 1_000_000
  }

  private static let partCount = 5
  private static let reportsPerPart = 10
}
