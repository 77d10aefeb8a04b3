// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Glibc
import OSC
import Synchronization
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
  ///   - options: The arguments that turn the surface on; the port that they get is 0, for any free one.
  ///   - surfaces: The graph's surfaces, for that port.
  ///   - controls: The graph's controls.
  /// - Throws: ``TestFailure`` where the host does not start.
  init(
    _ options: (_ port: Int) -> [String] = { _ in [] },
    surfaces: (_ port: Int) -> String = { _ in "" },
    controls: String = "",
  ) async throws {
    scratch = try Scratch()
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
      surfaces: {\(surfaces(0))}
      controls: {\(controls)}
      """,
      to: "surface.yaml",
    )
    host = try await HostProcess.running(
      graph: graph,
      server: try testServer().name,
      arguments: options(0),
      in: scratch,
    )
    var port: Int?
    try await waitUntil("the host has started its surfaces") { [host] in
      port = try await host.status().surfaces.first?.port
      return port != nil
    }
    self.port = try #require(port)
  }

  /// The port that the last search ended at, less 20,000.
  ///
  /// Each process begins at one of its own, so that two seldom look at the same.
  private static let last = Mutex(Int(getpid()) * 62 % 10_000)

  /// A port that is free, for programs that cannot choose one themselves; the port above it is not given to others.
  ///
  /// It is none of those that the kernel gives to whoever asks for any (`ip_local_port_range`), so nobody takes it by chance.
  static func freePort() async throws -> Int {
    for _ in 0..<100 {
      let number = last.withLock { last in
        last = (last + 2) % 10_000
        return 20_000 + last
      }
      guard let server = try? await OSCServer.start(.init(port: number, tcp: true), take: { _ in })
      else { continue }
      await server.close()
      return number
    }
    throw TestFailure("none of a hundred ports is free")
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
