// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// The page in Chromium: each test is a script of `Tests/Browser`, and its message says what failed.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct BrowserTests {
  @Test(.jackServer(frames: 256, channels: 4))
  func `each view opens without a fault, for everybody, on a phone and a desktop`() async throws {
    let rig = try await BrowserRig()
    try await rig.run("views.py")
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `a fader follows mouse, finger, keys and others, and never jumps`() async throws {
    let rig = try await BrowserRig()
    try await rig.run("faders.py")
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `a lost link is told, ends no fade, and comes back without moving anything`() async throws {
    let rig = try await BrowserRig()
    try await rig.run("link.py")
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `VOL-4 a list in the view of sessions moves an app to another route`() async throws {
    let rig = try await BrowserRig()
    try await rig.run("routes.py")
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `a thousand hostile names are shown as text`() async throws {
    let names = HostileNames()
    let rig = try await BrowserRig(sources: names.sources, mix: names.mix)
    let clients = try names.clients(on: try testServer().name)
    defer { for client in clients { client.close() } }
    let file = try rig.scratch.write(try names.json(), to: "names.json")
    try await rig.run("names.py", "--names", file)
    #expect(try await rig.host.stop() == .code(0))
  }
}
