// SPDX-License-Identifier: MIT

internal import YAML

/// The use of one control of a MIDI controller.
///
/// Pure value: [any-thread].
public struct ControlMapping: Sendable, Equatable {
  /// The thing that the control changes.
  public enum Target: Sendable, Equatable {
    /// The parameter of this path.
    case parameter(String)
    /// The scene of this name is recalled.
    case scene(String)
  }

  /// The behaviour of a button; the raw value is the name in files.
  public enum ButtonMode: String, Sendable, CaseIterable {
    /// Each press changes a switch.
    case toggle
    /// A switch is on while the button is held.
    case momentary
    /// The control is no button: the velocity or value is the position, 0 after the release.
    case none
  }

  /// How a fader takes over a parameter that stands elsewhere; the raw value is the name in files.
  public enum Takeover: String, Sendable, CaseIterable {
    /// At once.
    case jump
    /// When the fader reaches or passes the present value.
    case pickup
    /// Fader and value approach each other until both are at an end.
    case scaled
  }

  /// The control that shows the parameter: a LED, a ring or a motor fader.
  public struct Feedback: Sendable, Equatable {
    /// The messages that are sent.
    public var control: MIDIControl
    /// The value that is sent at the bottom, or for a switch that is off.
    public var off: Int
    /// The value that is sent at the top, or for a switch that is on.
    public var on: Int

    /// Makes a display over the whole range of values.
    public init(_ control: MIDIControl) {
      self.control = control
      off = 0
      on = control.highestValue
    }
  }

  /// The control.
  public var control: MIDIControl
  /// The thing that the control changes.
  public var target: Target
  /// The behaviour of a button.
  public var mode = ButtonMode.toggle
  /// How a fader takes over.
  public var takeover = Takeover.pickup
  /// The value at the bottom, in the parameter's unit; nil for its least.
  public var from: Double?
  /// The value at the top, in the parameter's unit; nil for its greatest.
  public var to: Double?
  /// The steps of an encoder from the bottom to the top.
  public var steps = 100
  /// The control that tells whether the fader is touched, if there is one.
  public var touch: MIDIControl?
  /// The control that shows the parameter; nil for none.
  public var feedback: Feedback?

  /// Makes a mapping with all defaults: a note shows its parameter on its LED, other controls show nothing.
  ///
  /// - Parameters:
  ///   - control: The control.
  ///   - target: The thing that it changes.
  public init(_ control: MIDIControl, _ target: Target) {
    self.control = control
    self.target = target
    if case .note = control.kind, case .parameter = target { feedback = Feedback(control) }
  }
}

/// The keys of a control in `map`.
enum ControlMappingKey: String, SectionKey {
  static let section = "control"
  case control, parameter, scene, mode, takeover, from, to, steps, touch, feedback
}

/// The keys of a control's `feedback`.
enum ControlFeedbackKey: String, SectionKey {
  static let section = "feedback"
  case control, off, on
}

extension ControlMapping {
  init?(_ field: Field) {
    guard let section: Section<ControlMappingKey> = field.section(),
      let control = section.required(.control, example: "cc 1/7")?.midiControl(),
      let target = Self.target(section)
    else { return nil }
    self.init(control, target)
    mode = section[.mode]?.choice() ?? mode
    takeover = section[.takeover]?.choice() ?? takeover
    from = section[.from]?.mappedNumber()
    to = section[.to]?.mappedNumber()
    steps = section[.steps]?.integer(in: 1...16_384) ?? steps
    touch = section[.touch]?.midiControl()
    feedback = section[.feedback].map { $0.controlFeedback(of: control) } ?? feedback
    rejectForeignKeys(section)
  }

  private static func target(_ section: Section<ControlMappingKey>) -> Target? {
    switch (section[.parameter], section[.scene]) {
    case (let field?, nil): return field.parameterPath().map(Target.parameter)
    case (nil, let field?): return field.text(allowed: "the name of a scene").map(Target.scene)
    case (nil, nil):
      section.log.error(
        at: section.position,
        "control: it has neither 'parameter' nor 'scene'; write one of them",
      )
    case (_?, let field?): field.error("the control has a 'parameter' already; keep one")
    }
    return nil
  }

