// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import OSC
import TestSupport
import Testing

extension SurfaceRig {
  /// A host with OSCQuery on its port.
  fileprivate static func query(_ arguments: String...) async throws -> SurfaceRig {
    try await SurfaceRig { ["--oscquery", "\($0)"] + arguments }
  }

  fileprivate static func frame(_ path: String, _ values: [OSCValue]) -> [UInt8] {
    WebPeer.frame(2, OSCPacket.message(OSCMessage(path, values)).bytes)
  }
}

/// OSCQuery of a real host.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct OSCQueryTests {
  @Test(.jackServer(frames: 256, channels: 4))
  func `OQ-T1 all questions in their order, and a strip that goes`() async throws {
    let rig = try await SurfaceRig.query()
    let port = rig.port
    let gain = "/strip/toy/gain"
    #expect(try WebPeer.get("/?HOST_INFO", port: port).body.contains(#""LISTEN":true"#))
    #expect(try WebPeer.get("/?HOST_INFO", port: port).body.contains(#""OSC_PORT":\#(port)"#))
    #expect(try WebPeer.get("/", port: port).body.contains(#""FULL_PATH":"/strip/toy/gain""#))
    #expect(try WebPeer.get(gain + "?VALUE", port: port).body == #"{"VALUE":[0]}"#)
    #expect(try WebPeer.get("/nonsense", port: port).status == 404)
    #expect(try WebPeer.get("/?NONSENSE", port: port).status == 400)
    let peer = try WebPeer.webSocket(port: port)
    peer.send("LISTEN", gain)
    // Its answer shows that the command before it was carried out.
    peer.write(SurfaceRig.frame("/strip/toy/mute", []))
    #expect(peer.message()?.opcode == 2)
    try await rig.set(gain, .number(-6))
    let message = try #require(peer.message())
    #expect(try OSCPacket(bytes: message.payload) == .message(OSCMessage(gain, [.float(-6)])))
    peer.write(SurfaceRig.frame(gain, [.float(-9.5)]))
    try await waitUntil("the gain is set") { try await rig.value(gain) == .number(-9.5) }
    #expect(try WebPeer.get(gain + "?VALUE", port: port).body == #"{"VALUE":[-9.5]}"#)
    peer.send("IGNORE", gain)
    peer.write(SurfaceRig.frame("/strip/toy/mute", []))
    #expect(peer.message()?.payload.starts(with: Array("/strip/toy/mute".utf8)) == true)
    try await rig.set(gain, .number(-3))
    #expect(peer.message(withinMilliseconds: 200) == nil)
    let control = try await rig.host.control()
    let session = try await control.call(OpenSession.self, .init(app: "guest")).session
    var texts: [String] = []
    func wait(for text: String) {
      while !texts.contains(text), let message = peer.message() {
        texts.append(String(decoding: message.payload, as: UTF8.self))
      }
      #expect(texts.contains(text), "\(texts)")
    }
    wait(for: #"{"COMMAND":"PATH_ADDED","DATA":"/session/\#(session)"}"#)
    await control.close()
    wait(for: #"{"COMMAND":"PATH_REMOVED","DATA":"/session/\#(session)"}"#)
    #expect(
      try await Set(rig.host.status().surfaces) == [
        SurfaceStatus(kind: "oscquery", port: port, lan: false),
        SurfaceStatus(kind: "osc", port: port, lan: false),
      ]
    )
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `OQ-6 a graph that renames a strip is told by PATH_RENAMED, and a listener goes on`()
    async throws
  {
    let rig = try await SurfaceRig.query()
    let peer = try WebPeer.webSocket(port: rig.port)
    peer.send("LISTEN", "/strip/toy/gain")
    peer.write(SurfaceRig.frame("/strip/toy/mute", []))
    #expect(peer.message()?.opcode == 2)
    let control = try await rig.host.control()
    _ = try await control.call(WatchParameters.self, .init(paths: ["/strip/toy/gain"]))
    let path = rig.scratch.path + "/surface.yaml"
    let graph = try String(contentsOfFile: path, encoding: .utf8)
    try graph.replacing("toy: {", with: "doll: {was: toy, ").replacing(
      "from: toy",
      with: "from: doll"
    )
    .write(toFile: path, atomically: true, encoding: .utf8)
    let applied = try await Multiroute.run("apply", path, "--host", rig.host.name, in: rig.scratch)
    #expect(applied.end == .code(0), "\(applied)")
    let told = peer.message().map { String(decoding: $0.payload, as: UTF8.self) }
    #expect(
      told == #"{"COMMAND":"PATH_RENAMED","DATA":{"NEW":"/strip/doll","OLD":"/strip/toy"}}"#
    )
    try await rig.set("/strip/doll/gain", .number(-6))
    let message = try #require(peer.message())
    #expect(
      try OSCPacket(bytes: message.payload)
        == .message(OSCMessage("/strip/doll/gain", [.float(-6)]))
    )
    // A client of the socket is told the same.
    let step = ParameterRename(from: "/strip/toy", to: "/strip/doll")
    let setting = ParameterSetting(path: "/strip/doll/gain", value: .number(-6))
    var news: [ParameterChanges] = []
    for await case .parameters(let changes) in control.notifications {
      news.append(changes)
      if changes.changes.contains(setting) { break }
    }
    #expect(news.first?.renamed == [step])
    #expect(news.flatMap(\.removed) == [])
    await control.close()
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `OQ-4 without a port of its own, OSC is served at the number of the port of HTTP`()
    async throws
  {
    let rig = try await SurfaceRig.query()
    let client = try await OSCServer.start(.init(port: 0)) { _ in }
    let message = OSCMessage("/strip/toy/gain", [.float(-5)])
    client.send(.message(message), to: OSCClient(address: "127.0.0.1", port: rig.port))
    try await waitUntil("the gain is set") { try await rig.value("/strip/toy/gain") == .number(-5) }
    await client.close()
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
    #expect(try WebPeer.get("/?HOST_INFO", port: rig.port).status == 200)
    #expect(try await rig.host.stop() == .code(0))
  }
}
