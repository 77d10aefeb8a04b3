// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The parameters of the effects of strips and routes. [any-thread]
extension ParameterKind {
  /// The shares and bypasses of effects.
  static let ofEffects: [ParameterKind] = ["strip", "route"].flatMap { place in
    [wet("/\(place)/*/wet"), bypass("/\(place)/*/insert/*/bypass")]
  }

  private static func wet(_ template: String) -> ParameterKind {
    ParameterKind(
      template: template,
      type: .number,
      range: 0...1,
      description: "the share of the effects in the sound",
      instances: { snapshot in
        chains(template, in: snapshot).map { Instance($0.name, value: .number($0.chain.wet)) }
      },
      write: { rooms, change throws(ControlError) in
        let target = target(template, change.names)
        let chain = rooms.nodes.insertStatuses.first {
          MixTarget(strip: $0.strip, route: $0.route) == target
        }
        guard let chain else { throw noEffects(of: target) }
        _ = try rooms.nodes.setInserts(
          SetInserts.Params(
            target: target,
            nodes: chain.nodes.map(\.name),
            wet: change.number,
          )
        )
      },
    )
  }

  private static func bypass(_ template: String) -> ParameterKind {
    ParameterKind(
      template: template,
      type: .flag,
      description: "whether the effect is left out",
      instances: { snapshot in
        chains(template, in: snapshot).flatMap { name, chain in
          chain.nodes.map { Instance(name, $0.name, value: .flag($0.bypassed)) }
        }
      },
      write: { rooms, change throws(ControlError) in
        _ = try rooms.nodes.setBypass(
          SetBypass.Params(
            target: target(template, change.names),
            node: change.names[1],
            bypassed: change.isOn,
          )
        )
      },
    )
  }

  /// The chains of strips or of routes, with the name of the strip or route.
  private static func chains(
    _ template: String,
    in snapshot: ParameterSnapshot,
  ) -> [(name: String, chain: InsertStatus)] {
    let isRoute = template.hasPrefix("/route/")
    return snapshot.status.inserts.compactMap { chain in
      (isRoute ? chain.route : chain.strip).map { ($0, chain) }
    }
  }

  private static func noEffects(of target: MixTarget) -> ControlError {
    ControlError(
      .badValue,
      place: "wet",
      fault: "\(target) has no effects",
      allowed: "a strip or route with effects, which setInserts gives it",
    )
  }
}
