// SPDX-License-Identifier: MIT

public import Sessions

/// Aligns an output route with the others: by itself, by hand, or not at all.
///
/// Pure value: [any-thread].
public enum SetAlignment: ControlMethod {
  /// The name on the wire.
  public static let name = "setAlignment"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The route's name.
    public var route: String
    /// The kind of alignment.
    public var mode: AlignmentMode
    /// The delay of the mode `manual`.
    public var delayMilliseconds: Double?

    /// Makes the parameters.
    public init(route: String, mode: AlignmentMode, delayMilliseconds: Double? = nil) {
      self.route = route
      self.mode = mode
      self.delayMilliseconds = delayMilliseconds
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      .route, ParamField("mode", allowed: "auto, manual or free"),
      ParamField(
        "delayMilliseconds",
        allowed: "a number from 0 to 500, milliseconds, with the mode manual; none with the others"
      ) {
        switch ($0.mode, $0.delayMilliseconds) {
        case (.manual, nil): "it is missing"
        case (.manual, let delay?): (0...500).contains(delay) ? nil : "\(delay) is out of range"
        case (.auto, _?), (.free, _?): "the mode \($0.mode.rawValue) has none"
        case (.auto, nil), (.free, nil): nil
        }
      },
    ]
  }

  /// When it is heard.
  public typealias Result = Applied
}

/// The alignment of a route with routes of other latencies.
public enum AlignmentMode: String, Codable, WireNamed, CaseIterable {
  /// Delayed to the slowest of those in this mode.
  case auto
  /// Delayed by the given time.
  case manual
  /// Not aligned.
  case free
}
