// SPDX-License-Identifier: MIT

/// What a connection can subscribe to.
public enum Topic: String, Codable, Sendable, Hashable, CaseIterable {
  /// Levels of strips and routes, at an interval.
  case meters
  /// What happens, as it happens.
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

/// What a connection is subscribed to.
public struct Subscription: Codable, Sendable, Hashable {
  /// The topics, sorted by name.
  public var topics: [Topic]
  /// How often meters come, `nil` without them.
  @OrNull public var metersIntervalMilliseconds: Int?

  /// Makes a subscription.
  public init(topics: [Topic], metersIntervalMilliseconds: Int?) {
    self.topics = topics.sorted { $0.rawValue < $1.rawValue }
    self.metersIntervalMilliseconds = metersIntervalMilliseconds
  }
}
