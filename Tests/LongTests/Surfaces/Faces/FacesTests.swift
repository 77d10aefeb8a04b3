// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import OSC
import TestSupport
import Testing

@testable import EndToEndSupport

/// All faces of the tree of parameters show the same host.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct FacesTests {
  private static func same(_ one: Double?, _ other: Double, within error: Double = 1e-6) -> Bool {
    guard let one else { return false }
    return abs(one - other) <= error * max(1, abs(one), abs(other))
  }

  @Test(.jackServer(frames: 256, channels: 10))
  func `1,000 values set through any face are read through every face`() async throws {
    let places = FacePlaces()
    var random = TestSeed.random()
    var moves: [FaceMove] = []
    let rig = try await FacesRig(places) { parameters in
      #expect(parameters.count >= 200)
      moves = try FaceMove.random(1_000, of: parameters, places, &random)
      return moves
    }
    for face in Face.allCases {
      #expect(moves.count { $0.face == face } >= 20, "moves through \(face)")
    }
    var values: [String: Double] = [:]
    for parameter in try await FacesRig.parameters(rig.control) {
      values[parameter.path] = FacesRig.number(parameter.value)
    }
    var sent = 0
    for (number, move) in moves.enumerated() {
      if number.isMultiple(of: 50) { rig.renewApp() }
      let (path, value) = (move.parameter.path, move.value)
      values[path] = value
      try await rig.make(move, &sent)
      // Datagrams, frames and messages of MIDI act a little later.
      try await waitUntil("\(path) is \(value) on the socket, after \(move.face)") {
        Self.same(try await rig.onSocket(path), value)
      }
      let (osc, http) = (try await rig.overOSC(path), try await rig.overHTTP(path))
      #expect(Self.same(osc, value), "\(path) after \(move): \(String(describing: osc)) over OSC")
      #expect(
        Self.same(http, value),
        "\(path) after \(move): \(String(describing: http)) over HTTP"
      )
      if move.face == .command {
        #expect(Self.same(try await rig.onCommandLine(path), value), "\(path) after \(move)")
      }
      if let address = places.addresses[path] {
        // A mixer tells positions, and is told of changes every 20 ms.
        let shown = try #require(address.value(value).number)
        try await waitUntil("\(path) is at \(shown) in the app, after \(move.face)") {
          Self.same(try await rig.inApp(path), shown)
        }
      }
      if places.controls[path] != nil, move.face != .midi {
        let share = Self.share(move)
        try await waitUntil("\(path) is \(value) on the controller, after \(move.face)") {
          rig.onController(path).map { abs(Double($0) / 16_383 - share) < 2.0 / 16_383 } ?? false
        }
      }
    }
    // Nothing else has moved.
    for parameter in try await FacesRig.parameters(rig.control) {
      let value = try #require(values[parameter.path])
      #expect(Self.same(FacesRig.number(parameter.value), value), "\(parameter.path)")
    }
    try await rig.end()
  }

  @Test(.jackServer(frames: 256, channels: 10))
  func `no face has a parameter that the tree lacks`() async throws {
    let rig = try await FacesRig(FacePlaces()) { _ in [] }
    let listed = try await rig.control.call(ListParameters.self, .init()).parameters
    let tree = Set(listed.map(\.path))
    #expect(tree.count == listed.count)
    // Over OSC each gain has its fader, too, and nothing else has.
    let gains = tree.filter { $0.hasSuffix("/gain") }
    let faders = Set(gains.map { gain in String(gain.dropLast("gain".count)) + "fader" })
    let addresses = tree.union(faders)
    #expect(try await rig.pathsOverHTTP() == addresses)
    #expect(try await rig.pathsOverOSC(addresses.count) == addresses)
    #expect(try await rig.pathsOnCommandLine() == tree)
    // A tablet and a controller set parameters of the tree.
    let places = FacePlaces()
    #expect(Set(places.addresses.keys).subtracting(tree) == [])
    #expect(Set(places.controls.keys).subtracting(tree) == [])
    try await rig.end()
  }

  /// The share of its way at which a control shows a value.
  private static func share(_ move: FaceMove) -> Double {
    switch move.parameter.type {
    case .number where move.parameter.minimum == -.infinity:
      FaderTaper.position(ofGainDB: move.value)
    case .number: (move.value + 1) / 2
    default: move.value
    }
  }
}
