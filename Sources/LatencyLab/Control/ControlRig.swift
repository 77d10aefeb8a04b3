// SPDX-License-Identifier: MIT

import CRealtime
import ControlProtocol
import ControlSocket
import JACK

/// A change of the music's level.
///
/// Pure value: [any-thread].
enum ControlChange: CaseIterable {
  case down, up

  /// The gain that it leads to, in dB.
  var gainDB: Double { self == .down ? -6 : 0 }

  /// The value of a control change: for a fader of gains about -10 dB and 0 dB, for a crossfader the middle and side A.
  func value(of face: ControlFace) -> UInt8 {
    switch (self, face) {
    case (.down, _): 64
    case (.up, .crossfader): 0
    case (.up, _): 95
    }
  }
}

/// Music through a strip of a host to a loudspeaker, and the faces of the host that change its level.
///
/// Belongs to the control thread.
final class ControlRig: BenchRig {
  private let speaker: Speaker
  private let music: LabClient<ConstantVoice>
  private let host: BenchHost
  private let client: ControlClient
  private let osc: OSCSender
  private let controller: LabClient<ControllerVoice>
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
    controller = try ControllerVoice.client(name: Self.device, server: server)
    host = try await BenchHost(
      program: benchmark.program,
      graph: Self.graph(oscPort: osc.hostPort),
      name: "control-cost",
      server: server,
    )
    client = try await host.connect()
    try await waitUntilHeard()
    try await waitUntilPlugged()
  }

  /// Ends all of it.
  func close() async {
    await client.close()
    host.stop()
    music.close()
    controller.close()
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
    let moment: ControlStep.Moment
    if face.controlNumber == nil {
      moment = .nanoseconds(heard.requestNanoseconds)
    } else if let frame = unsafe controller.state.pointee.frame {
      moment = .frame(frame)
    } else {
      throw LabError(.jack, "\(Self.device): a MIDI message was not sent within 50 ms")
    }
    return ControlStep(recording: heard.recording, moment: moment)
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
    case .midi, .crossfader:
      unsafe controller.state.pointee.send(
        face.controlNumber ?? 0,
        change.value(of: face),
        atShare: .random(in: .min ... .max),
      )
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

  private func waitUntilPlugged() async throws(LabError) {
    let connection = controller.connection
    for _ in 0..<Self.patience {
      let hosts = try LabError.wrapping { () throws(JACKError) in
        try connection.connections(ofPort: "\(connection.name):out")
      }
      if !hosts.isEmpty {
        // The host reads the values of mapped parameters before it takes messages.
        return try await LabError.sleep(.milliseconds(500))
      }
      try await LabError.sleep(.milliseconds(20))
    }
    throw LabError(.host, "the host does not connect to the MIDI controller within 10 s")
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
      other: {ports: ["other:out"]}
    mix:
      - {from: music, to: room}
    controls:
      crossfader: {a: music, b: other, curve: linear, position: -1}
      midi:
        bench:
          device: \(device)
          map:
            - {control: cc 1/7, parameter: \(gainPath), takeover: jump}
            - {control: cc 1/8, parameter: /crossfader/position, takeover: jump}
    surfaces:
      osc: {port: \(oscPort), tcp: false}

    """
  }

  private static let device = "bench-controller"
  private static let gainPath = "/strip/music/gain"
  private static let levelLinear: Float = 0.25
  private static let recordedMilliseconds = 50
  private static let lookFrames = 480
  private static let patience = 500
}
