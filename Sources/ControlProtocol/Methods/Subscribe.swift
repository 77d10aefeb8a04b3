// SPDX-License-Identifier: MIT

/// Starts notifications on this connection; again with other values, it changes them.
///
/// Pure value: [any-thread].
public enum Subscribe: ControlMethod {
  /// The name on the wire.
  public static let name = "subscribe"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The topics.
    public var topics: [Topic]
    /// The interval of meters, 20 to 1000; the default is 100.
    public var metersIntervalMilliseconds: Int?

    /// Makes the parameters.
    public init(topics: [Topic], metersIntervalMilliseconds: Int? = nil) {
      self.topics = topics
      self.metersIntervalMilliseconds = metersIntervalMilliseconds
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      Topic.field { $0.topics },
      .integer("metersIntervalMilliseconds", in: 20...1000, "100 when left out") {
        $0.metersIntervalMilliseconds
      },
    ]
  }

  /// The connection's subscription now.
  public typealias Result = Subscription
}

/// Ends notifications on this connection.
///
/// Pure value: [any-thread].
public enum Unsubscribe: ControlMethod {
  /// The name on the wire.
  public static let name = "unsubscribe"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The topics.
    public var topics: [Topic]

    /// Makes the parameters.
    public init(topics: [Topic]) { self.topics = topics }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [Topic.field { $0.topics }]
  }

  /// The connection's subscription now.
  public typealias Result = Subscription
}

/// A topic of subscriptions.
///
/// Pure value: [any-thread].
public enum Topic: String, Codable, Sendable, Hashable, CaseIterable {
  /// Levels of strips and routes, at an interval.
  case meters
  /// Events, as they happen.
  case events

  static func field<Params>(
    _ topics: @escaping @Sendable (Params) -> [Topic]
  ) -> ParamField<Params> {
    let names = allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " and ")
    return ParamField("topics", allowed: "an array of \(names)") {
      topics($0).count > allCases.count ? "a topic is named twice" : nil
    }
  }
}

/// The subscription of a connection.
///
/// Pure value: [any-thread].
public struct Subscription: Codable, Sendable, Hashable {
  /// The topics, sorted by name.
  public var topics: [Topic]
  /// The interval of meters, `nil` without them.
  @OrNull public var metersIntervalMilliseconds: Int?

  /// Makes a subscription.
  public init(topics: [Topic], metersIntervalMilliseconds: Int?) {
    self.topics = topics.sorted { $0.rawValue < $1.rawValue }
    self.metersIntervalMilliseconds = metersIntervalMilliseconds
  }
}
