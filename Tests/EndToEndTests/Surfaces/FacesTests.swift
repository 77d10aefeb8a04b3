// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import OSC
import Synchronization
import TestSupport
import Testing

/// A way to set a parameter of a running host.
private enum Face: CaseIterable {
  /// `set` on the control socket.
  case set
  /// The method of the control socket that was there before `set`.
  case method
  /// OSC over UDP.
  case osc
  /// OSC in a frame of a WebSocket.
  case oscQuery
}

/// The latest OSC answer for each address. [any-thread]
private final class OSCAnswers: Sendable {
  private let values = Mutex<[String: OSCValue]>([:])

  func take(_ arrival: OSCArrival) {
    guard case .packet(let packet, _) = arrival else { return }
    values.withLock { values in
      for message in packet.messages { values[message.path] = message.values.last }
    }
  }

  func forget(_ path: String) { values.withLock { $0[path] = nil } }

  subscript(_ path: String) -> OSCValue? { values.withLock { $0[path] } }
}

/// A host with a mixer of 200 parameters and all its faces.
///
/// Values are numbers: 0 and 1 for flags, −144 for silence.
private struct FacesRig {
  static let silenceDB = -144.0

  let scratch: Scratch
  let host: HostProcess
  private let control: ControlClient
  private let osc: OSCServer
  private let answers = OSCAnswers()
  private let oscPort: OSCClient
  private let web: WebPeer
  private let socket: WebPeer
  private let webPort: Int

  init() async throws {
    scratch = try Scratch()
    let graph = try scratch.write(Self.graph, to: "faces.yaml")
    host = try await HostProcess.running(graph: graph, server: try testServer().name, in: scratch)
    let host = host
    var surfaces: [SurfaceStatus] = []
    try await waitUntil("the host has started its surfaces") {
      surfaces = try await host.status().surfaces
      return surfaces.count == 2
    }
    #expect(surfaces.compactMap(\.fault) == [])
    func port(_ kind: String) throws -> Int {
      try #require(surfaces.first { $0.kind == kind }?.port)
    }
    control = try await host.control()
    osc = try await OSCServer.start(.init(port: 0)) { [answers] in answers.take($0) }
    oscPort = OSCClient(address: "127.0.0.1", port: try port("osc"))
    webPort = try port("oscquery")
    web = try WebPeer(port: webPort)
    socket = try WebPeer.webSocket(port: webPort)
  }

  func end() async throws {
    await osc.close()
    await control.close()
    #expect(try await host.stop() == .code(0))
  }

  private static var graph: String {
    let strips = (1...12).map { "deck-\($0)" }
    let routes = (1...5).map { "route-\($0)" }
    let outputs = routes.indices.map {
      "  \(routes[$0]): {type: lineOut, ports: "
        + "[system:playback_\(2 * $0 + 1), system:playback_\(2 * $0 + 2)]}"
    }
    let sends = strips.flatMap { strip in routes.map { "  - {from: \(strip), to: \($0)}" } }
    return """
      multiroute: 1
      routes:
      \(outputs.joined(separator: "\n"))
      sources:
      \(strips.map { "  \($0): {tone: {}, channels: 2}" }.joined(separator: "\n"))
      mix:
      \(sends.joined(separator: "\n"))
      controls:
        crossfader: {a: deck-1, b: deck-2}
        cue: {to: route-5}
        midi:
          box:
            device: Fader Box
            map:
              - {control: cc 1/7, parameter: /crossfader/position}
              - {control: note 1/11, parameter: /strip/deck-1/cue}
      surfaces:
        osc: {port: 0, tcp: false}
        oscquery: {port: 0}
      """
  }

  /// The settable numbers and flags of the mixer.
  ///
  /// A delay is rounded to whole frames, so it does not read as it was set.
  func parameters() async throws -> [ParameterDescription] {
    try await control.call(ListParameters.self, .init()).parameters.filter { parameter in
      parameter.access == .readWrite && (parameter.type == .number || parameter.type == .flag)
        && ["/strip/", "/route/", "/crossfader/"].contains { parameter.path.hasPrefix($0) }
        && !parameter.path.hasSuffix("/delay")
    }
  }

  // MARK: - Setting