  /// Reports keys that do not belong to this kind of control.
  private func rejectForeignKeys(_ section: Section<ControlMappingKey>) {
    var foreign: [ControlMappingKey] = []
    switch control.kind {
    case .note, .controlChange: foreign = [.steps]
    case .relative: foreign = [.mode, .takeover]
    case .program: foreign = [.mode, .takeover, .from, .to, .steps, .touch, .feedback]
    case .controlChangePair, .registered, .nonRegistered, .pitchBend: foreign = [.mode, .steps]
    }
    if case .scene = target { foreign = [.mode, .takeover, .from, .to, .steps, .touch, .feedback] }
    for key in foreign {
      section[key]?.error("does not belong to '\(control)' here; remove this key")
    }
    switch (control.kind, target) {
    case (.program, .parameter):
      section[.parameter]?.error("a program change recalls a scene; write 'scene: NAME'")
    case (.note, .scene), (.controlChange, .scene), (.program, .scene), (_, .parameter): break
    default: section[.scene]?.error("'\(control)' is no button; use note, cc or program")
    }
  }
}

extension ControlMapping {
  /// The line that gives a graph this mapping, in the list `map`: all that learning can set.
  public var line: String {
    let target =
      switch target {
      case .parameter(let path): "parameter: \(path)"
      case .scene(let name): "scene: \(name)"
      }
    var text = "- {control: \(control), \(target)"
    if let touch { text += ", touch: \(touch)" }
    if let feedback, feedback.control == control, self != ControlMapping(control, self.target) {
      text += ", feedback: true"
    }
    return text + "}"
  }

  /// The names in braces in the path of its parameter.
  var placeholders: [String] {
    guard case .parameter(let path) = target else { return [] }
    return path.split(separator: "/").compactMap { part in
      part.hasPrefix("{") && part.hasSuffix("}") ? String(part.dropFirst().dropLast()) : nil
    }
  }

  /// The same mapping for these strips and routes; a name in braces without an entry stands for itself.
  func naming(_ names: [String: String]) -> ControlMapping {
    guard case .parameter(var path) = target else { return self }
    for name in placeholders {
      path.replace("{\(name)}", with: names[name] ?? name)
    }
    var mapping = self
    mapping.target = .parameter(path)
    return mapping
  }
}

extension Field {
  fileprivate func midiControl() -> MIDIControl? {
    guard let text = text(allowed: "a control such as cc 1/7") else { return nil }
    do {
      return try MIDIControl(text)
    } catch {
      self.error(error.description)
      return nil
    }
  }

  /// The path of a parameter, with or without names in braces.
  fileprivate func parameterPath() -> String? {
    let allowed = "the path of a parameter, such as /strip/NAME/gain"
    guard let text = text(allowed: allowed) else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0].isEmpty, parts.dropFirst().allSatisfy({ !$0.isEmpty }),
      !text.contains(where: { " #*,?[]".contains($0) })
    else {
      error("\(MessageText.quoted(text)) is not a path; write \(allowed)")
      return nil
    }
    return text
  }

  /// A value in the parameter's unit: a plain number, or a gain in dB.
  fileprivate func mappedNumber() -> Double? {
    let allowed = "a number, such as -1, or a gain, such as -60 dB"
    guard let text = scalar(allowed: allowed) else { return nil }
    let written = NumberText(text)
    guard let value = written.value, value < .infinity,
      ["", "dB"].contains(written.unit)
    else {
      error("\(MessageText.quoted(text)) is not \(allowed)")
      return nil
    }
    return value
  }

  /// `false` for none, `true` for the control itself, another control, or a mapping with its values.
  fileprivate func controlFeedback(of control: MIDIControl) -> ControlMapping.Feedback? {
    switch node.content {
    case .scalar("true", isPlain: true): return ControlMapping.Feedback(control)
    case .scalar("false", isPlain: true): return nil
    case .scalar:
      guard let text = text(allowed: "true, false or a control such as cc 1/9") else { return nil }
      guard let control = try? MIDIControl(text) else {
        error("\(MessageText.quoted(text)) is neither true, false nor a control such as cc 1/9")
        return nil
      }
      return ControlMapping.Feedback(control)
    default:
      guard let section: Section<ControlFeedbackKey> = section() else { return nil }
      var shown = control
      if let field = section[.control] {
        guard let other = field.midiControl() else { return nil }
        shown = other
      }
      var feedback = ControlMapping.Feedback(shown)
      let range = 0...shown.highestValue
      feedback.off = section[.off]?.integer(in: range) ?? feedback.off
      feedback.on = section[.on]?.integer(in: range) ?? feedback.on
      return feedback
    }
  }
}
