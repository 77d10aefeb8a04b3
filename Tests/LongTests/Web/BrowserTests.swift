// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// The page in Chromium: each test is a script of `Tests/Browser`, and its message says what failed.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct BrowserTests {
  @Test(.jackServer(frames: 256, channels: 4))
  func `a page whose files a changing network has taken comes up once it is calm`() async throws {
    let rig = try await BrowserRig(.away(try await SecondMachine()))
    try await rig.run("loading.py")
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func
    `a cable that is pulled in a fade ends no fade, and the page comes back without moving anything`()
    async throws
  {
    let machine = try await SecondMachine()
    let rig = try await BrowserRig(.away(machine))
    try await rig.run("link.py", "--interface", machine.interface)
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `a move is sent at once, and a host that does not tell its parameters is asked again`()
    async throws
  {
    let rig = try await BrowserRig()
    try await rig.run("moves.py")
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `each role moves in the page what it may, and nothing else`() async throws {
    let rig = try await BrowserRig(.away(try await SecondMachine()))
    try await rig.run("roles.py")
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `over TLS the page shows levels and moves a fader`() async throws {
    let rig = try await BrowserRig(.encrypted)
    try await rig.run("encrypted.py")
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `a control that the graph does not have is learned by a click and a touch, or given up`()
    async throws
  {
    let rig = try await BrowserRig(controls: "midi: {}")
    let mappings = rig.scratch.path + "/controllers"
    try FileManager.default.copyItem(
      atPath: Repository.path("graphs/controllers"),
      toPath: mappings,
    )
    // A fader that is pushed up in 0.4 s.
    let box = try MIDIDevice(
      (0..<40).map { TimedMIDI($0 * 480, [0xB0, 7, UInt8($0 * 3)]) },
      name: "Fader Box",
      isHardware: true,
      server: try testServer().name,
    )
    defer { box.close() }
    // The script asks for a hand by making this file.
    let touch = rig.scratch.path + "/touch"
    try await rig.run("learn.py", "--touch", touch) {
      if (try? FileManager.default.removeItem(atPath: touch)) != nil { box.start() }
    }
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
