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
  func `OQ-6 a graph that renames a strip is told by PATH_RENAMED, and a listener goes on`()
    async throws
  {
    let rig = try await SurfaceRig.query()
    let peer = try await WebPeer.webSocket(port: rig.port)
    await peer.send("LISTEN", "/strip/toy/gain")
    await peer.write(SurfaceRig.frame("/strip/toy/mute", []))
    #expect(await peer.message()?.opcode == 2)
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
    let told = await peer.message().map { String(decoding: $0.payload, as: UTF8.self) }
    #expect(
      told == #"{"COMMAND":"PATH_RENAMED","DATA":{"NEW":"/strip/doll","OLD":"/strip/toy"}}"#
    )
    try await rig.set("/strip/doll/gain", .number(-6))
    let message = try #require(await peer.message())
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
}
