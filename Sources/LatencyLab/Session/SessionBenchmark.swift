// SPDX-License-Identifier: MIT

import JACK

/// `bench session`: how soon a host does what its sessions decide, heard at the hardware's ports.
///
/// Music of one constant level goes through the host to a speaker, and beside it straight to the
/// same speaker. The speaker is a JACK client of its own; request and sample are both on the server's
/// frame clock.
///
/// Runs on the task of its command: [control-thread].
public struct SessionBenchmark: Sendable {
  /// The numbers of repetitions and the circumstances.
  public struct Settings: Sendable {
    /// Number of interruptions; as many disconnections are measured in turn with them.
    public var interruptions = 200
    /// Number of activations of a session that disturbs no other.
    public var activations = 200
    /// Number of ducks, and of route changes.
    public var ducks = 20
    /// Number of kills of the interrupting, and of the ducking, program.
    public var kills = 10
    /// The server's period in frames.
    public var bufferFrames = 64
    /// The server's sample rate in Hz.
    public var sampleRateHz = 48_000
    /// Fade of interruptions in milliseconds.
    public var fadeMilliseconds = 5
    /// Gain of a duck, in dB.
    public var duckDB = -14
    /// Ramp of a duck, in milliseconds.
    public var duckMilliseconds = 200
    /// Ramp back to full gain, in milliseconds.
    public var restoreMilliseconds = 80

    /// 200 interruptions at 64 frames and 48 kHz, with the host's default fades.
    public init() {}

    /// The host's graph: a player that is adopted, and two routes for it to move between.
    var graph: String {
      """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      server: {start: never}
      tower:
        fade: \(fadeMilliseconds) ms
        duck: {gain: \(duckDB) dB, ramp: \(duckMilliseconds) ms, restore: \(restoreMilliseconds) ms}
        classes: {phone: [call]}
        appsMayChangePolicy: true
      routes:
        room: {type: builtInSpeaker, ports: ["speaker:in_1"]}
        phones: {type: headphones, ports: ["speaker:in_2"]}
      adopt:
        - {client: music, session: {category: playback}, channels: 1}
        - {client: /.*/, leave: true}

      """
    }

    /// A time in frames.
    func frames(milliseconds: Int) -> Int { milliseconds * sampleRateHz / 1000 }
  }

  /// The path of the `multiroute` program that is measured.
  public var program: String
  /// The settings.
  public var settings = Settings()

  /// Makes a benchmark with the usual settings.
  ///
  /// - Parameter program: The path of the `multiroute` program.
  public init(program: String) { self.program = program }

  /// Runs it on a dummy server of its own.
  ///
  /// - Parameter progress: Called before each part, and now and then in it.
  /// - Returns: The record.
  /// - Throws: ``LabError`` `jack`, `host`, `tool` or `cancelled`.
  ///
  /// [control-thread]
  public func run(
    progress: @escaping BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> BenchRecord {
    let configuration = OwnServer.configuration(
      "session-cost",
      sampleRateHz: settings.sampleRateHz,
      periodFrames: settings.bufferFrames,
    )
    return try await OwnServer.run(configuration) { server async throws(LabError) in
      let rig = try await SessionRig(
        program: program,
        server: server.configuration.name,
        settings: settings,
      )
      return try await OwnServer.measure(on: rig) { rig async throws(LabError) in
        try await SessionRun(rig: rig, settings: settings, progress: progress).measure()
      }
    }
  }
}
