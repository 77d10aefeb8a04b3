// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket

extension Host {
  /// Answers the requests about scenes. [any-thread]
  nonisolated func registerScenes(on router: ControlRouter) -> ControlRouter {
    router
      .on(ListScenes.self) { _, _ in await self.run { $0.scenes.list } }
      .on(SaveScene.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in
          try await rooms.scenes.save(params.scene)
        }
      }
      .on(DeleteScene.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in
          try await rooms.scenes.delete(params.scene)
        }
      }
      .on(RecallScene.self) { params, connection throws(ControlError) in
        try await self.run { rooms throws(ControlError) in
          try await rooms.recall(params, for: connection)
        }
      }
  }
}

/// The rooms as scenes use them. [control-thread]
extension Rooms {
  /// The connections of the scene room to the rest of the host.
  func sceneLinks() -> SceneRoom.Links {
    SceneRoom.Links(
      values: { [unowned self] in parameters.sceneValues },
      changed: { [unowned self] in parameters.changed() },
    )
  }

  /// Gives the mix the values of a scene: all that exists now and is not safe.
  ///
  /// - Throws: `badValue` for an unknown scene.
  @discardableResult
  func recall(
    _ params: RecallScene.Params,
    for connection: ConnectionID,
  ) async throws(ControlError) -> RecallScene.Result {
    let scene = try scenes.scene(named: params.scene)
    var result = RecallScene.Result(recalled: 0, safe: [], missing: [], refused: [])
    let present = Dictionary(parameters.sceneValues.map { ($0.path, $0.value) }) { $1 }
    for setting in scene.values {
      if ParameterKind.strip(of: setting.path).map(scenes.isSafe) == true {
        result.safe.append(setting.path)
      } else if let value = present[setting.path] {
        do throws(ControlError) {
          if value != setting.value {
            try await set([setting], rampMilliseconds: params.fadeMilliseconds, for: connection)
          }
          result.recalled += 1
        } catch {
          result.refused.append(RecallScene.Refusal(path: setting.path, reason: error.message))
        }
      } else {
        result.missing.append(setting.path)
      }
    }
    scenes.hasRecalled(scene.name)
    return result
  }
}

/// The parameters of scenes. [any-thread]
extension ParameterKind {
  /// The present scene, and the strips that scenes leave alone.
  static let ofScenes: [ParameterKind] = [
    ParameterKind(
      template: "/strip/*/safe",
      type: .flag,
      description: "whether scenes leave the strip alone",
      instances: { snapshot in
        snapshot.status.strips.map { strip in
          Instance(strip.id, value: .flag(snapshot.scenes.safe.contains(strip.id)))
        }
      },
      write: { rooms, change throws(ControlError) in
        try rooms.mix.check(.strip(change.names[0]))
        try await rooms.scenes.setSafe(change.names[0], isSafe: change.isOn)
      },
    ),
    ParameterKind(
      template: "/scene/current",
      type: .text,
      description: "the scene that was saved or recalled last; setting it recalls a scene",
      instances: { [Instance(value: .text($0.scenes.current ?? ""))] },
      write: { rooms, change throws(ControlError) in
        let params = RecallScene.Params(
          scene: change.text,
          fadeMilliseconds: change.rampMilliseconds,
        )
        try await rooms.recall(params, for: change.connection)
      },
    ),
  ]

  /// The strip that a parameter belongs to; nil for one of no strip.
  static func strip(of path: String) -> String? {
    guard let names = ParameterPath.names(path), names.count > 1, names[0] == "strip" else {
      return nil
    }
    return names[1]
  }
}
