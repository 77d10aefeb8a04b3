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
    // A B B A: what slows the machine for a while slows both.
    let first = (rounds + 1) / 2
    var ours = Telling()
    var theirs = Telling()
    for (step, part) in [
      (true, first), (false, first), (false, rounds - first), (true, rounds - first),
    ]
    .enumerated() where part.1 > 0 {
      let (isOurs, rounds) = part
      if isOurs {
        ours.add(
          try await OwnServer.run(OwnServer.configuration("roles")) {
            server async throws(LabError) in
            let periodFrames = Int(server.configuration.periodFrames)
            return try await tell(sounds, rounds, step, progress, periodFrames) {
              () async throws(LabError) in
              try await MultiRouteRoles(program: program, server: server.configuration.name)
            }
          }
        )
      } else {
        // The socket and the pipe of the first half would be taken for those of the second.
        let own = "\(folder)/\(step)"
        try OutputFile.makeDirectory(own)
        theirs.add(
          try await tell(sounds, rounds, step, progress, 0) { () async throws(LabError) in
            try await PulseAudioRoles(program: pulseaudio, folder: own, sounds: sounds)
          }
        )
      }
    }
    var record = ours.record
    for (name, own) in ours.readings.sorted(by: { $0.key < $1.key }) {
      guard let metric = Self.ratioName(name), let peer = theirs.readings[name] else { continue }
      record.tell(metric, RatioEstimate(of: own, to: peer))
    }
    return [record, theirs.record]
  }

  /// The name of the ratio to PulseAudio's time; nil for what is no time after an event.
  static func ratioName(_ metric: String) -> String? {
    let words = metric.split(separator: ".")
    guard words.count == 4, ["heard", "back", "killedBack"].contains(words[2]) else { return nil }
    return words[..<3].joined(separator: ".") + "RatioToPulseAudio.ratio"
  }

  /// The story as one system has told it so far.
  private struct Telling {
    var name = ""
    var periodFrames = 0
    var startedAt = Date()
    var readings: [String: [Double]] = [:]
    var lostSteps = 0

    /// Adds a later part.
    mutating func add(_ part: Telling) {
      if name.isEmpty { startedAt = part.startedAt }
      name = part.name
      periodFrames = part.periodFrames
      readings.merge(part.readings) { $0 + $1 }
      lostSteps += part.lostSteps
    }

    var record: BenchRecord {
      var metrics = readings.compactMapValues(\.median)
      metrics["roles.lost.count"] = Double(lostSteps)
      return BenchRecord(
        benchmark: "roles",
        subject: name,
        configuration: BenchRecord.Configuration(
          sampleRateHz: Double(RoleSounds.sampleRateHz),
          bufferFrames: periodFrames,
        ),
        startedAt: startedAt,
        metrics: metrics,
        samples: readings,
      )
    }
  }

  private func tell<System: RoleSystem>(
    _ sounds: RoleSounds,
    _ rounds: Int,
    _ index: Int,
    _ progress: @escaping BenchProgress.Handler,
    _ periodFrames: Int,
    on makeSystem: () async throws(LabError) -> System,
  ) async throws(LabError) -> Telling {
    let startedAt = Date()
    let system = try await makeSystem()
    var story = RoleStory(rounds: rounds, sounds: sounds)
    do throws(LabError) {
      try await story.tell(on: system) { share in
        progress(
          BenchProgress(
            step: index + 1,
            stepCount: 4,
            label: system.name,
            fractionDone: (Double(index) + share) / 4,
          )
        )
      }
    } catch {
      await system.close()
      throw error
    }
    await system.close()
    return Telling(
      name: system.name,
      periodFrames: periodFrames,
      startedAt: startedAt,
      readings: story.readings,
      lostSteps: story.lostSteps,
    )
  }
}
