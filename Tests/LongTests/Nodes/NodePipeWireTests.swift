// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// Inter-app audio on PipeWire's libjack.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct NodePipeWireTests {
  /// Where the effect is.
  enum Place { case strip, route }

  /// A PipeWire with a host that plays noise through `fx1`.
  private struct Rig {
    let pipeWire: PipeWireSession
    let host: HostProcess
    let effect: Child
    let scratch: Scratch
    let environment: [String: String]

    init(_ place: Place) async throws {
      pipeWire = try await PipeWireSession(channels: 4)
      scratch = try Scratch()
      // The host's socket is the test's, and PipeWire's its own.
      var environment = pipeWire.environment
      environment["PIPEWIRE_RUNTIME_DIR"] = environment["XDG_RUNTIME_DIR"]
      environment["XDG_RUNTIME_DIR"] = scratch.runtimeDirectory
      self.environment = environment
      let noise = [Signals.noise(48_000, seed: 1), Signals.noise(48_000, seed: 2)]
      try scratch.write(noise, to: "noise.wav", format: .wavFloat32)
      let graph = try scratch.write(
        """
        multiroute: 1
        session: {category: multiRoute, options: [mixWithOthers]}
        routes:
          main:
            type: lineOut
            ports: [system:playback_1, system:playback_2]
            inserts: [\(place == .route ? "fx1" : "")]
        sources:
          noise: {file: noise.wav, loop: true, inserts: [\(place == .strip ? "fx1" : "")]}
        mix: [{from: noise, to: main}]
        """,
        to: "pipewire.yaml",
      )
      effect = try Child(
        "pw-jack",
        [Multiroute.path(), "node", "run", "delay", "--mix", "0", "--name", "fx1"],
        environment: environment,
        in: scratch,
      )
      // PipeWire's own buffer size: nothing here needs a smaller one, with which more cycles come too late.
      host = try HostProcess(
        graph: graph,
        server: "default",
        arguments: ["--no-start-server", "--frames", "1024"],
        under: ["pw-jack"],
        environment: environment,
        in: scratch,
      )
      _ = try await host.attached(within: .seconds(40))
      do {
        try await host.waitUntilHeard(1, running: 1)
      } catch {
        let ports = try? pipeWire.jack("jack_lsp")
        let output = effect.standardOutput + effect.standardError
        throw TestFailure("\(error)\nthe effect: \(output)\n\(ports ?? "no ports")")
      }
    }

    /// Begins to record the player's output and the route's, in the same frames.
    func record(seconds: Int) throws -> (recorder: Child, file: String) {
      let file = "\(scratch.path)/recorded.wav"
      let ports = ["\(host.name)-sources:noise_1", host.port("main_out_1")]
      let recorder = try Child(
        "pw-jack",
        ["jack_rec", "-f", file, "-d", "\(seconds)", "-b", "24"] + ports,
        environment: environment,
        in: scratch,
      )
      return (recorder, file)
    }
  }

  @Test(
    "IAA-6, IAA-7: on PipeWire, too, an effect adds no frame, and is bypassed when it is killed",
    .aloneWithJACK,
    arguments: [Place.strip, .route]
  )
  func effect(_ place: Place) async throws {
    let rig = try await Rig(place)
    defer { rig.pipeWire.stop() }
    let (recorder, file) = try rig.record(seconds: 4)
    // Two seconds: two channels of 24 bits.
    try await waitUntil("half of it is recorded") {
      ((try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int ?? 0)
        > 2 * 48_000 * 6
    }
    // After one cycle too late the effect is bypassed for 0.1 s.
    try await rig.host.waitUntilHeard(1)
    rig.effect.send(SIGKILL, toGroup: true)
    _ = try await rig.host.waitForEvents(.nodeGone, count: 1)
    try await rig.host.waitUntilHeard(0)
    #expect(try await recorder.waitForEnd() == .code(0))
    let channels = try Signals.read(file)
    try #require(channels.count == 2)
    #expect(Signals.peak(channels[0]) > 0.1)
    // Where a cycle comes too late, as that of the end does, there is a bridge of 64 frames; all else is in
    // its place, with the effect and without.
    let wrong = zip(channels[0], channels[1]).count { abs($0 - $1) > 1e-6 }
    #expect(wrong * 20 <= channels[0].count, "\(wrong) of \(channels[0].count)")
    _ = try await rig.host.stop()
  }
}
