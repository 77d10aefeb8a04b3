// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// The fade before the host closes its clients, where each cycle takes 40 ms: it takes as many cycles as ever, and does not click.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ClosingFadeTests {
  private static let level: Float = 0.5

  private static func graph(_ server: String, preferred: String = "", source: String) -> String {
    """
    multiroute: 1
    server: {\(server)}
    session: {category: multiRoute, options: [mixWithOthers], preferred: {\(preferred)}}
    routes: {main: {type: lineOut, ports: [system:playback_1]}}
    sources: {deck: {ports: ["\(source)"]}}
    mix: [{from: deck, to: main}]

    """
  }

  /// Compares the first fade with a ramp from ``level`` to silence that nothing has cut off.
  ///
  /// - Parameters:
  ///   - samples: The samples; the level comes first.
  ///   - frames: The length of the fade.
  /// - Throws: Where the level is not heard, or no silence comes.
  private static func check(_ samples: [Float], frames: Int) throws {
    let sounds = samples.firstIndex(of: level)
    let begin = try #require(sounds, "the level is not heard")
    let silence = samples[begin...].firstIndex(of: 0)
    let end = try #require(silence, "no silence comes")
    let ramp = samples[begin...end].drop { $0 == level }
    let steps = zip([level] + ramp, ramp).map { abs($0 - $1) }
    let largest = try #require(steps.max())
    #expect(largest <= level / Float(frames) * 1.01, "largest step \(largest)")
    #expect(ramp.count >= frames - 1)
    // It stays silent until its clients are closed.
    #expect(samples[end...].prefix(2 * 256).allSatisfy { $0 == 0 })
  }

  /// Has a server's first input play the level, and waits until the host plays it on.
  private static func playLevel(on server: SteppedServer) async throws {
    server.play([[Float](repeating: level, count: 4_096)], loops: true)
    try await waitUntil("the level is heard") {
      server.heard(0, from: max(0, server.frame - 1_024)).contains { $0 == level }
    }
  }

  @Test(.steppedServer(frames: 256))
  func `the end is a whole fade, however long a cycle takes`() async throws {
    let scratch = try Scratch()
    let server = try steppedServer()
    let text = Self.graph("start: never", source: "system:capture_1")
    let host = try await HostProcess.running(
      graph: try scratch.write(text, to: "end.yaml"),
      server: server.name,
      in: scratch,
    )
    try await Self.playLevel(on: server)
    server.run(every: .milliseconds(40))
    let start = server.frame
    host.child.send(SIGINT)
    #expect(try await host.child.waitForEnd() == .code(0))
    try Self.check(server.heard(0, from: start), frames: 2_400)
  }

  @Test(.steppedServer(frames: 256))
  func `leaving for a server with other settings begins with a whole fade`() async throws {
    let scratch = try Scratch()
    let server = try steppedServer()
    let before = Self.graph("start: never", source: "system:capture_1")
    let host = try await HostProcess.running(
      graph: try scratch.write(before, to: "move.yaml"),
      server: server.name,
      in: scratch,
    )
    try await Self.playLevel(on: server)
    let client = try await host.control(role: .user)
    server.run(every: .milliseconds(40))
    let start = server.frame
    // The server of that name runs, so the host attaches to the same one again.
    let after = Self.graph("start: never, periods: 3", source: "system:capture_1")
    #expect(try await client.call(ApplyGraph.self, .init(text: after)).applied)
    try Self.check(server.heard(0, from: start), frames: 480)
    #expect(try await host.status().server.restarts == 1)
    await client.close()
    #expect(try await host.stop() == .code(0))
  }

  @Test(.aloneWithJACK)
  func `the host's own server ends for another rate behind a whole fade`() async throws {
    let scratch = try Scratch()
    let server = Scratch.uniqueName("rate")
    func graph(_ rate: String) -> String {
      Self.graph(
        "driver: dummy, realtime: false",
        preferred: "sampleRate: \(rate), ioBufferFrames: 256",
        source: "signal:out_1",
      )
    }
    let host = try await HostProcess.running(
      graph: try scratch.write(graph("48 kHz"), to: "rate.yaml"),
      server: server,
      in: scratch,
    )
    let player = try Player(
      [[Float](repeating: Self.level, count: 4_096)],
      loops: true,
      server: server,
      name: "signal",
    )
    defer { player.close() }
    player.start()
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 10 * 48_000,
      server: server,
    )
    defer { recorder.close() }
    try await waitUntil("the level is heard") {
      recorder.latest(1_024)[0].contains { $0 == Self.level }
    }
    recorder.start()
    let brake = try Brake(server: server)
    defer { brake.release() }
    let client = try await host.control(role: .user)
    #expect(try await client.call(ApplyGraph.self, .init(text: graph("44.1 kHz"))).applied)
    try Self.check(recorder.captured.channels[0], frames: 480)
    #expect(try await host.status().hardware.sampleRate.actual == 44_100)
    await client.close()
    #expect(try await host.stop() == .code(0))
  }
}

/// A client that takes 40 ms for each cycle, for which its server waits.
@safe
private final class Brake {
  private var client: ActiveClient?
  /// JACK hands a pointer to the callback, which needs none.
  private let place = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)

  init(server: String) throws {
    let opened = try OpenedClient.open(name: "brake", server: server)
    client = unsafe try opened.activate(process: brakeProcess, context: place)
  }

  deinit { unsafe place.deallocate() }

  func release() { _ = client.take()?.close() }
}

@c(multiroute_test_brake)
private func brakeProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  // The callback is late by itself.
  usleep(40_000)
  return 0
}
