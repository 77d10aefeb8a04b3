// SPDX-License-Identifier: MIT

/// Solos a strip: while any strip is soloed, the others are silent.
///
/// Pure value: [any-thread].
public enum SetSolo: ControlMethod {
  /// The name on the wire.
  public static let name = "setSolo"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The strip's id.
    public var strip: String
    /// Whether it is soloed.
    public var solo: Bool

    /// Makes the parameters.
    public init(strip: String, solo: Bool) {
      self.strip = strip
      self.solo = solo
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      .strip, ParamField("solo", allowed: "true or false"),
    ]
  }

  /// When it is heard.
  public typealias Result = Applied
}

/// Sends a strip, before its fader, to a cue route as well.
///
/// Pure value: [any-thread].
public enum SetCue: ControlMethod {
  /// The name on the wire.
  public static let name = "setCue"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The strip's id.
    public var strip: String
    /// Whether it is heard on the cue route.
    public var cue: Bool
    /// The route to listen on; the graph's cue route when `nil`.
    public var route: String?

    /// Makes the parameters.
    public init(strip: String, cue: Bool, route: String? = nil) {
      self.strip = strip
      self.cue = cue
      self.route = route
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      .strip, ParamField("cue", allowed: "true or false"),
      ParamField("route", allowed: "a route's name, a string; left out: the graph's cue route"),
    ]
  }

  /// When it is heard.
  public typealias Result = Applied
}

/// Sets a strip's equal-power pan.
///
/// Pure value: [any-thread].
public enum SetPan: ControlMethod {
  /// The name on the wire.
  public static let name = "setPan"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The strip's id.
    public var strip: String
    /// −1 is left, 0 the middle, 1 right.
    public var pan: Double
    /// The ramp's length; the host's default when `nil`.
    public var rampMilliseconds: Double?

    /// Makes the parameters.
    public init(strip: String, pan: Double, rampMilliseconds: Double? = nil) {
      self.strip = strip
      self.pan = pan
      self.rampMilliseconds = rampMilliseconds
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      .strip,
      .number("pan", in: -1...1, "-1 is left, 1 is right") { $0.pan },
      .ramp { $0.rampMilliseconds },
    ]
  }

  /// When it is heard.
  public typealias Result = Applied
}

/// Makes, changes or (with −inf) silences the send from a strip to a route, whole or by channel.
///
/// Pure value: [any-thread].
public enum SetSend: ControlMethod {
  /// The name on the wire.
  public static let name = "setSend"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The strip's id.
    public var strip: String
    /// The route's name.
    public var route: String
    /// The gain in dB, −inf for silence.
    public var gainDB: Double
    /// One channel of the strip, from 1; given together with `routeChannel`.
    public var stripChannel: Int?
    /// One channel of the route, from 1; given together with `stripChannel`.
    public var routeChannel: Int?
    /// The ramp's length; the host's default when `nil`.
    public var rampMilliseconds: Double?

    /// Makes the parameters.
    public init(
      strip: String,
      route: String,
      gainDB: Double,
      stripChannel: Int? = nil,
      routeChannel: Int? = nil,
      rampMilliseconds: Double? = nil,
    ) {
      self.strip = strip
      self.route = route
      self.gainDB = gainDB
      self.stripChannel = stripChannel
      self.routeChannel = routeChannel
      self.rampMilliseconds = rampMilliseconds
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      .strip, .route, .gainDB { $0.gainDB },
      .integer("stripChannel", in: 1...768, "given together with routeChannel") {
        $0.stripChannel
      },
      .integer("routeChannel", in: 1...768, "given together with stripChannel") {
        $0.routeChannel
      },
      ParamField("stripChannel, routeChannel", allowed: "both for one cell, neither for all") {
        ($0.stripChannel == nil) == ($0.routeChannel == nil) ? nil : "only one of them is given"
      },
      .ramp { $0.rampMilliseconds },
    ]
  }

  /// When it is heard.
  public typealias Result = Applied
}

/// Moves the crossfader.
///
/// Pure value: [any-thread].
public enum SetCrossfader: ControlMethod {
  /// The name on the wire.
  public static let name = "setCrossfader"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// −1 is side A alone, 0 the middle, 1 side B alone.
    public var position: Double
    /// The ramp's length; the host's default when `nil`.
    public var rampMilliseconds: Double?

    /// Makes the parameters.
    public init(position: Double, rampMilliseconds: Double? = nil) {
      self.position = position
      self.rampMilliseconds = rampMilliseconds
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      .number("position", in: -1...1, "-1 is side A, 1 is side B") { $0.position },
      .ramp { $0.rampMilliseconds },
    ]
  }

  /// When it is heard.
  public typealias Result = Applied
}
