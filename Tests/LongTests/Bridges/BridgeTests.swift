// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// `multiroute bridge` between a JACK server and PipeWire's ALSA device, each with its own clock.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct BridgeTests {
  /// A second of a tone of 480 Hz at half of full scale.
  private static let tone = (0..<48_000).map { Float(0.5 * sin(2 * Double.pi * Double($0) / 100)) }

  private static func card() async throws -> PipeWireSession {
    let card = try await PipeWireSession(channels: 4)
    try card.session.run(["pw-metadata", "-n", "settings", "0", "clock.force-quantum", "256"])
    return card
  }

  @Test(.jackServer(rate: 48_010, frames: 256))
  func `a tone goes through, the clocks lock, and a new buffer size keeps the lock`() async throws {
    let server = try testServer()
    let card = try await Self.card()
    defer { card.stop() }
    let scratch = try Scratch()
    let bridge = try BridgeProcess("playback", server: server.name, on: card, in: scratch)
    let status = try await bridge.wait(for: "locked") { $0.lock == "locked" }
    #expect(status.jackRateHz == 48_010)
    #expect(status.deviceRateHz == 48_000)

    // Two periods and the filter, which is the latency that JACK reports.
    let player = try Player(
      [Self.tone, Self.tone],
      loops: true,
      to: ["usb:playback_1", "usb:playback_2"],
      server: server.name,
    )
    defer { player.close() }
    let delay = try #require(status.delayFrames)
    #expect(abs(delay - 560) < 2)
    try await waitUntil("JACK knows the delay") {
      let range = try player.connection.latencyRange(ofPort: "usb:playback_1", .playback)
      return abs(Int(range.minFrames) - Int(delay.rounded())) <= 1
    }
    let port = try player.connection.ports(matching: "^usb:playback_1$").first
    #expect(port?.flags.isSuperset(of: [.input, .physical, .terminal]) == true)
    let uuid = try player.connection.uuid(ofClient: "usb")
    try await waitUntil("JACK's metadata says so, too", within: .seconds(60)) {
      let key = MetadataKey(rawValue: "urn:multiroute:bridge:lock")
      return try player.connection.metadata(for: key, of: uuid)?.text == "locked"
    }

    player.start()
    // The tone needs a tenth of a second through the bridge and the card; the recording shall begin with it.
    try await passFrames(14_400, on: server.name)
    let file = "\(scratch.path)/heard.wav"
    try card.jack("jack_rec", "-f", file, "-d", "2", "-b", "24", "system:capture_1")
    #expect(abs(Signals.rmsDB(try Signals.read(file)[0]) + 9) < 2)

    try player.connection.setBufferFrames(128)
    try await bridge.wait(for: "the new period") { $0.jackPeriodFrames == 128 }
    let after = try await bridge.wait(for: "locked again") {
      $0.lock == "locked" && abs(($0.delayFrames ?? 0) - 432) < 2
    }
    #expect(after.server == "connected")
    #expect(after.serverLosses == 0)
    bridge.child.send(SIGTERM)
    #expect(try await bridge.child.waitForEnd() == .code(0))
    #expect(bridge.events.last == "stopped")
  }

  @Test(.aloneWithJACK)
  func `the server may die and come back at another rate`() async throws {
    let card = try await Self.card()
    defer { card.stop() }
    let scratch = try Scratch()
    let server = try await TestServer.start(rate: 48_000, frames: 256)
    let bridge = try BridgeProcess("capture", server: server.name, on: card, in: scratch)
    try await bridge.wait(for: "locked") { $0.lock == "locked" }
    try await server.kill()
    let lost = try await bridge.wait(for: "the server is missed") { $0.server == "waiting" }
    #expect(lost.lock == "lost")
    #expect(lost.reason != nil)

    var configuration = server.process.configuration
    configuration.sampleRateHz = 44_100
    let next = ServerProcess(configuration)
    try await next.start(within: .seconds(20))
    let back = try await bridge.wait(for: "locked at 44.1 kHz") {
      $0.lock == "locked" && $0.jackRateHz == 44_100
    }
    #expect(back.serverLosses == 1)
    #expect(back.deviceRateHz == 48_000)
    bridge.child.send(SIGTERM)
    #expect(try await bridge.child.waitForEnd() == .code(0))
    await next.stop()
  }

  @Test(.jackServer(rate: 48_000, frames: 256))
  func `a device that stands still, and a bridge that was suspended, come back`() async throws {
    let server = try testServer()
    let card = try await Self.card()
    defer { card.stop() }
    let scratch = try Scratch()
    let bridge = try BridgeProcess("playback", server: server.name, on: card, in: scratch)
    try await bridge.wait(for: "locked") { $0.lock == "locked" }

    // A driver that no longer answers: JACK's thread does not wait for it.
    let daemon = try card.daemonPID()
    kill(daemon, SIGSTOP)
    let lost = try await bridge.wait(for: "lost") { $0.lock == "lost" }
    #expect(lost.server == "connected")
    kill(daemon, SIGCONT)
    try await bridge.wait(for: "sound again") { $0.lock == "coarse" || $0.lock == "locked" }

    // A stopped process sees the same as one on a suspended machine.
    bridge.child.send(SIGSTOP)
    // The second that the machine sleeps: JACK may stand still meanwhile, and counts no frames.
    try await Task.sleep(for: .seconds(1))
    bridge.child.send(SIGCONT)
    let count = bridge.lines.count
    try await bridge.wait(for: "sound after the suspend") { status in
      bridge.lines.count > count + 5 && (status.lock == "coarse" || status.lock == "locked")
    }
    bridge.child.send(SIGTERM)
    #expect(try await bridge.child.waitForEnd() == .code(0))
  }

  @Test(.jackServer(rate: 48_000, frames: 256))
  func `a device that is not there is waited for, with the ports in place`() async throws {
    let server = try testServer()
    let card = try await Self.card()
    defer { card.stop() }
    let scratch = try Scratch()
    let bridge = try Child(
      Multiroute.path(),
      ["bridge", "--device", "hw:NoSuchCard", "--capture", "--server", server.name, "--json"],
      in: scratch,
    )
    let client = try OpenedClient.open(name: "looker", server: server.name)
    let connection = client.connection
    try await waitUntil("the ports are there") {
      try connection.ports(matching: "^bridge:capture_").count == 2
    }
    try await waitUntil("it says what is missing") {
      bridge.standardOutput.contains(#""kind":"deviceLost""#)
        && bridge.standardOutput.contains("hw:NoSuchCard")
    }
    client.close()
    bridge.send(SIGINT)
    #expect(try await bridge.waitForEnd() == .code(0))
  }

  @Test func `a wrong command line is refused in words`() async throws {
    let scratch = try Scratch()
    for (arguments, words) in [
      (["--playback", "--device", "hw:1", "--channels", "65"], "1 to 64"),
      (["--playback", "--device", "hw:1", "--frames", "8"], "16 to 8192"),
      (["--playback", "--device", "hw:1", "--slack", "501"], "0 to 500 ms"),
      (["--device", "hw:1"], "--playback"),
      (["--playback", "--device", "hw:1", "--name", "a:b"], "no colon"),
    ] {
      let output = try await Multiroute.run(["bridge"] + arguments, in: scratch)
      #expect(output.end == .code(64))
      #expect(output.standardError.contains(words))
    }
  }
}
