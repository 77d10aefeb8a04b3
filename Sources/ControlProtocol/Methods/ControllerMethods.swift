// SPDX-License-Identifier: MIT

/// Lists the MIDI controllers of the graph.
///
/// Pure value: [any-thread].
public enum ListControllers: ControlMethod {
  /// The name on the wire.
  public static let name = "controllers"
  /// The empty parameters.
  public typealias Params = NoParams

  /// The controllers, in the order of the graph.
  public struct Result: Codable, Sendable, Hashable {
    /// The controllers.
    public var controllers: [ControllerStatus]
    /// The devices that are plugged in and not in the graph, by name.
    public var unknown: [UnknownController]

    /// Makes the result.
    public init(controllers: [ControllerStatus], unknown: [UnknownController] = []) {
      self.controllers = controllers
      self.unknown = unknown
    }
  }
}

/// Gives a parameter the next control that is moved.
///
/// Pure value: [any-thread].
public enum LearnControl: ControlMethod {
  /// The name on the wire.
  public static let name = "learn"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The path of the parameter.
    public var parameter: String
    /// The controller that is heard: its name in the graph, or words of the device's name; all when `nil`.
    public var device: String?
    /// Whether the controls that were learned for it are forgotten instead; false when `nil`.
    public var forget: Bool?
    /// Whether the wait for a control for this parameter ends instead, whoever began it; false when `nil`.
    public var stop: Bool?
    /// The time to wait for a control; 30 s when `nil`.
    public var timeoutMilliseconds: Double?

    /// Makes the parameters.
    public init(
      parameter: String,
      device: String? = nil,
      forget: Bool? = nil,
      stop: Bool? = nil,
      timeoutMilliseconds: Double? = nil,
    ) {
      self.parameter = parameter
      self.device = device
      self.forget = forget
      self.stop = stop
      self.timeoutMilliseconds = timeoutMilliseconds
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      ParamField("parameter", allowed: "a path such as \"/strip/deck-a/gain\""),
      ParamField("device", allowed: "a controller's name or words of its device's; left out: all"),
      ParamField("forget", allowed: "true or false; left out: false"),
      ParamField("stop", allowed: "true or false; left out: false"),
      .number("timeoutMilliseconds", in: 100...300_000, "milliseconds (left out: 30000)") {
        $0.timeoutMilliseconds
      },
    ]
  }

  /// The control, which works from now on and after restarts; all `null` where controls were forgotten or a wait has ended.
  public struct Result: Codable, Sendable, Hashable {
    /// The controller's name in the graph, `null` for one that the graph does not have.
    @OrNull public var controller: String?
    /// The device's name, `null` for a controller of the graph.
    @OrNull public var device: String?
    /// The control, such as `cc 1/7`.
    @OrNull public var control: String?
    /// The line that gives the graph this mapping, in the list `map` of the controller.
    @OrNull public var line: String?

    /// Makes the result.
    public init(
      controller: String? = nil,
      device: String? = nil,
      control: String? = nil,
      line: String? = nil,
    ) {
      self.controller = controller
      self.device = device
      self.control = control
      self.line = line
    }
  }
}

/// The state of a MIDI controller of the graph.
///
/// Pure value: [any-thread].
public struct ControllerStatus: Codable, Sendable, Hashable {
  /// The name in the graph.
  public var name: String
  /// The device that is plugged in, `null` for none.
  @OrNull public var device: String?
  /// The devices that it can be, as the graph or the mapping file names them.
  public var lookedFor: String
  /// The mapping file as the graph names it, `null` for none.
  @OrNull public var mappingFile: String?
  /// The number of controls that are mapped.
  public var mappings = 0
  /// The lines of learned controls, for the graph.
  public var learned: [String] = []
  /// The mapped parameters that the host does not have now, sorted.
  public var missing: [String] = []
  /// The control that was moved last, such as `cc 1/7`; `null` before the first move.
  @OrNull public var lastControl: String?
  /// Its value in the message, `null` before the first move.
  @OrNull public var lastValue: Int?

  /// Makes the state of a controller without mappings, of which nothing was moved.
  public init(name: String, device: String?, lookedFor: String, mappingFile: String?) {
    self.name = name
    self.device = device
    self.lookedFor = lookedFor
    self.mappingFile = mappingFile
    lastControl = nil
    lastValue = nil
  }
}
