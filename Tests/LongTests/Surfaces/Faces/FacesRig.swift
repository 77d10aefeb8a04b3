// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import OSC
import Synchronization
import TestSupport
import Testing

@testable import EndToEndSupport

/// The latest OSC answer for each address. [any-thread]
private final class OSCAnswers: Sendable {
  private let values = Mutex<[String: OSCValue]>([:])

  func take(_ arrival: OSCArrival) {
    guard case .packet(let packet, _) = arrival else { return }
    values.withLock { values in
      for message in packet.messages { values[message.path] = message.values.last ?? .null }
    }
  }

  func forget(_ path: String) { values.withLock { $0[path] = nil } }

  subscript(_ path: String) -> OSCValue? { values.withLock { $0[path] } }

  var paths: Set<String> { values.withLock { Set($0.keys) } }
}

/// A host with a mixer of 200 parameters and all its faces.
///
/// Values are numbers: 0 and 1 for flags, −144 for silence.
struct FacesRig {
  let scratch: Scratch
  let host: HostProcess
  let control: ControlClient
  private let places: FacePlaces
  private let controller: MIDIDevice
  private let osc: OSCServer
  private let answers = OSCAnswers()
  private let oscPort: OSCClient
  private let xairPort: OSCClient
  private let web: WebPeer
  private let socket: WebPeer
  private let webPort: Int

  /// Starts a host, and plugs a controller in that makes the moves meant for it.
  init(_ places: FacePlaces, _ moves: ([ParameterDescription]) throws -> [FaceMove]) async throws {
    self.places = places
    scratch = try Scratch()
    let graph = try scratch.write(places.graph, to: "faces.yaml")
    let server = try testServer().name
    host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let host = host
    var surfaces: [SurfaceStatus] = []
    try await waitUntil("the host has started its surfaces") {
      surfaces = try await host.status().surfaces
      return surfaces.count == 3
    }
    #expect(surfaces.compactMap(\.fault) == [])
    func port(_ kind: String) throws -> Int {
      try #require(surfaces.first { $0.kind == kind }?.port)
    }
    control = try await host.control()
    osc = try await OSCServer.start(.init(port: 0)) { [answers] in answers.take($0) }
    oscPort = OSCClient(address: "127.0.0.1", port: try port("osc"))
    xairPort = OSCClient(address: "127.0.0.1", port: try port("xair"))
    webPort = try port("oscquery")
    web = try WebPeer(port: webPort)
    socket = try await WebPeer.webSocket(port: webPort)
    let stream = try moves(try await Self.parameters(control)).filter { $0.face == .midi }
      .flatMap { places.controls[$0.parameter.path]?.messages($0.raw) ?? [] }
    controller = try MIDIDevice(
      stream.map { TimedMIDI(0, $0) },
      name: "Fader Box",
      isHardware: true,
      server: server
    )
    let controller = controller
    try await waitUntil("the controller shows the mix") {
      Self.shown(places.controls["/strip/deck-12/gain"], by: controller) != nil
    }
  }

  func end() async throws {
    controller.close()
    await osc.close()
    await control.close()
    #expect(try await host.stop() == .code(0))
  }

  /// The settable numbers and flags of the mixer.
  ///
  /// A delay is rounded to whole frames, so it does not read as it was set.
  static func parameters(_ control: ControlClient) async throws -> [ParameterDescription] {
    try await control.call(ListParameters.self, .init()).parameters.filter { parameter in
      parameter.access == .readWrite && (parameter.type == .number || parameter.type == .flag)
        && ["/strip/", "/route/", "/crossfader/"].contains { parameter.path.hasPrefix($0) }
        && !parameter.path.hasSuffix("/delay")
    }
  }

  // MARK: - Setting

