// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import OSC
import TestSupport
import Testing

@testable import EndToEndSupport

/// Hostile frames and messages of MIDI at the surfaces of a playing host, which must not be heard.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SurfaceFuzzTests {
  private static let gain = "/strip/toy/gain"

  /// Requests of a page; none of them is about the deck.
  private static let requests = [
    #"{"jsonrpc":"2.0","id":1,"method":"setGain","params":{"strip":"toy","gainDB":-9}}"#,
    #"{"jsonrpc":"2.0","id":2,"method":"watch","params":{"paths":["/strip/toy"],"levels":false}}"#,
    #"{"jsonrpc":"2.0","id":"a","method":"webMeters","params":{"on":true}}"#,
    #"{"jsonrpc":"2.0","id":3,"method":"set","params":{"values":[{"path":"\#(gain)","value":-7}]}}"#,
    #"[{"jsonrpc":"2.0","id":4,"method":"get","params":{"paths":["\#(gain)"]}},{"id":5}]"#,
  ].map { (opcode: UInt8(1), bytes: Array($0.utf8)) }

  /// Commands and packets of an OSCQuery client.
  private static let commands: [(opcode: UInt8, bytes: [UInt8])] = [
    (1, Array(#"{"COMMAND":"LISTEN","DATA":"\#(gain)"}"#.utf8)),
    (2, OSCPacket.message(OSCMessage(gain, [.float(-6)])).bytes),
    (2, OSCPacket.message(OSCMessage("/strip/toy/mute", [.flag(true)])).bytes),
    (2, OSCPacket.message(OSCMessage(gain)).bytes),
    (2, OSCPacket.bundle(OSCBundle([.message(OSCMessage(gain, [.integer(3)]))])).bytes),
  ]

  /// Messages of a controller.
  private static let moves: [[UInt8]] = [
    [0xB0, 7, 100], [0xB0, 99, 7], [0xB0, 98, 104], [0xB0, 6, 64], [0xB0, 38, 1], [0x90, 11, 127],
    [0x90, 11, 0], [0xE0, 0, 64], [0xB0, 20, 65], [0xC0, 3], [0xF0, 0x7E, 0x7F, 6, 2, 0xF7],
    [7, 1],
  ]

  /// Messages of a desk.
  private static let keys: [[UInt8]] = [
    [0xF0, 0x00, 0x00, 0x66, 0x14, 0x01, 1, 2, 3, 4, 5, 6, 7, 0x12, 0x34, 0x56, 0x78, 0xF7],
    [0xE0, 0x70, 0x7F], [0x90, 0x68, 0x7F], [0x90, 0x10, 0x7F], [0x90, 0x29, 0x7F],
    [0x90, 0x2F, 0x7F], [0x90, 0x5E, 0x7F], [0xB0, 0x10, 0x01], [0xB0, 0x3C, 0x41],
  ]

  @Test(.jackServer(frames: 256, channels: 4))
  func `100,000 mutated frames of pages and OSCQuery clients leave the audio alone`() async throws {
    let rig = try await SurfaceRig(surfaces: { "web: {port: \($0)}, oscquery: {port: \($0)}" })
    let surfaces = try await rig.host.status().surfaces
    func port(_ kind: String) throws -> Int {
      try #require(surfaces.first { $0.kind == kind }?.port)
    }
    let (page, query) = (try port("web"), try port("oscquery"))
    try await rig.hearingDeck(seconds: 5) {
      let answers = try await withThrowingTaskGroup(of: Int.self) { group in
        for client in 0..<2 {
          let seed = TestSeed.derived(number: client)
          group.addTask { try await Self.attack(page, "/live", Self.requests, seed: seed) }
          group.addTask { try await Self.attack(query, "/", Self.commands, seed: seed &+ 1) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.count == 4 && answers.allSatisfy { $0 > 0 }, "bytes of answers: \(answers)")
    }
    try await rig.set(Self.gain, .number(-3))
    #expect(try await rig.value(Self.gain) == .number(-3))
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `100,000 mutated messages of a controller and a desk leave the audio alone`() async throws {
    let map = ["cc 1/7", "nrpn 1/1000", "bend 1", "relative 1/20 binary-offset"].map {
      "{control: \($0), parameter: \(Self.gain)}"
    }
    let rig = try await SurfaceRig(
      surfaces: { "web: {port: \($0)}, mackie: [{device: X-Touch}]" },
      controls: """
        midi: {box: {device: Fader Box, map: [\(map.joined(separator: ", ")), \
        {control: note 1/11, parameter: /strip/toy/mute}]}}
        """,
    )
    var random = TestSeed.random()
    let box = try Self.device("Fader Box", Self.moves, rig, &random)
    try await rig.hearingDeck(seconds: 3) {
      box.start()
      try await waitUntil("all is sent") { box.hasFinished }
    }
    #expect(box.refusedCount == 0)
    box.close()
    // A desk moves whatever it shows, the deck too.
    let desk = try Self.device("X-Touch", Self.keys, rig, &random)
    desk.start()
    try await waitUntil("all is sent") { desk.hasFinished }
    #expect(desk.refusedCount == 0)
    desk.close()
    try await waitUntil("the deck is heard as before") {
      let control = try await rig.host.control()
      let listed = try await control.call(ListParameters.self, .init()).parameters
      let flags = listed.filter { $0.type == .flag && $0.path.hasPrefix("/strip/") }
      let settings =
        flags.map { ParameterSetting(path: $0.path, value: .flag(false)) }
        + ["/strip/deck/gain", "/strip/deck/pan", "/strip/deck/send/main/gain", "/route/main/gain"]
        .map { ParameterSetting(path: $0, value: .number(0)) }
      _ = try await control.call(SetParameters.self, .init(values: settings))
      await control.close()
      // The desk's last moves may come behind the first of these.
      try await Task.sleep(for: .milliseconds(200))
      let (gain, pan) = ("/strip/deck/gain", "/strip/deck/pan")
      let now = [try await rig.value(gain), try await rig.value(pan)]
      return now == [.number(0), .number(0)]
    }
    try await rig.hearingDeck(seconds: 1) {}
    #expect(try await rig.host.stop() == .code(0))
  }

  /// Sends 25,000 mutated frames, over as many connections as it takes: the host may cut any of them off.
  ///
  /// - Returns: The bytes that were answered.
  private static func attack(
    _ port: Int,
    _ target: String,
    _ seeds: [(opcode: UInt8, bytes: [UInt8])],
    seed: UInt64,
  ) async throws -> Int {
    var random = SeededRandom(seed: seed)
    var peer: RawSocket?
    var answered = 0
    for _ in 0..<25_000 {
      let socket: RawSocket
      if let peer { socket = peer } else { socket = try await connection(port, target) }
      peer = socket
      guard let seed = seeds.randomElement(using: &random) else { continue }
      let payload = mutated(seed.bytes, &random)
      var frame = WebPeer.frame(seed.opcode, payload)
      if Int.random(in: 0..<64, using: &random) == 0 {
        frame = mutated(Array(frame.prefix(6)), &random) + frame.dropFirst(6)
      }
      if await !socket.write(frame) { peer = nil }
      while peer != nil, let bytes = await socket.read(withinMilliseconds: 0) {
        answered += bytes.count
        if bytes.isEmpty { peer = nil }
      }
    }
    return answered
  }

  private static func connection(_ port: Int, _ target: String) async throws -> RawSocket {
    let socket = try RawSocket(port: port)
    let lines = [
      "GET \(target) HTTP/1.1", "Host: localhost:\(port)", "Upgrade: websocket",
      "Connection: Upgrade", "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ]
    await socket.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    // Frames that come with the request would belong to it.
    _ = await socket.read()
    return socket
  }

  /// A device that sends 50,000 mutated messages, 20,000 a second.
  private static func device(
    _ name: String,
    _ seeds: [[UInt8]],
    _ rig: SurfaceRig,
    _ random: inout SeededRandom,
  ) throws -> MIDIDevice {
    let stream = (0..<50_000).map { number in
      let seed = seeds.randomElement(using: &random) ?? []
      let bytes = mutated(seed, &random)
      return TimedMIDI(number * 48 / 20, bytes.isEmpty ? seed : bytes)
    }
    return try MIDIDevice(stream, name: name, isHardware: true, server: rig.host.server)
  }

  private static func mutated(_ seed: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0...3, using: &random) {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(.random(in: 0...255, using: &random), at: place)
      // Most of a text stays a text.
      case 2: bytes[place] = .random(in: 0x20...0x7E, using: &random)
      default: bytes[place] = .random(in: 0...255, using: &random)
      }
    }
    return bytes
  }
}
