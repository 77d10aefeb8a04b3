// SPDX-License-Identifier: MIT

import ControlProtocol
import TestSupport

@testable import EndToEndSupport

/// A way to set and to read a parameter of a running host.
enum Face: CaseIterable {
  /// `set` on the control socket.
  case set
  /// The method of the control socket that was there before `set`.
  case method
  /// OSC over UDP.
  case osc
  /// OSC in a frame of a WebSocket.
  case oscQuery
  /// A control of a MIDI controller, with 14 bits for numbers.
  case midi
  /// A tablet app for X-Air mixers.
  case xair
  /// `multiroute set`.
  case command
}

/// One setting of a parameter through a face.
struct FaceMove {
  let parameter: ParameterDescription
  let face: Face
  /// The value: 0 and 1 for flags, −144 for silence.
  let value: Double
  /// The value that the control of a controller has for it, 0…16383.
  var raw = 0
}

extension FaceMove {
  /// Silence, as faces without an infinity write it.
  static let silenceDB = -144.0
  /// The highest value of a control with 14 bits.
  static let highestRaw = 16_383

  /// Moves of random parameters through random faces.
  ///
  /// A flag is switched each time; every eighth gain is silence.
  static func random(
    _ count: Int,
    of parameters: [ParameterDescription],
    _ places: FacePlaces,
    _ random: inout SeededRandom,
  ) throws -> [FaceMove] {
    var flags: [String: Bool] = [:]
    return try (0..<count).map { number in
      guard let parameter = parameters.randomElement(using: &random) else {
        throw TestFailure("the host has no parameters")
      }
      let path = parameter.path
      // A command is a process of its own, so few moves are.
      let faces = Face.allCases.filter { face in
        switch face {
        case .command: number.isMultiple(of: 5)
        case .midi: places.controls[path] != nil
        case .xair: places.addresses[path] != nil
        case .set, .method, .osc, .oscQuery: true
        }
      }
      guard let face = faces.randomElement(using: &random) else { throw TestFailure("no face") }
      guard parameter.type == .number else {
        let isOn = !(flags[path] ?? (parameter.value == .flag(true)))
        flags[path] = isOn
        return FaceMove(parameter: parameter, face: face, value: isOn ? 1 : 0)
      }
      let isGain = parameter.minimum == -.infinity
      if face == .midi {
        let raw = Int.random(in: 0...highestRaw, using: &random)
        let value = isGain ? gainDB(at: share(of: raw)) : 2 * share(of: raw) - 1
        return FaceMove(parameter: parameter, face: face, value: value, raw: raw)
      }
      if isGain, Int.random(in: 0..<8, using: &random) == 0 {
        return FaceMove(parameter: parameter, face: face, value: silenceDB)
      }
      let lowest = isGain ? (face == .xair ? -89 : -100) : parameter.minimum ?? 0
      // The fader of a mixer ends at +10 dB.
      let highest = isGain && face == .xair ? FaderTaper.highestDB : parameter.maximum ?? 1
      var value = Double.random(in: lowest...highest, using: &random)
      // A position on the wire is coarser than a gain.
      if face == .xair, let address = places.addresses[path] {
        value = address.parameter(address.value(value)) ?? value
      }
      return FaceMove(parameter: parameter, face: face, value: value)
    }
  }

  /// The share of a control's way: the middle value is the exact middle.
  private static func share(of raw: Int) -> Double {
    raw <= 8_192 ? Double(raw) / 16_384 : 0.5 + Double(raw - 8_192) / 16_382
  }

  private static func gainDB(at share: Double) -> Double {
    max(silenceDB, FaderTaper.gainDB(atPosition: share))
  }
}
