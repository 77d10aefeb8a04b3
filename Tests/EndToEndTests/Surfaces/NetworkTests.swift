// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import OSC
import TestSupport
import Testing

/// Surfaces as another machine of the network sees them.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct NetworkTests {
  @Test(.jackServer(frames: 256, channels: 4))
  func `another machine reaches OSCQuery with the token of the printed address`() async throws {
    let machine = try await SecondMachine()
    let rig = try await SurfaceRig { ["--oscquery", "\($0)", "--lan"] }
    let prefix = "http://\(machine.hostAddress):\(rig.port)/?token="
    let printed = rig.host.child.standardError
    let start = try #require(printed.range(of: prefix)?.upperBound)
    let token = printed[start...].prefix { $0.isHexDigit }
    #expect(token.count == 32)
    func status(_ target: String, _ headers: String...) throws -> Int {
      try machine.visiting {
        try WebPeer.get(target, port: rig.port, at: machine.hostAddress, headers: headers).status
      }
    }
    #expect(try status("/?HOST_INFO") == 401)
    #expect(try status("/?HOST_INFO&token=\(token)") == 200)
    #expect(try status("/?HOST_INFO", "Authorization: Bearer \(token)") == 200)
    #expect(try status("/?HOST_INFO&token=\(String(token.reversed()))") == 401)
    let peer = try machine.visiting {
      try WebPeer.webSocket(
        port: rig.port,
        at: machine.hostAddress,
        headers: ["Authorization: Bearer \(token)"],
      )
    }
    let gain = OSCPacket.message(OSCMessage("/strip/toy/gain", [.float(-7)]))
    peer.write(WebPeer.frame(2, gain.bytes))
    try await waitUntil("the gain is set") { try await rig.value("/strip/toy/gain") == .number(-7) }
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `a surface for this machine alone cannot be reached from another one`() async throws {
    let machine = try await SecondMachine()
    let rig = try await SurfaceRig { ["--oscquery", "\($0)"] }
    #expect(try WebPeer.get("/?HOST_INFO", port: rig.port).status == 200)
    #expect(throws: TestFailure.self) {
      try machine.visiting { try RawSocket(port: rig.port, at: machine.hostAddress) }
    }
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test func `a second machine has a network and a name of its own, and a cable`() async throws {
    let machine = try await SecondMachine()
    #expect(try machine.run("hostname") == machine.name + "\n")
    #expect(try machine.run("ip", "-brief", "link").split(separator: "\n").count == 2)
    let server = try await OSCServer.start(.init(port: 0, tcp: true, lan: true)) { _ in }
    func connects() -> Bool {
      (try? machine.visiting { try RawSocket(port: server.port, at: machine.hostAddress) }) != nil
    }
    #expect(connects())
    try machine.setLink(up: false)
    #expect(!connects())
    try machine.setLink(up: true)
    try await waitUntil("the cable carries again") { connects() }
    await server.close()
    machine.stop()
    #expect(try runProgram("ip", ["link", "show", machine.interface]).status != 0)
  }
}
