// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import InterAppAudio

/// The parameters that nodes publish. [any-thread]
extension ParameterKind {
  /// All parameters of all nodes: each says itself what it is.
  static let ofNodes = ParameterKind(
    template: "/node/*/*",
    type: .number,
    description:
      "a parameter of the node, with the type, range, unit and meaning that it publishes",
    instances: { snapshot in
      snapshot.nodes.map { control in
        Instance(
          names: [control.node, control.parameter.name],
          value: value(of: control.parameter),
          details: Details(control.parameter),
        )
      }
    },
    details: { rooms, names in
      rooms.nodes.parameter(names[1], ofNode: names[0]).map(Details.init)
    },
    write: { rooms, change throws(ControlError) in
      let value = change.value == .flag(true) ? 1 : change.number
      try rooms.nodes.setParameter(change.names[1], to: value, ofNode: change.names[0])
    },
  )

  private static func value(of parameter: NodeParameter) -> ParameterValue {
    parameter.kind == .flag ? .flag(parameter.value == 1) : .number(parameter.value)
  }
}

extension ParameterKind.Details {
  /// The facts that a node has published.
  fileprivate init(_ parameter: NodeParameter) {
    type = parameter.kind == .flag ? .flag : .number
    range = parameter.kind == .flag ? nil : parameter.range
    unit = parameter.unit
    taper = parameter.taper == .logarithmic ? .logarithmic : .linear
    description = parameter.description
  }
}