  /// Sets a parameter through a face.
  func set(_ parameter: ParameterDescription, to value: Double, by face: Face) async throws {
    let isFlag = parameter.type == .flag
    switch face {
    case .method where !parameter.path.hasSuffix("/safe"):
      try await call(try #require(ParameterPath.names(parameter.path)), value)
    case .set, .method:
      let number = value == Self.silenceDB ? -.infinity : value
      let setting = ParameterSetting(
        path: parameter.path,
        value: isFlag ? .flag(value == 1) : .number(number),
      )
      _ = try await control.call(SetParameters.self, .init(values: [setting]))
    case .osc:
      let values = [isFlag ? OSCValue.integer(Int32(value)) : .float(Float(value))]
      osc.send(.message(OSCMessage(parameter.path, values)), to: oscPort)
    case .oscQuery:
      let values = [isFlag ? OSCValue.flag(value == 1) : .float(Float(value))]
      let packet = OSCPacket.message(OSCMessage(parameter.path, values))
      socket.write(WebPeer.frame(2, packet.bytes))
    }
  }

  private func call(_ names: [String], _ value: Double) async throws {
    let isOn = value == 1
    let target: MixTarget =
      if names.count == 5 {
        .send(strip: names[1], route: names[3])
      } else {
        names[0] == "strip" ? .strip(names[1]) : .route(names[1])
      }
    switch names.last {
    case "gain":
      let gainDB = value == Self.silenceDB ? -.infinity : value
      _ = try await control.call(SetGain.self, .init(target: target, gainDB: gainDB))
    case "mute": _ = try await control.call(SetMute.self, .init(target: target, muted: isOn))
    case "solo": _ = try await control.call(SetSolo.self, .init(strip: names[1], solo: isOn))
    case "cue": _ = try await control.call(SetCue.self, .init(strip: names[1], cue: isOn))
    case "pan": _ = try await control.call(SetPan.self, .init(strip: names[1], pan: value))
    case "position": _ = try await control.call(SetCrossfader.self, .init(position: value))
    default: throw TestFailure("no method sets \(names)")
    }
  }

  // MARK: - Reading

  static func number(_ value: ParameterValue?) -> Double? {
    switch value {
    case .number(let number): max(silenceDB, number)
    case .flag(let isOn): isOn ? 1 : 0
    case .text("-inf"): silenceDB
    default: nil
    }
  }

  func onSocket(_ path: String) async throws -> Double? {
    let answer = try await control.call(GetParameters.self, .init(paths: [path]))
    return Self.number(answer.values.first?.value)
  }

  func overOSC(_ path: String) async throws -> Double? {
    answers.forget(path)
    answers.forget("/error")
    osc.send(.message(OSCMessage(path)), to: oscPort)
    try await waitUntil("\(path) is answered over OSC", within: .seconds(5)) {
      if let fault = answers["/error"] { throw TestFailure("\(path) over OSC: \(fault.text)") }
      return answers[path] != nil
    }
    switch answers[path] {
    case .float(let number): return Double(number)
    case .integer(let number): return Double(number)
    default: return nil
    }
  }

  func overHTTP(_ path: String) throws -> Double? {
    struct Answer: Decodable {
      var VALUE: [ParameterValue]
    }
    web.write(Array("GET \(path)?VALUE HTTP/1.1\r\nHost: localhost:\(webPort)\r\n\r\n".utf8))
    let body = try web.answer().body
    return Self.number(try JSONDecoder().decode(Answer.self, from: Data(body.utf8)).VALUE.first)
  }
}

/// All faces of the tree of parameters show the same host.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct FacesTests {
  private static func same(_ one: Double?, _ other: Double) -> Bool {
    guard let one else { return false }
    return abs(one - other) <= 1e-6 * max(abs(one), abs(other))
  }

  /// A value of the parameter's range, of which every eighth gain is silence; of a flag the one that it has not.
  private static func value(
    for parameter: ParameterDescription,
    now: Double,
    _ random: inout SeededRandom,
  ) -> Double {
    guard parameter.type == .number else { return 1 - now }
    let isGain = parameter.minimum == -.infinity
    if isGain, Int.random(in: 0..<8, using: &random) == 0 { return FacesRig.silenceDB }
    let lowest = isGain ? -100 : parameter.minimum ?? 0
    return .random(in: lowest...(parameter.maximum ?? 1), using: &random)
  }

  @Test(.jackServer(frames: 256, channels: 10))
  func `1,000 values set through any face are read through every face`() async throws {
    let rig = try await FacesRig()
    let parameters = try await rig.parameters()
    #expect(parameters.count >= 200)
    var values: [String: Double] = [:]
    for parameter in parameters { values[parameter.path] = FacesRig.number(parameter.value) }
    var random = SeededRandom(seed: 15)
    for _ in 0..<1_000 {
      let parameter = try #require(parameters.randomElement(using: &random))
      let path = parameter.path
      let face = try #require(Face.allCases.randomElement(using: &random))
      let value = Self.value(for: parameter, now: try #require(values[path]), &random)
      values[path] = value
      try await rig.set(parameter, to: value, by: face)
      // Datagrams and frames act a little later.
      try await waitUntil("\(path) is \(value) on the socket, after \(face)", within: .seconds(5)) {
        Self.same(try await rig.onSocket(path), value)
      }
      let (osc, http) = (try await rig.overOSC(path), try rig.overHTTP(path))
      #expect(Self.same(osc, value), "\(path) after \(face): \(String(describing: osc)) over OSC")
      #expect(
        Self.same(http, value),
        "\(path) after \(face): \(String(describing: http)) over HTTP"
      )
    }
    // Nothing else has moved.
    for parameter in try await rig.parameters() {
      let value = try #require(values[parameter.path])
      #expect(Self.same(FacesRig.number(parameter.value), value), "\(parameter.path)")
    }
    try await rig.end()
  }
}
