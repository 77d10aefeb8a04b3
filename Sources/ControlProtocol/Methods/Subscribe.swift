// SPDX-License-Identifier: MIT

/// Starts notifications on this connection; again with other values, it changes them.
public enum Subscribe: ControlMethod {
  /// The name on the wire.
  public static let name = "subscribe"

  /// What to send.
  public struct Params: ControlParams {
    /// The topics.
    public var topics: [Topic]
    /// How often meters are sent, 20 to 1000; 100 when left out.
    public var metersIntervalMilliseconds: Int?

    /// Makes the parameters.
    public init(topics: [Topic], metersIntervalMilliseconds: Int? = nil) {
      self.topics = topics
      self.metersIntervalMilliseconds = metersIntervalMilliseconds
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      Topic.field { $0.topics },
      .integer("metersIntervalMilliseconds", in: 20...1000, "100 when left out") {
        $0.metersIntervalMilliseconds
      },
    ]
  }

  /// What the connection is subscribed to now.
  public typealias Result = Subscription
}

/// Ends notifications on this connection.
public enum Unsubscribe: ControlMethod {
  /// The name on the wire.
  public static let name = "unsubscribe"

  /// What to stop.
  public struct Params: ControlParams {
    /// The topics.
    public var topics: [Topic]

    /// Makes the parameters.
    public init(topics: [Topic]) { self.topics = topics }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [Topic.field { $0.topics }]
  }

  /// What the connection is subscribed to now.
  public typealias Result = Subscription
}
