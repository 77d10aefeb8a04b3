// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import OSC
import TestSupport
import Testing

@testable import EndToEndSupport

/// OSCQuery of a real host.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct OSCQueryTests {
  @Test(.jackServer(frames: 256, channels: 4))
  func `OQ-T1 all questions in their order, and a strip that goes`() async throws {
    let rig = try await SurfaceRig.query()
    let port = rig.port
    let gain = "/strip/toy/gain"
    #expect(try await WebPeer.get("/?HOST_INFO", port: port).body.contains(#""LISTEN":true"#))
    #expect(try await WebPeer.get("/?HOST_INFO", port: port).body.contains(#""OSC_PORT":\#(port)"#))
    #expect(try await WebPeer.get("/", port: port).body.contains(#""FULL_PATH":"/strip/toy/gain""#))
    #expect(try await WebPeer.get(gain + "?VALUE", port: port).body == #"{"VALUE":[0]}"#)
    #expect(try await WebPeer.get("/nonsense", port: port).status == 404)
    #expect(try await WebPeer.get("/?NONSENSE", port: port).status == 400)
    let peer = try await WebPeer.webSocket(port: port)
    await peer.send("LISTEN", gain)
    // Its answer shows that the command before it was carried out.
    await peer.write(SurfaceRig.frame("/strip/toy/mute", []))
    #expect(await peer.message()?.opcode == 2)
    try await rig.set(gain, .number(-6))
    let message = try #require(await peer.message())
    #expect(try OSCPacket(bytes: message.payload) == .message(OSCMessage(gain, [.float(-6)])))
    await peer.write(SurfaceRig.frame(gain, [.float(-9.5)]))
    try await waitUntil("the gain is set") { try await rig.value(gain) == .number(-9.5) }
    #expect(try await WebPeer.get(gain + "?VALUE", port: port).body == #"{"VALUE":[-9.5]}"#)
    await peer.send("IGNORE", gain)
    await peer.write(SurfaceRig.frame("/strip/toy/mute", []))
    #expect(await peer.message()?.payload.starts(with: Array("/strip/toy/mute".utf8)) == true)
    try await rig.set(gain, .number(-3))
    #expect(await peer.message(withinMilliseconds: 200) == nil)
    let control = try await rig.host.control()
    let session = try await control.call(OpenSession.self, .init(app: "guest")).session
    var texts: [String] = []
    func wait(for text: String) async {
      while !texts.contains(text), let message = await peer.message() {
        texts.append(String(decoding: message.payload, as: UTF8.self))
      }
      #expect(texts.contains(text), "\(texts)")
    }
    await wait(for: #"{"COMMAND":"PATH_ADDED","DATA":"/session/\#(session)"}"#)
    await control.close()
    await wait(for: #"{"COMMAND":"PATH_REMOVED","DATA":"/session/\#(session)"}"#)
    #expect(
      try await Set(rig.host.status().surfaces) == [
        SurfaceStatus(kind: "oscquery", port: port, lan: false),
        SurfaceStatus(kind: "osc", port: port, lan: false),
      ]
    )
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `only with --lan a token is printed, and apps do not see it`() async throws {
    let rig = try await SurfaceRig.query("--lan")
    #expect(rig.host.child.standardError.contains(":\(rig.port)/?token="))
    let shown = try await Multiroute.run(
      "status",
      "--json",
      "--host",
      rig.host.name,
      in: rig.scratch
    )
    #expect(!shown.standardOutput.contains("token"))
    #expect(try await WebPeer.get("/?HOST_INFO", port: rig.port).status == 200)
    #expect(try await rig.host.stop() == .code(0))
  }
}
