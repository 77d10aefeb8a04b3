// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import JACK
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// Devices that come and go, again and again.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct MultiRouteTests {
  /// A deck for each of three devices; the third has a fallback.
  private func threeRoutes(_ names: [String], in scratch: Scratch) async throws -> DeviceShow {
    try await DeviceShow(
      """
        a: {type: usbAudio, ports: ["\(names[0]):in_1"]}
        b: {type: headphones, ports: ["\(names[1]):in_1"]}
        c: {type: HDMI, ports: ["\(names[2]):in_1"], fallback: rest}
        rest: {type: lineOut, ports: [system:playback_1]}
      """,
      mix: "  - {from: d1, to: a}\n  - {from: d2, to: b}\n  - {from: d3, to: c}",
      decks: 3,
      in: scratch,
    )
  }

  @Test(
    "RTE-2: rounds of unplugging a route leave two others sample-exact, and it falls back and returns",
    .jackServer(channels: 1),
  )
  func rounds() async throws {
    let scratch = try Scratch()
    let names = ["a", "b", "c"].map { Scratch.uniqueName($0) }
    let devices = try names.map { try FakeDevices.plugIn($0, seconds: 60) }
    let show = try await threeRoutes(names, in: scratch)
    let client = try await show.host.control()
    for _ in 1...100 {
      _ = try await client.call(Simulate.self, .plug("c", false))
      _ = try await client.call(Simulate.self, .plug("c", true))
    }
    _ = try await client.call(Simulate.self, .plug("c", false))
    let away = try await client.call(GetStatus.self)
    #expect(away.routes[2].fallback == "rest" && !away.routes[2].available)
    // A late server lists a connection a cycle after it has accepted it.
    func waitUntilConnected(to ports: [String]) async throws {
      try await waitUntil("c is connected to \(ports) alone") {
        try devices[0].connection.connections(ofPort: show.host.port("c_out_1")) == ports
      }
    }
    // The mix carries it to the other route.
    try await waitUntilConnected(to: [])
    _ = try await client.call(Simulate.self, .plug("c", true))
    try await waitUntilConnected(to: ["\(names[2]):in_1"])
    await client.close()
    let heard = devices.map { $0.captured.channels[0] }
    _ = try await show.host.stop()
    for device in devices { device.close() }
    #expect(show.reasons.filter { $0 == .oldDeviceUnavailable }.count >= 100)
    for index in 0..<2 {
      let frames = try #require(
        Signals.soundFrames(of: heard[index], inLoop: show.decks[index])
      )
      #expect(frames > 48_000)
    }
  }

  @Test(
    "RTE-2: a device that is really pulled and plugged leaves two others sample-exact",
    .jackServer(channels: 1),
  )
  func pulled() async throws {
    let scratch = try Scratch()
    let names = ["a", "b", "c"].map { Scratch.uniqueName($0) }
    let devices = try names.prefix(2).map { try FakeDevices.plugIn($0) }
    let show = try await threeRoutes(names, in: scratch)
    for _ in 1...10 {
      let pulled = try FakeDevices.plugIn(names[2], seconds: 2)
      try await show.waitFor("c")
      pulled.close()
      try await show.waitFor("c", available: false)
    }
    let status = try await show.host.status()
    let heard = devices.map { $0.captured.channels[0] }
    _ = try await show.host.stop()
    for device in devices { device.close() }
    #expect(status.routes[2].fallback == "rest")
    for (samples, deck) in zip(heard, show.decks) {
      let frames = try #require(Signals.soundFrames(of: samples, inLoop: deck))
      #expect(frames > 20_000)
    }
  }
}

extension Simulate.Params {
  /// A route is plugged in or out.
  fileprivate static func plug(_ route: String, _ isPlugged: Bool) -> Self {
    var params = Self(event: isPlugged ? .plug : .unplug)
    params.route = route
    return params
  }
}
