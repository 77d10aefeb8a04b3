// SPDX-License-Identifier: MIT

import CRealtime
import ControlProtocol
import ControlSocket
import JACK

/// A host with many strips and its page in Chromium; the music of one strip goes to a loudspeaker.
///
/// Belongs to the control thread.
final class WebRig: BenchRig {
  /// Movements of the fader, and the sound meanwhile.
  struct Movement {
    /// CLOCK_MONOTONIC just before each movement.
    let nanoseconds: [UInt64]
    /// The route's output.
    let recording: Speaker.Recording
  }

  /// The page.
  let page: PageDriver
  private let speaker: Speaker
  private let xruns: XrunWatch
  private let music: LabClient<ConstantVoice>
  private let host: BenchHost
  private let client: ControlClient

  /// Starts host, clients and Chromium on a running server.
  ///
  /// - Parameters:
  ///   - benchmark: The programs and the circumstances.
  ///   - server: The server's name.
  /// - Throws: ``LabError`` `jack`, `host`, `tool` or `cancelled`.
  init(_ benchmark: WebBenchmark, server: String) async throws(LabError) {
    speaker = try Speaker(
      ports: 1,
      capacityFrames: benchmark.sampleRateHz * Self.recordedSeconds,
      name: "speaker",
      server: server,
    )
    xruns = XrunWatch(speaker.connection.notifications)
    music = try ConstantVoice.client(name: "music", server: server, levelLinear: 0.25)
    let port = try OSCSender().hostPort
    host = try await BenchHost(
      program: benchmark.program,
      graph: Self.graph(strips: benchmark.strips, port: port),
      name: "web-cost",
      server: server,
    )
    client = try await host.connect()
    page = try PageDriver(benchmark.script, port: port, folder: host.folder)
  }

  /// Ends all of it.
  func close() async {
    await page.close()
    await client.close()
    host.stop()
    xruns.stop()
    music.close()
    speaker.close()
  }

  /// Moves the music's fader in the page.
  ///
  /// - Parameter count: The number of movements, which must fit into the recording.
  /// - Returns: The movements.
  /// - Throws: ``LabError`` `jack`, `tool` or `cancelled`.
  func move(_ count: Int) async throws(LabError) -> Movement {
    var moves: PageDriver.Moves?
    let recording = try await speaker.recordUntil { () throws(LabError) in
      moves = try await page.ask("move \(count)", PageDriver.Moves.self)
    }
    return Movement(nanoseconds: moves?.nanoseconds ?? [], recording: recording)
  }

  /// Changes gains over the control socket, and has the page note when it shows them.
  ///
  /// - Parameter numbers: The changes' numbers from 0, each for a gain of its own.
  /// - Returns: CLOCK_MONOTONIC just before each change, by its gain in dB, and what the page has shown.
  /// - Throws: ``LabError`` `host`, `tool` or `cancelled`.
  func change(
    _ numbers: Range<Int>
  ) async throws(LabError) -> (sent: [Double: UInt64], shown: PageDriver.Changes) {
    _ = try await page.ask("listen 0", PageDriver.Done.self)
    var sent: [Double: UInt64] = [:]
    for number in numbers {
      // Each gain once, as a fader's text has it.
      let gainDB = -Double(number + 1) / 10
      sent[gainDB] = realtime_now_nanoseconds()
      _ = try await client.ask(SetGain.self, .init(target: .strip("tone-2"), gainDB: gainDB))
      try await LabError.sleep(.microseconds(.random(in: 60_000...100_000)))
    }
    return (sent, try await page.ask("heard 0", PageDriver.Changes.self))
  }

  /// The times of requests on the control socket.
  ///
  /// - Parameter count: The number of requests.
  /// - Returns: The time of each in microseconds, from the request to its answer.
  /// - Throws: ``LabError`` `host` or `tool`.
  func requests(_ count: Int) async throws(LabError) -> [Double] {
    try await PromptClient.setGains(of: "tone-2", count, path: host.socketPath())
  }

  /// The xruns since the last call.
  func takeXruns() -> Int { xruns.takeEvents().count }

  /// No ramp, so that a change begins and ends with one sample.
  private static func graph(strips: Int, port: Int) -> String {
    let tones = strips < 2 ? [] : Array(2...strips)
    return """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      server: {start: never}
      ramp: 0 ms
      routes:
        room: {type: builtInSpeaker, ports: ["speaker:in_1"]}
        spare: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      sources:
        music: {ports: ["music:out"]}
      \(tones.map { "  tone-\($0): {tone: {frequency: \(100 * $0) Hz, level: -30 dB}}" }.joined(separator: "\n"))
      mix:
        - {from: music, to: room}
      \(tones.map { "  - {from: tone-\($0), to: spare}" }.joined(separator: "\n"))
      surfaces:
        web: {port: \(port)}

      """
  }

  private static let recordedSeconds = 60
}
