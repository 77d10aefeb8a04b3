// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import OSC
import TestSupport
import Testing

/// A host with a port for OSCQuery.
private struct QueryRig {
  let scratch: Scratch
  let host: HostProcess
  let port: Int
  let deck: [[Float]]

  init(_ arguments: [String] = []) async throws {
    scratch = try Scratch()
    let free = try await OSCServer.start(.init(port: 0, tcp: true)) { _ in }
    port = free.port
    await free.close()
    deck = [Signals.noise(60_000, seed: 1), Signals.noise(60_000, seed: 2)]
    try scratch.write(deck, to: "deck.flac", format: .flacPCM16)
    let graph = try scratch.write(
      """
      multiroute: 1
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
        phones: {type: headphones, ports: [system:playback_3]}
      sources:
        deck: {file: deck.flac, loop: true}
        toy: {tone: {frequency: 480 Hz, level: -20 dB}}
      mix:
        - {from: deck, to: main}
        - {from: toy, to: phones}
      """,
      to: "query.yaml",
    )
    host = try await HostProcess.running(
      graph: graph,
      server: try testServer().name,
      arguments: ["--oscquery", "\(port)"] + arguments,
      in: scratch,
    )
    try await waitUntil("the host has started its surfaces") {
      try await !host.status().surfaces.isEmpty
    }
  }

  func set(_ path: String, _ value: ParameterValue) async throws {
    let control = try await host.control()
    let setting = ParameterSetting(path: path, value: value)
    _ = try await control.call(SetParameters.self, .init(values: [setting]))
    await control.close()
  }

  func value(_ path: String) async throws -> ParameterValue? {
    let control = try await host.control()
    let answer = try await control.call(GetParameters.self, .init(paths: [path]))
    await control.close()
    return answer.values.first?.value
  }

  static func frame(_ path: String, _ values: [OSCValue]) -> [UInt8] {
    WebPeer.frame(2, OSCPacket.message(OSCMessage(path, values)).bytes)
  }
}

/// OSCQuery of a real host.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct OSCQueryTests {
  @Test(.jackServer(frames: 256, channels: 4))
  func `OQ-T1 all questions in their order, and a strip that goes`() async throws {
    let rig = try await QueryRig()
    let port = rig.port
    let gain = "/strip/toy/gain"
    #expect(try WebPeer.get("/?HOST_INFO", port: port).body.contains(#""LISTEN":true"#))
    #expect(try WebPeer.get("/", port: port).body.contains(#""FULL_PATH":"/strip/toy/gain""#))
    #expect(try WebPeer.get(gain + "?VALUE", port: port).body == #"{"VALUE":[0]}"#)
    #expect(try WebPeer.get("/nonsense", port: port).status == 404)
    #expect(try WebPeer.get("/?NONSENSE", port: port).status == 400)
    let peer = try WebPeer.webSocket(port: port)
    peer.send("LISTEN", gain)
    // Its answer shows that the command before it was carried out.
    peer.write(QueryRig.frame("/strip/toy/mute", []))
    #expect(peer.message()?.opcode == 2)
    try await rig.set(gain, .number(-6))
    let message = try #require(peer.message())
    #expect(try OSCPacket(bytes: message.payload) == .message(OSCMessage(gain, [.float(-6)])))
    peer.write(QueryRig.frame(gain, [.float(-9.5)]))
    try await waitUntil("the gain is set") { try await rig.value(gain) == .number(-9.5) }
    #expect(try WebPeer.get(gain + "?VALUE", port: port).body == #"{"VALUE":[-9.5]}"#)
    peer.send("IGNORE", gain)
    peer.write(QueryRig.frame("/strip/toy/mute", []))
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
      try await rig.host.status().surfaces == [
        SurfaceStatus(kind: "oscquery", port: port, lan: false)
      ]
    )
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `only with --lan a token is printed, and apps do not see it`() async throws {
    let rig = try await QueryRig(["--lan"])
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
