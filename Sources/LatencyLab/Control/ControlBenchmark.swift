// SPDX-License-Identifier: MIT

import FoundationEssentials
import JACK

/// `bench control`: the time from a control's message to the first sample that it changes at a route's output.
///
/// Music of one constant level goes through a strip of a host to a loudspeaker, which is a JACK client of its own and
/// hears each sample. Every face changes the level of the same strip, in turn.
/// Runs on the task of its command: [control-thread].
public struct ControlBenchmark: Sendable {
  /// The path of the `multiroute` program that is measured.
  public var program: String
  /// Number of rounds, 1…10000: in each, every face changes the level down and up again.
  public var rounds = 200
  /// The server's period in frames.
  public var bufferFrames = 64
  /// The server's sample rate in Hz.
  public var sampleRateHz = 48_000

  /// Makes a benchmark of 200 rounds at 64 frames and 48 kHz.
  ///
  /// - Parameter program: The path of the `multiroute` program.
  public init(program: String) { self.program = program }

  /// Runs it on a dummy server of its own.
  ///
  /// - Parameter progress: Called before each round.
  /// - Returns: The record; its notes tell which faces clear their bars.
  /// - Throws: ``LabError`` `badOption`, `jack`, `host`, `tool` or `cancelled`.
  public func run(
    progress: @escaping BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> BenchRecord {
    guard (1...10_000).contains(rounds) else {
      throw LabError(.badOption, "rounds is \(rounds), allowed is 1 to 10000")
    }
    let startedAt = Date()
    let configuration = OwnServer.configuration(
      "control-cost",
      sampleRateHz: sampleRateHz,
      periodFrames: bufferFrames,
    )
    return try await OwnServer.run(configuration) { server async throws(LabError) in
      let rig = try await ControlRig(self, server: server.configuration.name)
      return try await OwnServer.measure(on: rig) { rig async throws(LabError) in
        try await measure(rig, progress).record(self, startedAt: startedAt)
      }
    }
  }

  private func measure(
    _ rig: ControlRig,
    _ progress: BenchProgress.Handler,
  ) async throws(LabError) -> ControlReadings {
    var readings = ControlReadings()
    for round in 0..<rounds {
      progress(BenchProgress(round: round, of: rounds, label: "changes"))
      // A B B A: what slows one half of a round is in both faces.
      let faces =
        round.isMultiple(of: 2) ? ControlFace.allCases : ControlFace.allCases.reversed()
      for face in faces {
        for change in ControlChange.allCases {
          let step = try await rig.step(face, change)
          readings.cycles += step.recording.cycles.count
          readings.lateCycles += step.recording.lateCycles
          let outcome = step.outcome
          readings.add(outcome, of: face)
          // A late change must not be taken for that of the next step.
          if case .heard = outcome { continue }
          try await LabError.sleep(Self.settling)
        }
      }
    }
    return readings
  }

  private static let settling = Duration.seconds(1)
}
