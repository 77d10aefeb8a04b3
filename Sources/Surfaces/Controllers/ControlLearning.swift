// SPDX-License-Identifier: MIT

internal import GraphFiles

/// Finds out which control a user moves, and of what kind it is.
///
/// Pure value: [any-thread].
struct ControlLearning {
  /// The control that was moved.
  struct Finding: Equatable {
    var controller: String
    var control: MIDIControl
    /// The control that tells of a hand on the fader, if there is one.
    var touch: MIDIControl?
  }

  /// A control has come to rest after so many milliseconds.
  private static let restMilliseconds = 500.0
  /// The most moves that are looked at.
  private static let moveLimit = 256

  private var found: (controller: String, control: MIDIControl)?
  private var touch: MIDIControl?
  private var values: [Int] = []
  private var last = 0.0

  /// Takes the moves of one message.
  ///
  /// - Returns: Whether they belong to the control that is learned, and should do nothing else.
  mutating func take(
    _ moves: [ControllerMove],
    from controller: String,
    at milliseconds: Double,
  ) -> Bool {
    guard let move = Self.significant(moves) else { return true }
    if let found, found.controller != controller { return false }
    switch (found?.control.kind, move.control.kind) {
    case (_, .note) where move.value == 0: return found?.control == move.control
    case (nil, _): found = (controller, move.control)
    case (.note?, .note): return move.control == found?.control
    case (.note?, _):
      // A motor fader tells of the hand before it moves.
      touch = found?.control
      found = (controller, move.control)
    case (.controlChange(let upper)?, .controlChange(let lower))
    where upper < 32 && lower == upper + 32 && move.control.channel == found?.control.channel:
      found?.control = MIDIControl(.controlChangePair(upper), channel: move.control.channel)
    case (.controlChange(let lower)?, .controlChange(let upper))
    where upper < 32 && lower == upper + 32 && move.control.channel == found?.control.channel:
      found?.control = MIDIControl(.controlChangePair(upper), channel: move.control.channel)
    case (.controlChange(38)?, .registered), (.controlChange(38)?, .nonRegistered):
      // The lower bits of a parameter number came before it had a value.
      found?.control = move.control
    case (.controlChangePair(let upper)?, .controlChange(let number))
    where number == upper || number == upper + 32: break
    default:
      guard move.control == found?.control else { return false }
    }
    if values.count < Self.moveLimit { values.append(move.value) }
    last = milliseconds
    return true
  }

  /// The control, once it has come to rest and its kind is sure.
  func finding(at milliseconds: Double) -> Finding? {
    guard let found, milliseconds - last >= Self.restMilliseconds else { return nil }
    var control = found.control
    if case .controlChange(let number) = control.kind {
      switch Self.encoding(of: values) {
      case .fader: break
      case .unsure: return nil
      case .encoder(let encoding):
        control = MIDIControl(.relative(number, encoding), channel: control.channel)
      }
    }
    return Finding(controller: found.controller, control: control, touch: touch)
  }

  private enum Nature {
    case fader
    case encoder(MIDIControl.RelativeEncoding)
    /// An encoder that has been turned one way only.
    case unsure
  }

  /// The nature of a control change by its values (MID-11).
  private static func encoding(of values: [Int]) -> Nature {
    let distinct = Set(values)
    if distinct.isSubset(of: [0, 127]) { return .fader }
    if distinct.count == 1 { return values.count >= 3 ? .unsure : .fader }
    func are(_ low: ClosedRange<Int>, _ high: ClosedRange<Int>) -> Bool {
      distinct.allSatisfy { low.contains($0) || high.contains($0) }
        && distinct.contains(where: low.contains) && distinct.contains(where: high.contains)
    }
    if are(1...15, 112...127) { return .encoder(.twosComplement) }
    if are(1...15, 65...79) { return .encoder(.signMagnitude) }
    if are(49...63, 65...79), values.count >= 4 { return .encoder(.binaryOffset) }
    return .fader
  }

  /// The move by which a control is known: the parameter number where a message is part of one, else the plainest.
  private static func significant(_ moves: [ControllerMove]) -> ControllerMove? {
    guard let first = moves.first else { return nil }
    for move in moves {
      switch move.control.kind {
      case .registered, .nonRegistered: return move
      default: break
      }
    }
    switch first.control.kind {
    case .controlChange(98...101), .program: return nil
    default: return first
    }
  }
}
