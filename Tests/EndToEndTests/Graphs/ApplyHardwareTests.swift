// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Versions of a graph that prefer another buffer or another rate, on real servers.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ApplyHardwareTests {
  private static func graph(_ preferred: String, server: String) -> String {
    """
    multiroute: 1
    server: {\(server)}
    session: {category: multiRoute, options: [mixWithOthers], preferred: {\(preferred)}}
    routes: {main: {type: lineOut, ports: [system:playback_1]}}
    sources: {deck: {tone: {}}}
    mix: [{from: deck, to: main}]

    """
  }

  /// The change of the buffer or the rate that a plan tells.
  private static func change(
    _ value: String,
    from: Int,
    to: Int
  ) -> [GraphPlan.HardwareChange] {
    [GraphPlan.HardwareChange(value: value, from: from, to: to)]
  }

  @Test(.jackServer(frames: 256))
  func `the buffer becomes the one that the dry run says, and goes back without a preference`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    func graph(_ preferred: String) -> String { Self.graph(preferred, server: "start: never") }
    let host = try await HostProcess.running(
      graph: try scratch.write(graph("ioBufferFrames: 256"), to: "buffer.yaml"),
      server: server,
      in: scratch,
    )
    let asker = try OpenedClient.open(name: "asker", server: server)
    let client = try await host.control(role: .user)
    var before = 256
    for (preferred, frames) in [
      ("ioBufferFrames: 512", 512), ("ioBufferDuration: 5 ms", 240), ("ioBufferFrames: 128", 128),
      ("", 256),
    ] {
      let text = graph(preferred)
      let dry = try await client.call(ApplyGraph.self, .init(text: text, dryRun: true))
      #expect(dry.plan.hardware == Self.change("ioBufferFrames", from: before, to: frames))
      #expect(try await client.call(ApplyGraph.self, .init(text: text)).plan == dry.plan)
      #expect(try await host.status().hardware.ioBufferFrames.actual == Double(frames))
      #expect(try asker.connection.bufferFrames == UInt32(frames))
      before = frames
    }
    await client.close()
    #expect(try await host.stop() == .code(0))
  }

  @Test func `the host's own server starts anew at the rate that the dry run says`() async throws {
    let scratch = try Scratch()
    func graph(_ preferred: String) -> String {
      Self.graph(preferred, server: "driver: dummy, realtime: false")
    }
    let host = try await HostProcess.running(
      graph: try scratch.write(graph("sampleRate: 48 kHz"), to: "rate.yaml"),
      server: Scratch.uniqueName("rate"),
      in: scratch,
    )
    let client = try await host.control(role: .user)
    let text = graph("sampleRate: 44.1 kHz")
    let dry = try await client.call(ApplyGraph.self, .init(text: text, dryRun: true))
    #expect(dry.plan.hardware == Self.change("sampleRateHz", from: 48_000, to: 44_100))
    #expect(dry.plan.server?.effect == .restarts && dry.plan.server?.silentMilliseconds != nil)
    #expect(try await client.call(ApplyGraph.self, .init(text: text)).applied)
    let status = try await host.status()
    #expect(status.hardware.sampleRate.actual == 44_100)
    #expect(status.server.state == .running && status.host.graphVersion?.number == 2)
    await client.close()
    #expect(try await host.stop() == .code(0))
  }
}
