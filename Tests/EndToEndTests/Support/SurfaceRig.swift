// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import OSC
import TestSupport
import Testing

/// A host with a surface on a port, a deck that nobody touches, and a toy for messages.
struct SurfaceRig {
  let scratch: Scratch
  let host: HostProcess
  let port: Int
  let deck: [[Float]]

  /// Starts the host.
  ///
  /// - Parameters:
  ///   - options: The arguments that turn the surface on, for a free port.
  ///   - surfaces: The graph's surfaces, for that port.
  /// - Throws: ``TestFailure`` where the host does not start.
  init(
    _ options: (_ port: Int) -> [String] = { _ in [] },
    surfaces: (_ port: Int) -> String = { _ in "" },
  ) async throws {
    scratch = try Scratch()
    port = try await Self.freePort()
    deck = [Signals.noise(60_000, seed: 1), Signals.noise(60_000, seed: 2)]
    try scratch.write(deck, to: "deck.flac", format: .flacPCM16)
    let graph = try scratch.write(
      """
      multiroute: 1
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
        phones: {type: headphones, ports: [system:playback_3]}
      sources:
        deck: {file: deck.flac, loop: true}
        toy: {tone: {frequency: 480 Hz, level: -20 dB}}
      mix:
        - {from: deck, to: main}
        - {from: toy, to: phones}
      surfaces: {\(surfaces(port))}
      """,
      to: "surface.yaml",
    )
    host = try await HostProcess.running(
      graph: graph,
      server: try testServer().name,
      arguments: options(port),
      in: scratch,
    )
    try await waitUntil("the host has started its surfaces") { [host] in
      try await !host.status().surfaces.isEmpty
    }
  }

  /// A port that is free now, for UDP and TCP.
  static func freePort() async throws -> Int {
    let server = try await OSCServer.start(.init(port: 0, tcp: true)) { _ in }
    await server.close()
    return server.port
  }

  /// Sets a parameter over the socket.
  func set(_ path: String, _ value: ParameterValue) async throws {
    let control = try await host.control()
    let setting = ParameterSetting(path: path, value: value)
    _ = try await control.call(SetParameters.self, .init(values: [setting]))
    await control.close()
  }

  /// The value of a parameter, read over the socket.
  func value(_ path: String) async throws -> ParameterValue? {
    let control = try await host.control()
    let answer = try await control.call(GetParameters.self, .init(paths: [path]))
    await control.close()
    return answer.values.first?.value
  }

  /// Runs `body`, and expects that the deck was heard without a gap the whole time.
  func hearingDeck(seconds: Int, _ body: () async throws -> Void) async throws {
    let recorder = try Recorder(
      from: ["main_out_1", "main_out_2"].map { host.port($0) },
      capacityFrames: seconds * 48_000,
      server: host.server,
    )
    recorder.start()
    try await body()
    let recording = try await recorder.finish()
    recorder.close()
    for (samples, reference) in zip(recording.channels, deck) {
      let start = try #require(samples.indices.first { samples[$0] != 0 })
      let match = try #require(Signals.longestMatch(of: samples, from: start, inLoop: reference))
      #expect(start + match.frames == samples.count)
    }
  }
}
