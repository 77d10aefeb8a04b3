// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// The share of an effect in the sound, and patches that are kept.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct NodeControlTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// The root mean square of a tenth of a second of the route.
  private func loudness(_ host: HostProcess, _ server: String) async throws -> Double {
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 4_800,
      server: server,
    )
    defer { recorder.close() }
    recorder.start()
    return pow(10, Signals.rmsDB(try await recorder.finish().channels[0]) / 20)
  }

  @Test("IAA-7: dry/wet mixes the sound with and without effects", .jackServer())
  func wet() async throws {
    let server = try testServer().name
    let sine = Signals.sine(1_000, seconds: 1, amplitude: 0.1)
    try scratch.write([sine, sine], to: "sine.wav", format: .wavFloat32)
    // Four times as loud at this frequency, and not delayed there.
    let effect = try scratch.node("equalizer", server, "--band", "1000,12.0412,1")
    let host = try await HostProcess.running(
      graph: try scratch.soundGraph(
        source: "{file: sine.wav, loop: true, inserts: [equalizer], wet: 0.5}"
      ),
      server: server,
      in: scratch,
    )
    try await host.waitUntilHeard(0.5)
    let client = try await host.control()
    for (wet, wanted) in [(0.5, 2.5), (0.25, 1.75), (1, 4), (0, 1)] {
      let params = SetInserts.Params(target: .strip("sound"), nodes: ["equalizer"], wet: wet)
      _ = try await client.call(SetInserts.self, params)
      var ratios: [Double] = []
      // A machine with other work to do may leave the effect out for a tenth of a second.
      for _ in 0..<20 where !ratios.contains(where: { abs($0 - wanted) < 0.02 * wanted }) {
        try await host.waitUntilHeard(wet)
        ratios.append(try await loudness(host, server) / 0.1 * 2.0.squareRoot())
      }
      #expect(ratios.contains { abs($0 - wanted) < 0.02 * wanted }, "\(wet): \(ratios)")
    }
    await client.close()
    _ = try await host.stop()
    _ = effect
  }

  @Test(
    "what is patched by hand is shown, and kept over restarts of either side when asked",
    .jackServer()
  )
  func patches() async throws {
    let server = try testServer().name
    let name = Scratch.uniqueName("patched")
    let graph = try scratch.soundGraph(source: "{tone: {wave: sine}}", more: "keepPatches: true")
    func start() async throws -> HostProcess {
      try await HostProcess.running(graph: graph, server: server, name: name, in: scratch)
    }
    var host = try await start()
    let input = host.port("sound_in_1")
    let main = host.port("main_out_2")
    var player = try Player([[0]], server: server, name: "deck")
    // Time itself has to pass: for two seconds a program counts as connecting itself.
    try await Task.sleep(for: .milliseconds(2_200))
    try player.connection.connect("deck:out_1", to: input)
    try player.connection.disconnect(main, from: "system:playback_2")
    let wanted = [
      PatchStatus(source: "deck:out_1", destination: input, made: true, kept: true),
      PatchStatus(source: main, destination: "system:playback_2", made: false, kept: true),
    ]
    try await waitUntilPatched(host, wanted)

    player.close()
    let looker = try OpenedClient.open(name: "looker", server: server)
    try await waitUntil("its port is gone") {
      try looker.connection.ports(matching: "^deck:").isEmpty
    }
    looker.close()
    player = try Player([[0]], server: server, name: "deck")
    try await waitUntil("the program's patch is back") {
      try player.connection.connections(ofPort: "deck:out_1") == [input]
    }

    _ = try await host.stop()
    host = try await start()
    try await waitUntil("the host's patches are back") {
      try player.connection.connections(ofPort: "deck:out_1") == [input]
    }
    #expect(try player.connection.connections(ofPort: main).isEmpty)
    try await waitUntilPatched(host, wanted)
    player.close()
    _ = try await host.stop()
  }

  private func waitUntilPatched(_ host: HostProcess, _ wanted: [PatchStatus]) async throws {
    let client = try await host.control()
    var patches: [PatchStatus] = []
    do {
      try await waitUntil("the patches are \(wanted)", every: .milliseconds(20)) {
        patches = try await client.call(GetStatus.self).patches
        return patches == wanted
      }
    } catch {
      throw TestFailure("\(error), but \(patches)")
    }
    await client.close()
  }
}
