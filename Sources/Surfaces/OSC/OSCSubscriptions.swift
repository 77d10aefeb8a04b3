// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import OSC

/// The subscriptions of clients, each for a time after which it ends unless it is renewed.
///
/// Pure value: [any-thread].
struct OSCSubscriptions: Sendable {
  /// A client's subscriptions.
  struct Subscriber: Sendable {
    /// The addresses that it wants.
    var interests: [OSCInterest] = []
    /// The form of values.
    var form = OSCForm()
    /// Whether it gets back what it has set itself.
    var echoes = false
    /// The length of its lease.
    var lease = OSCSubscriptions.lease
    /// The end of its lease.
    var end: ContinuousClock.Instant

    /// Whether it wants an address.
    func wants(_ address: String) -> Bool { interests.contains { $0.contains(address) } }
  }

  /// The length of a lease, unless the client asks for another.
  static let lease = Duration.seconds(10)
  /// The lengths that a client can ask for, in milliseconds.
  static let leases: ClosedRange<Int32> = 100...3_600_000
  /// The most clients with subscriptions.
  static let clientLimit = 64
  /// The most subscriptions of a client.
  static let interestLimit = 64

  private(set) var subscribers: [OSCClient: Subscriber] = [:]

  /// Adds a subscription, and begins the client's lease anew.
  ///
  /// - Throws: ``OSCError`` for one client or one subscription too many.
  mutating func subscribe(
    _ client: OSCClient,
    to interest: OSCInterest,
    options: Options,
    now: ContinuousClock.Instant,
  ) throws(OSCError) {
    guard subscribers[client] != nil || subscribers.count < Self.clientLimit else {
      throw OSCError("\(subscribers.count) clients have subscriptions; that is the most")
    }
    var subscriber = subscribers[client] ?? Subscriber(end: now)
    subscriber.interests.removeAll { $0.path == interest.path }
    guard subscriber.interests.count < Self.interestLimit else {
      throw OSCError("a client can have \(Self.interestLimit) subscriptions; use a pattern")
    }
    subscriber.interests.append(interest)
    subscriber.form = options.form
    subscriber.echoes = options.echoes
    subscriber.lease = options.lease
    subscriber.end = now + options.lease
    subscribers[client] = subscriber
  }

  /// Begins the lease of a client anew.
  ///
  /// - Returns: Whether the client has subscriptions.
  mutating func renew(_ client: OSCClient, now: ContinuousClock.Instant) -> Bool {
    guard let lease = subscribers[client]?.lease else { return false }
    subscribers[client]?.end = now + lease
    return true
  }

  /// Ends a subscription of a client, or all of them.
  mutating func unsubscribe(_ client: OSCClient, from path: String?) {
    if let path { subscribers[client]?.interests.removeAll { $0.path == path } }
    if path == nil || subscribers[client]?.interests.isEmpty == true { subscribers[client] = nil }
  }

  /// Goes on with other addresses; patterns stay as they are written.
  ///
  /// - Returns: The subscriptions with another address.
  mutating func rename(_ steps: [ParameterRename]) -> [(client: OSCClient, interest: OSCInterest)] {
    var renamed: [(client: OSCClient, interest: OSCInterest)] = []
    for (client, subscriber) in subscribers {
      for (index, interest) in subscriber.interests.enumerated() {
        guard let new = interest.renamed(by: steps) else { continue }
        subscribers[client]?.interests[index] = new
        renamed.append((client, new))
      }
    }
    return renamed
  }

  /// Ends the subscriptions whose lease is over.
  ///
  /// - Returns: Whether some have ended.
  mutating func expire(now: ContinuousClock.Instant) -> Bool {
    let count = subscribers.count
    subscribers = subscribers.filter { $0.value.end > now }
    return subscribers.count != count
  }

  /// The paths of the tree that somebody wants, sorted.
  func watched(in book: OSCAddressBook) -> [String] {
    Set(subscribers.values.flatMap { $0.interests.flatMap { $0.watched(in: book) } }).sorted()
  }
}

extension OSCSubscriptions {
  /// The values of a message `/subscribe ADDRESS [MILLISECONDS [PORT]] [echo] [blob] [tags]`, without the address.
  ///
  /// Pure value: [any-thread].
  struct Options: Sendable {
    /// The form of values.
    var form = OSCForm()
    /// Whether the client gets back what it has set itself.
    var echoes = false
    /// The length of the lease.
    var lease = OSCSubscriptions.lease
    /// The port for values; nil for the one that the message came from.
    var port: Int?

    /// Reads the values.
    ///
    /// - Throws: ``OSCError`` for the first fault.
    init(_ values: some Sequence<OSCValue>) throws(OSCError) {
      var numbers: [Int32] = []
      for value in values {
        switch value {
        case .integer(let number): numbers.append(number)
        case .text("echo"): echoes = true
        case .text("blob"): form.levelsAsBlobs = true
        case .text("tags"): form.switches = .tags
        default:
          throw OSCError(
            "it takes an address, milliseconds, a port, and the words echo, blob, tags"
          )
        }
      }
      if let milliseconds = numbers.first {
        guard leases.contains(milliseconds) else {
          throw OSCError("a lease has \(leases.lowerBound) to \(leases.upperBound) ms")
        }
        lease = .milliseconds(Int(milliseconds))
      }
      if numbers.count > 1 { port = try OSCClient.port(numbers[1]) }
    }
  }
}

extension OSCClient {
  /// Checks the number of a port.
  static func port(_ number: Int32) throws(OSCError) -> Int {
    guard (1...65_535).contains(number) else { throw OSCError("a port is 1 to 65535") }
    return Int(number)
  }
}
