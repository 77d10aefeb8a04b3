// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The protocol that a unit speaks.
///
/// Pure value: [any-thread].
public enum MackieModel: String, CaseIterable, Sendable {
  /// Mackie Control: ready as soon as it is plugged in.
  case mackie
  /// Logic Control: silent until its challenge is answered.
  case logic
}

/// One unit of a control surface: eight strips, and the master section where it is no extender.
///
/// Pure value: [any-thread].
public struct MackieUnit: Equatable, Sendable {
  /// The number of strips on a unit.
  public static let stripCount = 8

  /// The protocol.
  public let model: MackieModel
  /// Whether it is an extender, which has strips alone.
  public let isExtender: Bool
  /// Whether its displays have colours that are set as on the X-Touch.
  public let hasColors: Bool

  /// Makes a unit.
  public init(model: MackieModel = .mackie, isExtender: Bool = false, hasColors: Bool = false) {
    self.model = model
    self.isExtender = isExtender
    self.hasColors = hasColors
  }

  /// The byte of its SysEx messages that names the kind of device.
  var header: UInt8 {
    switch model {
    case .mackie: isExtender ? 0x15 : 0x14
    case .logic: isExtender ? 0x11 : 0x10
    }
  }
}

/// The colour of a strip's display on an X-Touch: a bit each for red, green and blue (MCU-52).
///
/// Pure value: [any-thread].
enum MackieColor: UInt8 {
  /// No strip.
  case off = 0
  /// A muted strip.
  case red = 1
  /// A soloed strip.
  case yellow = 3
  /// A strip on the cue route.
  case cyan = 6
  /// Any other strip.
  case white = 7
}

/// The strips and routes in the order of the graph, which the tree of parameters does not have.
///
/// Pure value: [any-thread].
public struct MackieOrder: Equatable, Sendable {
  /// The names of strips from left to right; others follow, sorted by name.
  public let strips: [String]
  /// The names of output routes; the first is the master fader's.
  public let routes: [String]

  /// Makes an order.
  public init(strips: [String] = [], routes: [String] = []) {
    self.strips = strips
    self.routes = routes
  }

  /// The same order with other names.
  func renamed(by steps: [ParameterRename]) -> MackieOrder {
    func names(_ names: [String], on branch: String) -> [String] {
      names.map { name in
        let path = steps.path(after: ParameterPath.path([branch, name]))
        return ParameterPath.names(path)?.last ?? name
      }
    }
    return MackieOrder(strips: names(strips, on: "strip"), routes: names(routes, on: "route"))
  }
}

/// Something that a control surface reacts to.
///
/// Pure value: [any-thread].
enum MackieEvent: Sendable {
  /// A unit is plugged in.
  case plugged(unit: Int)
  /// A unit is gone.
  case unplugged(unit: Int)
  /// A unit has sent a message.
  case received([UInt8], unit: Int)
  /// All parameters that exist now.
  case loaded([ParameterSetting])
  /// Strips and routes have another order.
  case ordered(MackieOrder)
  /// Parameters have changed, come or gone.
  case changed(ParameterChanges)
  /// A text is to be shown for a while.
  case notice(String)
  /// Time has passed.
  case tick
  /// The host ends.
  case leaving
}

/// Messages to the units and values for the tree of parameters, in their order.
///
/// Pure value: [any-thread].
struct MackieReaction: Equatable, Sendable {
  /// A message to one unit.
  struct Message: Equatable, Sendable {
    let unit: Int
    let bytes: [UInt8]
  }

  var messages: [Message] = []
  var settings: [ParameterSetting] = []
}
