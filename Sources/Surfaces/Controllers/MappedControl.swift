// SPDX-License-Identifier: MIT

package import ControlProtocol
package import GraphFiles

/// One mapping of a plugged or unplugged controller, with the state of its control.
///
/// Pure value: [any-thread].
struct MappedControl {
  /// A new value of the parameter.
  struct Change: Equatable {
    var path: String
    var value: ParameterValue
    /// The ramp in milliseconds; nil for the host's own.
    var rampMilliseconds: Double?
  }

  private(set) var mapping: ControlMapping
  /// The way over the parameter; nil while the host does not have it.
  private(set) var travel: ParameterTravel?
  private(set) var takeover: FaderTakeover
  /// Whether a hand is on the motor fader.
  private(set) var isTouched = false
  /// Whether the parameter must be shown again.
  var needsShowing = true

  private var isPressed = false
  private var shown: Int?

  init(_ mapping: ControlMapping) {
    self.mapping = mapping
    takeover = FaderTakeover(mapping.takeover)
  }

  /// The path that it sets.
  var path: String {
    switch mapping.target {
    case .parameter(let path): path
    case .scene: "/scene/current"
    }
  }

  /// Whether it shows a meter, whose levels are computed only while somebody watches them.
  var showsMeter: Bool { path.hasSuffix("/level") }

  /// Goes on with the parameter under another path, as if nothing had happened: the hand on the fader stays in charge.
  mutating func rename(_ steps: [ParameterRename]) { mapping = mapping.renamed(by: steps) }

  /// Takes over the range and unit of the parameter; nil for one that has gone.
  mutating func describe(_ parameter: ParameterDescription?) {
    travel = parameter.flatMap { ParameterTravel(mapping, over: $0) }
  }

  /// Forgets all that is known of the hardware, as after plugging in.
  mutating func plug() {
    takeover.forget()
    (isTouched, isPressed, shown, needsShowing) = (false, false, nil, true)
  }

  /// Takes note of a position that the audio thread has given to the crossfader.
  mutating func note(_ value: ParameterValue) {
    if let position = travel?.position(of: value) { takeover.note(position) }
  }

  // MARK: - From the control

  /// Moves the control.
  ///
  /// - Parameters:
  ///   - move: Any move of the controller.
  ///   - present: The parameter's value, if it has one.
  ///   - milliseconds: The time now.
  /// - Returns: The change of the parameter; nil for none.
  mutating func change(
    by move: ControllerMove,
    present: ParameterValue?,
    at milliseconds: Double,
  ) -> Change? {
    if let touch = mapping.touch, touch.takes(move) { feel(Self.isOn(move)) }
    guard mapping.control.takes(move) else { return nil }
    // A motor fader stands where it was moved, so a value that stays or returns must be sent to it again.
    if !showsOwnChanges { shown = nil }
    if case .scene(let name) = mapping.target {
      return press(Self.isOn(move)) ? Change(path: path, value: .text(name)) : nil
    }
    guard let travel, !travel.isMeter, let present, let current = travel.position(of: present)
    else { return nil }
    if case .relative(_, let encoding) = mapping.control.kind {
      let steps = encoding.steps(move.value)
      guard steps != 0 else { return nil }
      let way = travel.isSwitch ? Double(steps.signum()) : Double(steps) / Double(mapping.steps)
      return change(to: min(max(current + way, 0), 1), travel)
    }
    if isButton(travel) { return button(Self.isOn(move), current, travel) }
    let hardware =
      mapping.control.highestValue == 127
      ? MIDIShare.of7Bits(Int(move.value)) : MIDIShare.of14Bits(Int(move.value))
    if travel.isSwitch {
      let value = travel.value(at: hardware)
      return value == present ? nil : Change(path: path, value: value)
    }
    let step = takeover.move(to: hardware, current: current, at: milliseconds)
    return step.map {
      Change(
        path: path,
        value: travel.value(at: $0.position),
        rampMilliseconds: $0.rampMilliseconds,
      )
    }
  }

  private func change(to position: Double, _ travel: ParameterTravel) -> Change {
    Change(path: path, value: travel.value(at: position))
  }