  /// Makes a move.
  ///
  /// - Parameters:
  ///   - move: The move.
  ///   - sent: The number of messages that the controller has sent; counted on.
  /// - Throws: ``TestFailure`` or ``ControlError`` where the host refuses it.
  func make(_ move: FaceMove, _ sent: inout Int) async throws {
    let (path, value) = (move.parameter.path, move.value)
    let isFlag = move.parameter.type == .flag
    switch move.face {
    case .method where !path.hasSuffix("/safe"):
      try await call(try #require(ParameterPath.names(path)), value)
    case .set, .method:
      let number = value == FaceMove.silenceDB ? -.infinity : value
      let setting = ParameterSetting(
        path: path,
        value: isFlag ? .flag(value == 1) : .number(number),
      )
      _ = try await control.call(SetParameters.self, .init(values: [setting]))
    case .osc:
      let values = [isFlag ? OSCValue.integer(Int32(value)) : .float(Float(value))]
      osc.send(.message(OSCMessage(path, values)), to: oscPort)
    case .oscQuery:
      let values = [isFlag ? OSCValue.flag(value == 1) : .float(Float(value))]
      let packet = OSCPacket.message(OSCMessage(path, values))
      await socket.write(WebPeer.frame(2, packet.bytes))
    case .midi:
      sent += try #require(places.controls[path]).messages(move.raw).count
      controller.start(upTo: sent)
    case .xair:
      let address = try #require(places.addresses[path])
      osc.send(.message(OSCMessage(address.path, [address.value(value)])), to: xairPort)
    case .command:
      let text =
        isFlag ? (value == 1 ? "on" : "off") : value == FaceMove.silenceDB ? "-inf" : "\(value)"
      let words = ["set", path, text, "--host", host.name]
      let set = try await Multiroute.run(words, in: scratch)
      guard set.end == .code(0) else { throw TestFailure(set.standardError) }
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
      let gainDB = value == FaceMove.silenceDB ? -.infinity : value
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

  /// A value as a number; nil for a text or a list.
  static func number(_ value: ParameterValue?) -> Double? {
    switch value {
    case .number(let number): max(FaceMove.silenceDB, number)
    case .flag(let isOn): isOn ? 1 : 0
    case .text("-inf"): FaceMove.silenceDB
    default: nil
    }
  }

  func onSocket(_ path: String) async throws -> Double? {
    let answer = try await control.call(GetParameters.self, .init(paths: [path]))
    return Self.number(answer.values.first?.value)
  }

  func overOSC(_ path: String) async throws -> Double? {
    try await answer(path, of: oscPort).number
  }

  /// The number that a tablet app is told, such as the position of a fader; nil for a parameter that it does not have.
  func inApp(_ path: String) async throws -> Double? {
    guard let address = places.addresses[path] else { return nil }
    return try await answer(address.path, of: xairPort).number
  }

  /// Has a tablet app told of all changes for ten seconds, so that its mixer knows the values at any time.
  func renewApp() { osc.send(.message(OSCMessage("/xremote")), to: xairPort) }

  private func answer(_ path: String, of port: OSCClient) async throws -> OSCValue {
    answers.forget(path)
    answers.forget("/error")
    osc.send(.message(OSCMessage(path)), to: port)
    try await waitUntil("\(path) is answered over OSC", within: .seconds(5)) {
      if let fault = answers["/error"] { throw TestFailure("\(path) over OSC: \(fault.text)") }
      return answers[path] != nil
    }
    return answers[path] ?? .null
  }

  func overHTTP(_ path: String) async throws -> Double? {
    struct Answer: Decodable {
      var VALUE: [ParameterValue]
    }
    let body = try await get(path + "?VALUE")
    return Self.number(try JSONDecoder().decode(Answer.self, from: Data(body.utf8)).VALUE.first)
  }

  func onCommandLine(_ path: String) async throws -> Double? {
    let words = ["get", path, "--json", "--host", host.name]
    let got = try await Multiroute.run(words, in: scratch)
    guard got.end == .code(0) else { throw TestFailure(got.standardError) }
    let line = Data(got.standardOutput.utf8)
    return Self.number(try JSONDecoder().decode(ParameterSetting.self, from: line).value)
  }

  /// The value that the controller shows, 0…16383; nil for a parameter without a control.
  func onController(_ path: String) -> Int? {
    Self.shown(places.controls[path], by: controller)
  }

  private static func shown(_ control: FaceControl?, by controller: MIDIDevice) -> Int? {
    control?.shown(after: controller.received.map(\.bytes))
  }

  private func get(_ target: String) async throws -> String {
    await web.write(Array("GET \(target) HTTP/1.1\r\nHost: localhost:\(webPort)\r\n\r\n".utf8))
    return try await web.answer().body
  }

  // MARK: - Trees

  /// All addresses that OSCQuery tells.
  func pathsOverHTTP() async throws -> Set<String> {
    struct Node: Decodable {
      var FULL_PATH: String
      var CONTENTS: [String: Node]?

      var paths: [String] { CONTENTS.map { $0.values.flatMap(\.paths) } ?? [FULL_PATH] }
    }
    let body = try await get("/")
    return Set(try JSONDecoder().decode(Node.self, from: Data(body.utf8)).paths)
  }

  /// All addresses whose values a subscriber of everything is sent over OSC.
  ///
  /// - Parameter count: The number of addresses to wait for.
  /// - Returns: The addresses.
  /// - Throws: ``TestFailure``.
  func pathsOverOSC(_ count: Int) async throws -> Set<String> {
    for path in answers.paths { answers.forget(path) }
    osc.send(.message(OSCMessage("/subscribe", [.text("/")])), to: oscPort)
    // A few more would come in the same breath.
    _ = try? await waitUntil("\(count + 1) values come", within: .seconds(3)) {
      answers.paths.count > count
    }
    osc.send(.message(OSCMessage("/unsubscribe")), to: oscPort)
    return answers.paths
  }

  /// All paths that `multiroute list` tells.
  func pathsOnCommandLine() async throws -> Set<String> {
    struct Line: Decodable {
      var path: String
    }
    let listed = try await Multiroute.run(["list", "--json", "--host", host.name], in: scratch)
    let lines = listed.standardOutput.split(separator: "\n")
    return Set(
      try lines.map { line in
        try JSONDecoder().decode(Line.self, from: Data(line.utf8)).path
      }
    )
  }
}

extension OSCValue {
  /// A number; nil for any other value.
  var number: Double? {
    switch self {
    case .float(let number): Double(number)
    case .integer(let number): Double(number)
    default: nil
    }
  }
}
