// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles

/// The way of a control over a parameter: its values at positions from 0 to 1.
///
/// Pure value: [any-thread].
struct ParameterTravel {
  private let isFader: Bool
  private let bottom: Double
  private let top: Double
  /// Whether the parameter is a switch.
  let isSwitch: Bool
  /// Whether it is the levels of a meter, of which the loudest is shown and none can be set.
  let isMeter: Bool

  /// The travel of a mapping over a parameter; nil for one that is neither a number, a switch nor a meter.
  init?(_ mapping: ControlMapping, over parameter: ParameterDescription) {
    isMeter = parameter.type == .numbers
    switch parameter.type {
    case .numbers:
      (isFader, isSwitch) = (false, false)
      (bottom, top) = (mapping.from ?? -60, mapping.to ?? 0)
      guard bottom.isFinite, top.isFinite else { return nil }
    case .flag: (isFader, bottom, top, isSwitch) = (false, 0, 1, true)
    case .number:
      isSwitch = false
      isFader = parameter.taper == .fader
      if isFader {
        bottom = mapping.from.map(FaderTaper.position) ?? 0
        top = mapping.to.map(FaderTaper.position) ?? 1
      } else {
        let from = mapping.from ?? parameter.minimum ?? 0
        let to = mapping.to ?? parameter.maximum ?? 1
        guard from.isFinite, to.isFinite else { return nil }
        let least = parameter.minimum ?? -.infinity
        let greatest = parameter.maximum ?? .infinity
        bottom = min(max(from, least), greatest)
        top = min(max(to, least), greatest)
      }
    default: return nil
    }
  }

  /// The value at a position.
  func value(at position: Double) -> ParameterValue {
    let place = bottom + position * (top - bottom)
    if isSwitch { return .flag(place >= 0.5) }
    return .number(isFader ? FaderTaper.gainDB(atPosition: place) : place)
  }

  /// The position of a value; nil for a value of another type.
  func position(of value: ParameterValue) -> Double? {
    switch value {
    case .flag(let isOn) where isSwitch: return isOn ? 1 : 0
    case .number(let number) where !isSwitch && !isMeter:
      return share(isFader ? FaderTaper.position(ofGainDB: number) : number)
    case .numbers(let levels) where isMeter: return share(levels.max() ?? -.infinity)
    default: return nil
    }
  }

  private func share(_ place: Double) -> Double {
    guard top != bottom, !place.isNaN else { return 0 }
    return min(max((place - bottom) / (top - bottom), 0), 1)
  }

  /// The values at both ends, as the parameter has them.
  var ends: (lowest: Double, highest: Double) { (bottom, top) }
}
