// SPDX-License-Identifier: MIT

import ControlProtocol
import OSC

@testable import EndToEndSupport

/// The mixer of the faces' test: its names, and the places of its parameters on a controller and on a tablet.
struct FacePlaces {
  let strips = (1...12).map { "deck-\($0)" }
  let routes = (1...5).map { "route-\($0)" }
  /// The controls of a MIDI controller by the parameters that they set.
  private(set) var controls: [String: FaceControl] = [:]
  /// The addresses of an X-Air mixer by the parameters behind them.
  private(set) var addresses: [String: XAirAddress] = [:]

  init() {
    // Names are sorted as texts: deck-10 comes before deck-2.
    let channels = strips.sorted().enumerated().map { ($1, Self.two($0 + 1)) }
    for (index, strip) in strips.enumerated() {
      controls["/strip/\(strip)/gain"] = .number(index)
      controls["/strip/\(strip)/pan"] = .number(1_000 + index)
      controls["/strip/\(strip)/mute"] = .note(UInt8(20 + index))
    }
    for (index, route) in routes.enumerated() {
      controls["/route/\(route)/gain"] = .number(2_000 + index)
    }
    controls["/crossfader/position"] = .bend
    for (strip, number) in channels {
      let (path, channel) = ("/strip/\(strip)", "/ch/\(number)/mix")
      addresses[path + "/gain"] = XAirAddress(channel + "/fader", .fader)
      addresses[path + "/mute"] = XAirAddress(channel + "/on", .unmuted)
      addresses[path + "/pan"] = XAirAddress(channel + "/pan", .pan)
      addresses[path + "/cue"] = XAirAddress("/-stat/solosw/\(number)", .flag)
      addresses["\(path)/send/\(routes[0])/mute"] = XAirAddress(channel + "/lr", .unmuted)
      for (bus, route) in routes.dropFirst().enumerated() {
        let address = "\(channel)/\(Self.two(bus + 1))/level"
        addresses["\(path)/send/\(route)/gain"] = XAirAddress(address, .fader)
      }
    }
    for (index, route) in routes.enumerated() {
      let address = index == 0 ? "/lr/mix" : "/bus/\(index)/mix"
      addresses["/route/\(route)/gain"] = XAirAddress(address + "/fader", .fader)
      addresses["/route/\(route)/mute"] = XAirAddress(address + "/on", .unmuted)
    }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// The graph of the mixer with all faces.
  var graph: String {
    let outputs = routes.indices.map {
      "  \(routes[$0]): {type: lineOut, ports: "
        + "[system:playback_\(2 * $0 + 1), system:playback_\(2 * $0 + 2)]}"
    }
    let sends = strips.flatMap { strip in routes.map { "  - {from: \(strip), to: \($0)}" } }
    let lines = controls.sorted { $0.key < $1.key }.map { path, control in
      "        - {control: \(control.name), parameter: \(path), takeover: jump, feedback: true}"
    }
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
      \(lines.joined(separator: "\n"))
      surfaces:
        osc: {port: 0, tcp: false}
        oscquery: {port: 0}
        xair: {port: 0}
      """
  }
}

/// A control of a MIDI controller, on channel 1.
enum FaceControl {
  /// A non-registered parameter number.
  case number(Int)
  /// A key that switches at each press.
  case note(UInt8)
  /// Pitch bend.
  case bend

  /// The control in a graph file.
  var name: String {
    switch self {
    case .number(let number): "nrpn 1/\(number)"
    case .note(let note): "note 1/\(note)"
    case .bend: "bend 1"
    }
  }

  /// The messages of a move to a value, 0…16383; of a key, those of one press.
  func messages(_ raw: Int) -> [[UInt8]] {
    let (upper, lower) = (UInt8(raw >> 7), UInt8(raw & 0x7F))
    switch self {
    case .number(let number):
      return [
        [0xB0, 99, UInt8(number >> 7)], [0xB0, 98, UInt8(number & 0x7F)], [0xB0, 6, upper],
        [0xB0, 38, lower],
      ]
    case .note(let note): return [[0x90, note, 127], [0x90, note, 0]]
    case .bend: return [[0xE0, lower, upper]]
    }
  }

  /// The value that a controller shows after these messages, 0…16383; nil before the first one.
  func shown(after messages: [[UInt8]]) -> Int? {
    var value: Int?
    var (number, upper) = (-1, 0)
    for bytes in messages where bytes.count == 3 {
      let data = Int(bytes[2])
      switch (self, bytes[0], bytes[1]) {
      case (.bend, 0xE0, _): value = data << 7 | Int(bytes[1])
      case (.note(let own), 0x90, let note) where own == note:
        value = data == 0 ? 0 : FaceMove.highestRaw
      case (.number, 0xB0, 99): number = data << 7
      case (.number, 0xB0, 98): number = number & ~0x7F | data
      case (.number, 0xB0, 6): upper = data
      case (.number(let own), 0xB0, 38) where own == number: value = upper << 7 | data
      default: break
      }
    }
    return value
  }
}

/// An address of an X-Air mixer, and the way in which it writes a parameter.
struct XAirAddress {
  enum Form {
    case fader, unmuted, flag, pan
  }

  let path: String
  let form: Form

  init(_ path: String, _ form: Form) {
    self.path = path
    self.form = form
  }

  /// The value on the wire of a parameter's one.
  func value(_ value: Double) -> OSCValue {
    switch form {
    case .fader: .float(Float(FaderTaper.position(ofGainDB: value)))
    case .pan: .float(Float((value + 1) / 2))
    case .unmuted: .integer(value == 1 ? 0 : 1)
    case .flag: .integer(Int32(value))
    }
  }

  /// The value of the parameter for one on the wire; nil for one of another type.
  func parameter(_ value: OSCValue) -> Double? {
    switch (form, value) {
    case (.fader, .float(let position)):
      max(FaceMove.silenceDB, FaderTaper.gainDB(atPosition: Double(position)))
    case (.pan, .float(let share)): 2 * Double(share) - 1
    case (.unmuted, .integer(let isOn)): Double(1 - isOn)
    case (.flag, .integer(let isOn)): Double(isOn)
    default: nil
    }
  }
}
