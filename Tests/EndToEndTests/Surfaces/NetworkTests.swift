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
  @Test(.jackServer(frames: 256, channels: 4))
  func `another machine reaches OSCQuery with the token of the printed address`() async throws {
    let machine = try await SecondMachine()
    let rig = try await SurfaceRig { ["--oscquery", "\($0)", "--lan"] }
    let prefix = "http://\(machine.hostAddress):\(rig.port)/?token="
    let printed = rig.host.child.standardError
    let start = try #require(printed.range(of: prefix)?.upperBound)
    let token = printed[start...].prefix { $0.isHexDigit }
    #expect(token.count == 32)
    func status(_ target: String, _ headers: String...) async throws -> Int {
      try await WebPeer.get(target, port: rig.port, from: machine, headers: headers).status
    }
    #expect(try await status("/?HOST_INFO") == 401)
    #expect(try await status("/?HOST_INFO&token=\(token)") == 200)
    #expect(try await status("/?HOST_INFO", "Authorization: Bearer \(token)") == 200)
    #expect(try await status("/?HOST_INFO&token=\(String(token.reversed()))") == 401)
    let peer = try await WebPeer.webSocket(
      port: rig.port,
      from: machine,
      headers: ["Authorization: Bearer \(token)"],
    )
    let gain = OSCPacket.message(OSCMessage("/strip/toy/gain", [.float(-7)]))
    await peer.write(WebPeer.frame(2, gain.bytes))
    try await waitUntil("the gain is set") { try await rig.value("/strip/toy/gain") == .number(-7) }
    #expect(try await rig.host.stop() == .code(0))
  }
}
