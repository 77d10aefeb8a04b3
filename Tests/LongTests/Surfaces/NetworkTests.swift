// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import OSC
import TestSupport
import Testing

@testable import EndToEndSupport

/// Surfaces as another machine of the network sees them.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct NetworkTests {
  @Test(.jackServer(frames: 256, channels: 4), arguments: ["255.255.255.255", "its network's"])
  func `XA-2 a tablet finds the mixer by a broadcast, and is told the address that it reaches`(
    target: String
  ) async throws {
    let machine = try await SecondMachine()
    let rig = try await SurfaceRig(surfaces: { "xair: {port: \($0), lan: true}" })
    let script = """
      import ipaddress, socket, sys
      target = ipaddress.ip_interface(sys.argv[1] + "/30").network.broadcast_address
      if sys.argv[2][0].isdigit():
          target = sys.argv[2]
      asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      asker.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
      asker.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"eth0")
      asker.settimeout(10)
      asker.sendto(b"/xinfo\\0\\0", (str(target), int(sys.argv[3])))
      answer, sender = asker.recvfrom(2000)
      words = answer.split(b"\\0")
      print(sender[0], words[0].decode(), [word.decode() for word in words if word][2])
      """
    let found = try await machine.run(
      "python3",
      "-c",
      script,
      machine.address,
      target,
      "\(rig.port)"
    )
    #expect(found == "\(machine.hostAddress) /xinfo \(machine.hostAddress)\n")
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `OSC-23 a surface for this machine alone cannot be reached from another one`() async throws {
    let machine = try await SecondMachine()
    let rig = try await SurfaceRig { ["--oscquery", "\($0)"] }
    #expect(try await WebPeer.get("/?HOST_INFO", port: rig.port).status == 200)
    await #expect(throws: TestFailure.self) {
      try await machine.visiting { try RawSocket(port: rig.port, at: machine.hostAddress) }
    }
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test func `a second machine has a network and a name of its own, and a cable`() async throws {
    let machine = try await SecondMachine()
    #expect(try await machine.run("hostname") == machine.name + "\n")
    #expect(try await machine.run("ip", "-brief", "link").split(separator: "\n").count == 2)
    let server = try await OSCServer.start(.init(port: 0, tcp: true, lan: true)) { _ in }
    let port = server.port
    func connects() async -> Bool {
      (try? await machine.visiting { try RawSocket(port: port, at: machine.hostAddress) }) != nil
    }
    #expect(await connects())
    try await machine.setLink(up: false)
    #expect(await !connects())
    try await machine.setLink(up: true)
    try await waitUntil("the cable carries again") { await connects() }
    await server.close()
    await machine.stop()
    #expect(try await runProgram("ip", ["link", "show", machine.interface]).status != 0)
  }
}
