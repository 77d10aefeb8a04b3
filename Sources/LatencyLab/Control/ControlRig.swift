// SPDX-License-Identifier: MIT

import CRealtime
import ControlProtocol
import ControlSocket

/// A change of the music's level.
///
/// Pure value: [any-thread].
enum ControlChange: CaseIterable {
  case down, up

  /// The gain that it leads to, in dB.
  var gainDB: Double { self == .down ? -6 : 0 }
}

/// Music through a strip of a host to a loudspeaker, and the faces of the host that change its level.
///
/// Belongs to the control thread.
final class ControlRig {
  private let speaker: Speaker
  private let music: LabClient<ConstantVoice>
  private let host: BenchHost
  private let client: ControlClient
  private let osc: OSCSender
  private let recordedFrames: Int

  /// Starts host and clients on a running server, and waits until the music is heard.
  ///
  /// - Parameters:
  ///   - benchmark: The program and the circumstances.
  ///   - server: The server's name.
  /// - Throws: ``LabError`` `jack`, `host`, `tool` or `cancelled`.
  init(_ benchmark: ControlBenchmark, server: String) async throws(LabError) {
    recordedFrames = benchmark.sampleRateHz * Self.recordedMilliseconds / 1_000
    speaker = try Speaker(
      ports: 1,
      capacityFrames: recordedFrames,
      name: "speaker",
      server: server,
    )
    music = try ConstantVoice.client(name: "music", server: server, levelLinear: Self.levelLinear)
    osc = try OSCSender()
    host = try await BenchHost(
      program: benchmark.program,
      graph: Self.graph(oscPort: osc.hostPort),
      name: "control-cost",
      server: server,
    )
    client = try await host.connect()
    try await waitUntilHeard()
  }

  /// Ends all of it.
  func close() async {
    await client.close()
    host.stop()
    music.close()
    speaker.close()
  }

  /// Makes a change over one of the faces while recording.
  ///
  /// - Parameters:
  ///   - face: The face.
  ///   - change: The change; each step needs the other one than the step before.
  /// - Returns: The step.
  /// - Throws: ``LabError`` `jack`, `host` or `cancelled`.
  func step(
    _ face: ControlFace,
    _ change: ControlChange,
  ) async throws(LabError) -> ControlStep {
    let heard = try await speaker.record(frames: recordedFrames) { () throws(LabError) in
      try await send(change, over: face)
    }
    return ControlStep(recording: heard.recording, moment: .nanoseconds(heard.requestNanoseconds))
  }

  private func send(
    _ change: ControlChange,
    over face: ControlFace,
  ) async throws(LabError) {
    switch face {
    case .setGain:
      _ = try await client.ask(
        SetGain.self,
        .init(target: .strip("music"), gainDB: change.gainDB),
      )
    case .set:
      let setting = ParameterSetting(path: Self.gainPath, value: .number(change.gainDB))
      _ = try await client.ask(SetParameters.self, .init(values: [setting]))
    case .osc:
      try osc.send(change.gainDB, to: Self.gainPath)
    }
  }

  private func waitUntilHeard() async throws(LabError) {
    var found: Float?
    for _ in 0..<Self.patience {
      let look = try await speaker.record(frames: Self.lookFrames) { () throws(LabError) in }
      let samples = look.recording.channels[0]
      if samples.allSatisfy({ abs($0 - Self.levelLinear) < 1e-5 }) { return }
      found = samples.last
    }
    throw LabError(
      .host,
      "the music has the level \(found ?? 0) at the route's output, and does not come to "
        + "\(Self.levelLinear) within 10 s",
    )
  }

  /// No ramp, so that a change is whole with its first sample.
  private static func graph(oscPort: Int) -> String {
    """
    multiroute: 1
    session: {category: multiRoute, options: [mixWithOthers]}
    server: {start: never}
    ramp: 0 ms
    routes:
      room: {type: builtInSpeaker, ports: ["speaker:in_1"]}
    sources:
      music: {ports: ["music:out"]}
    mix:
      - {from: music, to: room}
    surfaces:
      osc: {port: \(oscPort), tcp: false}

    """
  }

  private static let gainPath = "/strip/music/gain"
  private static let levelLinear: Float = 0.25
  private static let recordedMilliseconds = 50
  private static let lookFrames = 480
  private static let patience = 500
}
