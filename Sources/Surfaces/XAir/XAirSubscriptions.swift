// SPDX-License-Identifier: MIT

internal import OSC

/// Something that an app wants to be sent again and again (XA-7, XA-20).
///
/// Pure value: [any-thread].
struct XAirSubscription: Sendable {
  /// The values that are sent.
  enum Source: Equatable, Sendable {
    /// A set of meters; the first one is of one channel.
    case meters(Int, channel: Int)
    /// One address, sent as itself.
    case value(String)
    /// Some addresses, sent as one blob.
    case values([String])
  }

  /// The unit of intervals (XA-7).
  private static let unit = Duration.milliseconds(50)
  /// The host measures levels each 100 ms, so meters would be sent twice.
  private static let meterInterval = Duration.milliseconds(100)
  /// The most bytes of a name, and of an address.
  private static let nameLimit = 64
  /// The most addresses of one blob, which fits into one datagram.
  static let valueLimit = 128

  /// The address of the messages, under which it is renewed.
  let name: String
  let source: Source
  let interval: Duration

  /// Reads `/meters`, `/subscribe`, `/batchsubscribe` and `/formatsubscribe`; nil for one with faults, which a mixer ignores.
  init?(_ message: OSCMessage) {
    var texts: [String] = []
    var numbers: [Int] = []
    for value in message.values {
      switch value {
      case .text(let text) where text.utf8.count <= Self.nameLimit && numbers.isEmpty:
        texts.append(text)
      case .integer(let number): numbers.append(Int(number))
      default: return nil
      }
    }
    guard let name = texts.first, !name.isEmpty, name.utf8.allSatisfy({ (33...126).contains($0) })
    else { return nil }
    self.name = name
    var factor = numbers.count > 2 ? numbers[2] : 1
    switch (message.path, texts.count) {
    case ("/meters", 1), ("/subscribe", 1):
      if numbers.count == 1 { factor = numbers[0] }
      guard let source = Self.source(name, channel: numbers.count > 1 ? numbers[0] : 0) else {
        return nil
      }
      self.source = source
    case ("/batchsubscribe", 2):
      guard let meters = Self.source(texts[1], channel: numbers.first ?? 0),
        case .meters = meters
      else { return nil }
      source = meters
    case ("/formatsubscribe", 2...):
      guard numbers.count == 3, let paths = Self.paths(texts.dropFirst(), numbers[0], numbers[1])
      else { return nil }
      source = .values(paths)
    default: return nil
    }
    let interval = Self.unit * ((1...99).contains(factor) ? factor : 1)
    if case .meters = source {
      self.interval = max(Self.meterInterval, interval)
    } else {
      self.interval = interval
    }
  }

  private static func source(_ path: String, channel: Int) -> Source? {
    let full = path.hasPrefix("/") ? path : "/" + path
    guard full.hasPrefix("/meters/") else { return path == full ? .value(path) : nil }
    guard let number = Int(full.dropFirst(8)), XAirMeters.counts.indices.contains(number) else {
      return nil
    }
    return .meters(number, channel: channel)
  }

  /// The addresses with numbers in the place of stars: `/ch/**/mix/on` from 6 to 9.
  private static func paths(_ patterns: ArraySlice<String>, _ first: Int, _ last: Int) -> [String]?
  {
    guard (0...99).contains(first), (first...99).contains(last) else { return nil }
    let paths = patterns.flatMap { pattern -> [String] in
      guard let stars = pattern.firstRange(of: "**") ?? pattern.firstRange(of: "*") else {
        return [pattern]
      }
      let hasTwo = pattern[stars].count == 2
      return (first...last).map { number in
        let text = hasTwo ? XAirModel.two(number) : "\(number)"
        return "\(pattern[..<stars.lowerBound])\(text)\(pattern[stars.upperBound...])"
      }
    }
    return paths.count <= valueLimit ? paths : nil
  }
}

/// The subscriptions of all apps, each with a lease of its own.
///
/// Pure value: [any-thread].
struct XAirSubscriptions: Sendable {
  private struct Entry: Sendable {
    var subscription: XAirSubscription
    var end: ContinuousClock.Instant
    var next: ContinuousClock.Instant
  }

  /// The most subscriptions of one app.
  static let limit = 32

  private var entries: [OSCClient: [String: Entry]] = [:]

  /// Whether there are none.
  var isEmpty: Bool { entries.isEmpty }

  /// Whether some are of meters, or of values.
  var wantsLevels: Bool { wants { if case .meters = $0 { true } else { false } } }
  var wantsValues: Bool { wants { if case .meters = $0 { false } else { true } } }

  private func wants(_ isWanted: (XAirSubscription.Source) -> Bool) -> Bool {
    entries.values.contains { $0.values.contains { isWanted($0.subscription.source) } }
  }

  /// Adds a subscription, in the place of one with its name.
  ///
  /// - Returns: False for one app or one subscription too many.
  mutating func add(
    _ subscription: XAirSubscription,
    of client: OSCClient,
    now: ContinuousClock.Instant,
  ) -> Bool {
    guard entries[client] != nil || entries.count < XAirSurface.clientLimit else { return false }
    var own = entries[client] ?? [:]
    let key = Self.key(subscription.name)
    guard own[key] != nil || own.count < Self.limit else { return false }
    own[key] = Entry(
      subscription: subscription,
      end: now + XAirSurface.lease,
      next: now + subscription.interval,
    )
    entries[client] = own
    return true
  }

  /// Begins the lease of one subscription anew, or of all.
  mutating func renew(_ name: String?, of client: OSCClient, now: ContinuousClock.Instant) {
    for key in keys(name, of: client) { entries[client]?[key]?.end = now + XAirSurface.lease }
  }

  /// Ends one subscription, or all.
  mutating func end(_ name: String?, of client: OSCClient) {
    for key in keys(name, of: client) { entries[client]?[key] = nil }
    if entries[client]?.isEmpty == true { entries[client] = nil }
  }

  /// Ends leases that are over, and gives what is to be sent now.
  mutating func due(now: ContinuousClock.Instant) -> [(client: OSCClient, what: XAirSubscription)] {
    var due: [(client: OSCClient, what: XAirSubscription)] = []
    for (client, own) in entries {
      var kept = own.filter { $0.value.end > now }
      for (key, entry) in kept where entry.next <= now {
        due.append((client, entry.subscription))
        kept[key]?.next = max(entry.next + entry.subscription.interval, now)
      }
      entries[client] = kept.isEmpty ? nil : kept
    }
    return due
  }

  private func keys(_ name: String?, of client: OSCClient) -> [String] {
    name.map { [Self.key($0)] } ?? Array((entries[client] ?? [:]).keys)
  }

  /// Apps write the same name with a slash and without.
  private static func key(_ name: String) -> String {
    name.hasPrefix("/") ? String(name.dropFirst()) : name
  }
}
