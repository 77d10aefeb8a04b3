// SPDX-License-Identifier: MIT

import ControlProtocol
import TestSupport
import Testing

@testable import EndToEndSupport

/// The mix, changed through the command line and measured at the routes' ports.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ControlTests {
  /// A command, and the levels that it leaves behind.
  struct Change: CustomTestStringConvertible, Sendable {
    let command: String
    /// The level of tone a at main left and right and in the headphones, in dB; nil for silence.
    let a: [Double?]
    /// The level of tone b at the same places.
    let b: [Double?]

    var testDescription: String { command }

    init(_ command: String, a: [Double?], b: [Double?] = [-30, -30, nil]) {
      self.command = command
      self.a = a
      self.b = b
    }
  }

  private static let outputs = ["main_out_1", "main_out_2", "phones_out_1"]
  private static let frequenciesHz = [500.0, 750.0]

  private static let changes = [
    Change("set gain a -6dB", a: [-26, -26, nil]),
    Change("set gain a -inf --ramp 20ms", a: [nil, nil, nil]),
    Change("set gain main -12", a: [-32, -32, nil], b: [-42, -42, nil]),
    Change("set gain a main -3dB", a: [-23, -23, nil]),
    Change("set gain strip:a -6dB", a: [-26, -26, nil]),
    Change("set mute a on", a: [nil, nil, nil]),
    Change("set mute main on", a: [nil, nil, nil], b: [nil, nil, nil]),
    Change("set mute b main on", a: [-20, -20, nil], b: [nil, nil, nil]),
    Change("set send a phones -9dB", a: [-20, -20, -29]),
    Change(
      "set send a main -4dB --strip-channel 1 --route-channel 2",
      a: [-20, -24, nil],
    ),
    Change("set pan a -1", a: [-20, nil, nil]),
    Change("set pan a 50%", a: [-28.34, -20.69, nil]),
    Change("set solo a on", a: [-20, -20, nil], b: [nil, nil, nil]),
    Change("set cue a on", a: [-20, -20, -20]),
    Change("set crossfader 0", a: [-23.01, -23.01, nil], b: [-33.01, -33.01, nil]),
    Change("set crossfader 1", a: [nil, nil, nil], b: [-30, -30, nil]),
    Change("fade a -10dB --over 0.3s --wait", a: [-30, -30, nil]),
    // The spelling of version 0.2.
    Change("set gain --strip a --to=-inf --ramp 20", a: [nil, nil, nil]),
    Change("set gain --strip a --route main --to -3", a: [-23, -23, nil]),
    Change("set mute --route main on", a: [nil, nil, nil], b: [nil, nil, nil]),
    Change("set send a phones --to -9", a: [-20, -20, -29]),
    Change("set pan a --to -1", a: [-20, nil, nil]),
    Change("set crossfader --to 1", a: [nil, nil, nil], b: [-30, -30, nil]),
    Change("fade --strip a --to -10 --over 300 --wait", a: [-30, -30, nil]),
  ]

  @Test(.steppedServer(frames: 128), arguments: changes)
  func `a command changes the levels as it says`(_ change: Change) async throws {
    let scratch = try Scratch()
    let host = try await running(
      // In the middle both sides of the crossfader are at −3 dB; at the ends one is full, the other silent.
      crossfader: change.command.contains("crossfader") ? -1 : nil,
      in: scratch,
    )
    let words = change.command.split(separator: " ").map(String.init)
    let output = try await Multiroute.run(words + ["--host", host.name], in: scratch)
    #expect(output.end == .code(0), "\(output.standardError)")
    // A change takes 5 ms and begins at a period's edge.
    try await passFrames(2_400, on: host.server)
    let recording = try await record(host)
    for (frequency, expected) in zip(Self.frequenciesHz, [change.a, change.b]) {
      for (output, pair) in zip(Self.outputs, zip(recording, expected)) {
        let level = Signals.amplitudeDB(pair.0, ofFrequencyHz: frequency)
        if let wanted = pair.1 {
          #expect(abs(level - wanted) < 0.1, "\(frequency) Hz at \(output)")
        } else {
          #expect(level < -120, "\(frequency) Hz at \(output)")
        }
      }
    }
    #expect(try await host.stop() == .code(0))
  }

  @Test(.steppedServer(frames: 128))
  func `fade --wait returns when the fade has ended, and moves evenly until then`() async throws {
    let scratch = try Scratch()
    let host = try await running(crossfader: nil, in: scratch)
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 3 * 48_000,
      server: host.server,
    )
    recorder.start()
    let start = try steppedServer().frame
    let output = try await Multiroute.run(
      ["fade", "a", "-40dB", "--over", "1s", "--wait", "--host", host.name],
      in: scratch,
    )
    #expect(output.end == .code(0))
    #expect(try steppedServer().frame - start >= 48_000)
    #expect(try await host.status().strips.first?.gainDB == -40)
    let finished = try await host.waitForEvents(.fadeFinished)
    #expect(finished[0].fadeFinished?.strip == "a")
    #expect(finished[0].fadeFinished?.gainDB == -40)
    let samples = try await recorder.finish().channels[0]
    let levels = stride(from: 0, to: samples.count, by: 960).map {
      Signals.amplitudeDB(Array(samples[$0..<$0 + 960]), ofFrequencyHz: 500)
    }
    #expect(abs(levels[0] + 20) < 0.1)
    #expect(abs(levels[levels.count - 1] + 60) < 0.1)
    for (level, next) in zip(levels, levels.dropFirst()) { #expect(next < level + 0.1) }
    // 50 blocks of 20 ms are on the way down.
    let moving = levels.count { $0 < -20.1 && $0 > -59.9 }
    #expect((46...52).contains(moving), "\(levels)")
    #expect(try await host.stop() == .code(0))
  }

  // MARK: - The host

  /// Runs two tones, a at −20 dB and b at −30 dB, on a stereo route, beside a silent mono route.
  private func running(crossfader: Int?, in scratch: Scratch) async throws -> HostProcess {
    let graph = try scratch.write(
      """
      multiroute: 1
      server: {start: never}
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
        phones: {type: headphones, ports: [none:at-all]}
      sources:
        a: {tone: {frequency: 500 Hz, level: -20 dB}}
        b: {tone: {frequency: 750 Hz, level: -30 dB}}
      mix: [{from: a, to: main}, {from: b, to: main}]
      controls:
        cue: {to: phones}
      """
        + (crossfader.map { "\n  crossfader: {a: a, b: b, position: \($0)}\n" } ?? "\n"),
      to: "control.yaml",
    )
    return try await HostProcess.running(graph: graph, server: testServer().name, in: scratch)
  }

  private func record(_ host: HostProcess) async throws -> [[Float]] {
    let recorder = try Recorder(
      from: Self.outputs.map { host.port($0) },
      capacityFrames: 9_600,
      server: host.server,
    )
    recorder.start()
    return try await recorder.finish().channels
  }
}
