// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import JACK

/// `bench roles`: the same story with this host and with PulseAudio's role modules.
///
/// Runs on the task of its command: [control-thread].
public struct RolesBenchmark: Sendable {
  /// The path of the `multiroute` program.
  public var program: String
  /// The name or path of `pulseaudio`.
  public var pulseaudio = "pulseaudio"
  /// Number of rounds on each system, 1…50.
  public var rounds = 10

  /// Makes a benchmark of ten rounds.
  ///
  /// - Parameter program: The path of the `multiroute` program.
  public init(program: String) { self.program = program }

  /// Runs both systems.
  ///
  /// - Parameter progress: Called before each role.
  /// - Returns: One record each.
  /// - Throws: ``LabError``; `tool` when pulseaudio, pacat or parec is missing.
  ///
  /// [control-thread]
  public func run(
    progress: @escaping BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> [BenchRecord] {
    guard (1...50).contains(rounds) else {
      throw LabError(.badOption, "rounds is \(rounds), allowed is 1 to 50")
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "role-sounds-\(getpid())")
      .path(percentEncoded: false)
    try OutputFile.makeDirectory(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let sounds = try RoleSounds(in: folder, musicSeconds: 15 + 12 * rounds)
    let ours = try await OwnServer.run(OwnServer.configuration("roles")) {
      server async throws(LabError) in
      let periodFrames = Int(server.configuration.periodFrames)
      return try await tell(sounds, 0, progress, periodFrames) { () async throws(LabError) in
        try await MultiRouteRoles(program: program, server: server.configuration.name)
      }
    }
    let theirs = try await tell(sounds, 1, progress, nil) { () async throws(LabError) in
      try await PulseAudioRoles(program: pulseaudio, folder: folder, sounds: sounds)
    }
    return [ours, theirs]
  }

  private func tell<System: RoleSystem>(
    _ sounds: RoleSounds,
    _ index: Int,
    _ progress: @escaping BenchProgress.Handler,
    _ periodFrames: Int?,
    on makeSystem: () async throws(LabError) -> System,
  ) async throws(LabError) -> BenchRecord {
    let startedAt = Date()
    let system = try await makeSystem()
    var story = RoleStory(rounds: rounds, sounds: sounds)
    do throws(LabError) {
      try await story.tell(on: system) { share in
        progress(
          BenchProgress(
            step: index + 1,
            stepCount: 2,
            label: system.name,
            fractionDone: (Double(index) + share) / 2,
          )
        )
      }
    } catch {
      await system.close()
      throw error
    }
    await system.close()
    var metrics = story.readings.compactMapValues(\.median)
    metrics["roles.lost.count"] = Double(story.lostSteps)
    return BenchRecord(
      benchmark: "roles",
      subject: system.name,
      configuration: BenchRecord.Configuration(
        sampleRateHz: Double(RoleSounds.sampleRateHz),
        bufferFrames: periodFrames ?? 0,
      ),
      startedAt: startedAt,
      metrics: metrics,
      samples: story.readings,
    )
  }
}
