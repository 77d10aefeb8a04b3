// SPDX-License-Identifier: MIT

/// Lists the parameters of the host with all that is known of them.
///
/// Pure value: [any-thread].
public enum ListParameters: ControlMethod {
  /// The name on the wire.
  public static let name = "list"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The branch of the tree, such as `/strip/deck-a`; the whole tree when `nil`.
    public var path: String?

    /// Makes the parameters.
    public init(path: String? = nil) { self.path = path }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      ParamField("path", allowed: "a path such as \"/strip/deck-a\"; left out: all parameters")
    ]
  }

  /// The parameters, sorted by path.
  public struct Result: Codable, Sendable, Hashable {
    /// The parameters.
    public var parameters: [ParameterDescription]

    /// Makes the result.
    public init(parameters: [ParameterDescription]) { self.parameters = parameters }
  }
}

/// Reads parameters.
///
/// Pure value: [any-thread].
public enum GetParameters: ControlMethod {
  /// The name on the wire.
  public static let name = "get"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The paths.
    public var paths: [String]

    /// Makes the parameters.
    public init(paths: [String]) { self.paths = paths }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [.paths { $0.paths }]
  }

  /// The values, in the order of the paths.
  public typealias Result = ParameterValues
}

/// Sets parameters.
///
/// All of them are checked before the first one is set.
///
/// Pure value: [any-thread].
public enum SetParameters: ControlMethod {
  /// The name on the wire.
  public static let name = "set"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The parameters with the values that they are to have; they are set in this order.
    public var values: [ParameterSetting]
    /// The ramp's length of gains and positions; the host's default when `nil`.
    public var rampMilliseconds: Double?

    /// Makes the parameters.
    public init(values: [ParameterSetting], rampMilliseconds: Double? = nil) {
      self.values = values
      self.rampMilliseconds = rampMilliseconds
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      ParamField("values", allowed: "a list of 1 to 1000 objects with path and value") {
        (1...1000).contains($0.values.count) ? nil : "it has \($0.values.count)"
      },
      .ramp { $0.rampMilliseconds },
    ]
  }

  /// When it is heard.
  public typealias Result = Applied
}

/// Sends the changes of parameters to this connection; again with other paths, it changes them.
///
/// Pure value: [any-thread].
public enum WatchParameters: ControlMethod {
  /// The name on the wire.
  public static let name = "watch"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// Paths of parameters and of branches; an empty list ends the notifications.
    public var paths: [String]
    /// Whether changes that this connection makes with `set` are sent to it, too.
    public var echo: Bool?
    /// Whether levels on the branches are sent; those that are named as parameters always are.
    public var levels: Bool?

    /// Makes the parameters.
    public init(paths: [String], echo: Bool? = nil, levels: Bool? = nil) {
      self.paths = paths
      self.echo = echo
      self.levels = levels
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      ParamField("paths", allowed: "a list of at most 1000 paths; empty: none") {
        $0.paths.count > 1000 ? "it has \($0.paths.count)" : nil
      },
      ParamField("echo", allowed: "true or false; left out: false"),
      ParamField("levels", allowed: "true or false; left out: true"),
    ]
  }

  /// The present values of all that is watched, sorted by path.
  public typealias Result = ParameterValues
}

/// Parameters with their values.
///
/// Pure value: [any-thread].
public struct ParameterValues: Codable, Sendable, Hashable {
  /// The values.
  public var values: [ParameterSetting]

  /// Makes the result.
  public init(values: [ParameterSetting]) { self.values = values }
}

/// Pure value: [any-thread].
extension ParamField {
  /// A list of paths that is not empty.
  fileprivate static func paths(_ paths: @escaping @Sendable (Params) -> [String]) -> ParamField {
    ParamField("paths", allowed: "a list of 1 to 1000 paths such as \"/strip/deck-a/gain\"") {
      (1...1000).contains(paths($0).count) ? nil : "it has \(paths($0).count)"
    }
  }
}
