// SPDX-License-Identifier: MIT

/// Saves the present mix under a name, which may replace a scene.
///
/// Pure value: [any-thread].
public enum SaveScene: ControlMethod {
  /// The name on the wire.
  public static let name = "saveScene"
  /// The scene's name.
  public typealias Params = SceneParams
  /// All scenes.
  public typealias Result = SceneList
}

/// Gives the mix the values of a scene.
///
/// Pure value: [any-thread].
public enum RecallScene: ControlMethod {
  /// The name on the wire.
  public static let name = "recallScene"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The scene's name.
    public var scene: String
    /// The length of the fade of gains and positions; the host's default ramp when `nil`.
    public var fadeMilliseconds: Double?

    /// Makes the parameters.
    public init(scene: String, fadeMilliseconds: Double? = nil) {
      self.scene = scene
      self.fadeMilliseconds = fadeMilliseconds
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      .scene { $0.scene },
      .number("fadeMilliseconds", in: 0...60_000, "milliseconds (left out: the host's default)") {
        $0.fadeMilliseconds
      },
    ]
  }

  /// The parts of the scene that were recalled, and those that were not.
  public struct Result: Codable, Sendable, Hashable {
    /// The number of parameters that have the scene's values now.
    public var recalled: Int
    /// The parameters of strips that are safe from scenes, sorted.
    public var safe: [String]
    /// The parameters that do not exist now, sorted.
    public var missing: [String]
    /// The parameters that could not be set, each with the reason.
    public var refused: [Refusal]

    /// Makes the result.
    public init(recalled: Int, safe: [String], missing: [String], refused: [Refusal]) {
      self.recalled = recalled
      self.safe = safe
      self.missing = missing
      self.refused = refused
    }
  }

  /// A parameter that could not be set.
  public struct Refusal: Codable, Sendable, Hashable {
    /// The path.
    public var path: String
    /// The reason, a sentence for people.
    public var reason: String

    /// Makes the value from its parts.
    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }
}

/// Deletes a scene.
///
/// Pure value: [any-thread].
public enum DeleteScene: ControlMethod {
  /// The name on the wire.
  public static let name = "deleteScene"
  /// The scene's name.
  public typealias Params = SceneParams
  /// The remaining scenes.
  public typealias Result = SceneList
}

/// Lists the scenes.
///
/// Pure value: [any-thread].
public enum ListScenes: ControlMethod {
  /// The name on the wire.
  public static let name = "listScenes"
  /// The empty parameters.
  public typealias Params = NoParams
  /// All scenes.
  public typealias Result = SceneList
}

/// The name of a scene.
///
/// Pure value: [any-thread].
public struct SceneParams: ControlParams {
  /// The scene's name.
  public var scene: String

  /// Makes the parameters.
  public init(scene: String) { self.scene = scene }

  /// The parameters with their allowed values.
  public static let fields: [ParamField<SceneParams>] = [.scene { $0.scene }]
}

/// The scenes of a host.
///
/// Pure value: [any-thread].
public struct SceneList: Codable, Sendable, Hashable {
  /// The scenes, by name.
  public var scenes: [Scene]
  /// The scene that was saved or recalled last, `null` for none.
  @OrNull public var current: String?
  /// The strips that are safe from scenes, sorted.
  public var safe: [String]

  /// One scene.
  public struct Scene: Codable, Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The number of its parameters.
    public var parameters: Int

    /// Makes the value from its parts.
    public init(name: String, parameters: Int) {
      self.name = name
      self.parameters = parameters
    }
  }

  /// Makes the value from its parts.
  public init(scenes: [Scene], current: String?, safe: [String]) {
    self.scenes = scenes
    self.current = current
    self.safe = safe
  }
}

/// Pure value: [any-thread].
extension ParamField {
  /// A scene's name.
  fileprivate static func scene(_ name: @escaping @Sendable (Params) -> String) -> ParamField {
    ParamField("scene", allowed: "a scene's name of 1 to 64 bytes without control characters") {
      let text = name($0)
      let isFit = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      return (1...64).contains(text.utf8.count) && isFit ? nil : "it is not a name"
    }
  }
}
