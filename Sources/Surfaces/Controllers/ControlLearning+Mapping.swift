// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles

/// The parameters that a control can be given. [any-thread]
extension ControlLearning {
  /// Whether a control can set a parameter.
  static func canSet(_ parameter: ParameterDescription) -> Bool {
    parameter.access == .readWrite && (parameter.type == .number || parameter.type == .flag)
  }

  /// The fault of a path that no control can set.
  static func refusal(of path: String) -> ControlError {
    ControlError(
      .badValue,
      place: "parameter",
      fault: "a control cannot set '\(path)'",
      allowed: "a number or switch that 'list' shows as settable",
    )
  }
}

extension ControlLearning {
  /// The fault of a device that is not heard. [any-thread]
  static func refusal(ofDevice device: String, among names: [String]) -> ControlError {
    ControlError(
      .badValue,
      place: "device",
      fault: "no controller that is heard has the name '\(device)'",
      allowed: names.isEmpty ? "none is plugged in" : names.joined(separator: ", "),
    )
  }

  /// The fault of words that name several controllers. [any-thread]
  static func refusal(ofAmbiguous device: String, _ names: [String]) -> ControlError {
    ControlError(
      .badValue,
      place: "device",
      fault: "'\(device)' names \(names.count) controllers",
      allowed: "one of \(names.joined(separator: ", "))",
    )
  }

  /// The fault of a controller of the graph that is not plugged in. [any-thread]
  static func refusal(ofUnplugged name: String) -> ControlError {
    ControlError(
      .badValue,
      place: "device",
      fault: "controller '\(name)' of the graph is not plugged in",
      allowed: "one that 'controllers' shows with a device",
    )
  }
}

extension ControlLearning.Finding {
  /// The mapping of the control to a parameter; a motor fader and the light of a switch show its value. [any-thread]
  func mapping(of parameter: ParameterDescription) -> ControlMapping {
    var mapping = ControlMapping(control, .parameter(parameter.path))
    mapping.touch = touch
    if touch != nil || (parameter.type == .flag && mapping.feedback == nil) {
      mapping.feedback = ControlMapping.Feedback(control)
    }
    return mapping
  }
}