  private func isButton(_ travel: ParameterTravel) -> Bool {
    switch mapping.control.kind {
    case .note: mapping.mode != .none
    case .controlChange: travel.isSwitch && mapping.mode != .none
    default: false
    }
  }

  private mutating func button(
    _ isOn: Bool,
    _ current: Double,
    _ travel: ParameterTravel,
  ) -> Change? {
    if mapping.mode == .momentary { return change(to: isOn ? 1 : 0, travel) }
    return press(isOn) ? change(to: current < 0.5 ? 1 : 0, travel) : nil
  }

  /// Presses or releases the button; gives whether this is a new press.
  private mutating func press(_ isOn: Bool) -> Bool {
    if case .program = mapping.control.kind { return isOn }
    defer { isPressed = isOn }
    return isOn && !isPressed
  }

  /// Whether a button is pressed: each velocity of a note, and control changes from 64 (MID-3).
  private static func isOn(_ move: ControllerMove) -> Bool {
    if case .note = move.control.kind { move.value > 0 } else { move.value >= 64 }
  }

  private mutating func feel(_ isTouched: Bool) {
    // Where the hand has left the fader, and not where the motor has put it last, is unknown to us.
    if self.isTouched, !isTouched { (shown, needsShowing) = (nil, true) }
    self.isTouched = isTouched
  }

  // MARK: - To the control

  /// Whether the control shows a change that it has made itself: a LED or ring does not know it, a fader stands there.
  var showsOwnChanges: Bool {
    guard let feedback = mapping.feedback, feedback.control == mapping.control else { return true }
    return switch mapping.control.kind {
    case .note, .relative: true
    case .controlChange: travel?.isSwitch == true
    default: false
    }
  }

  /// The messages that show a value where it is not shown yet; none while the control is touched.
  mutating func messages(showing value: ParameterValue?) -> [[UInt8]] {
    guard needsShowing, !isTouched, let feedback = mapping.feedback else { return [] }
    needsShowing = false
    let position = value.flatMap { travel?.position(of: $0) } ?? 0
    let number = feedback.off + Int((position * Double(feedback.on - feedback.off)).rounded())
    guard number != shown else { return [] }
    shown = number
    return feedback.control.messages(showing: number)
  }

  /// The way in which the audio thread can move the crossfader for this control now; nil while it must not.
  ///
  /// - Parameters:
  ///   - present: The crossfader's position.
  ///   - milliseconds: The time now.
  /// - Returns: The control as the audio thread reads it.
  func directControl(present: ParameterValue?, at milliseconds: Double) -> DirectControl? {
    guard path == "/crossfader/position", let travel, !travel.isSwitch,
      let current = present.flatMap(travel.position),
      mapping.takeover == .jump
        || (mapping.takeover == .pickup && takeover.isInSync(with: current)
          && takeover.hasCaughtUp(at: milliseconds))
    else { return nil }
    let kind: DirectControl.Kind
    switch mapping.control.kind {
    case .controlChange(let number): kind = .controlChange(number)
    case .controlChangePair(let number): kind = .controlChangePair(number)
    case .pitchBend: kind = .pitchBend
    default: return nil
    }
    return DirectControl(
      kind: kind,
      channel: mapping.control.channel,
      lowest: travel.ends.lowest,
      highest: travel.ends.highest,
    )
  }
}

extension ControlMapping {
  /// The path of the parameter that it sets; nil for one of a scene. [any-thread]
  package var parameterPath: String? {
    if case .parameter(let path) = target { path } else { nil }
  }

  /// The same mapping with the path as the tree writes it. [any-thread]
  package var spelled: ControlMapping {
    var mapping = self
    if let path = parameterPath { mapping.target = .parameter(ParameterPath.spelled(path)) }
    return mapping
  }

  /// The same mapping under the new path of its parameter. [any-thread]
  package func renamed(by steps: [ParameterRename]) -> ControlMapping {
    var mapping = self
    if let path = parameterPath { mapping.target = .parameter(steps.path(after: path)) }
    return mapping
  }
}
