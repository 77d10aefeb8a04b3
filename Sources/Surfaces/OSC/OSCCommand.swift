// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import OSC

/// A message that is for the surface itself and not for a parameter.
///
/// Pure value: [any-thread].
enum OSCCommand: Sendable {
  /// `/subscribe ADDRESS …`.
  case subscribe(OSCInterest, OSCSubscriptions.Options)
  /// `/unsubscribe [ADDRESS] [PORT]`; without an address all subscriptions end.
  case unsubscribe(String?, port: Int?)
  /// `/renew [PORT]`.
  case renew(port: Int?)
  /// `/port PORT`: answers go to this port.
  case port(Int)
  /// An answer of another program, which gets none: two programs that answer each other would never end.
  case ignored

  private static let names: Set<String> = [
    "/subscribe", "/unsubscribe", "/renew", "/port", "/error", "/reply",
  ]

  /// Whether a message is a command.
  static func isCommand(_ message: OSCMessage) -> Bool { names.contains(message.path) }

  /// Reads a command; nil for a message to a parameter.
  ///
  /// - Throws: ``OSCError`` for a command with faulty values.
  init?(_ message: OSCMessage) throws(OSCError) {
    let values = message.values
    switch message.path {
    case "/subscribe":
      guard case .text(let path)? = values.first else {
        throw OSCError("the first value is an address, such as /strip/NAME")
      }
      self = .subscribe(try OSCInterest(path), try OSCSubscriptions.Options(values.dropFirst()))
    case "/unsubscribe":
      var path: String?
      var rest = values[...]
      if case .text(let text)? = rest.first {
        path = text
        rest = rest.dropFirst()
      }
      self = .unsubscribe(path, port: try Self.port(rest.first))
    case "/renew": self = .renew(port: try Self.port(values.first))
    case "/port":
      guard let port = try Self.port(values.first) else { throw OSCError("it takes a port (i)") }
      self = .port(port)
    case "/error", "/reply": self = .ignored
    default: return nil
    }
  }

  private static func port(_ value: OSCValue?) throws(OSCError) -> Int? {
    guard let value else { return nil }
    guard case .integer(let number) = value else { throw OSCError("a port is a number (i)") }
    return try OSCClient.port(number)
  }
}

/// Changes of parameters that are to be made in one step, the latest of each parameter.
///
/// Pure value: [any-thread].
struct OSCChangeSet: Sendable {
  /// A change, and the client that wants it.
  struct Change: Sendable {
    var setting: ParameterSetting
    var address: String
    var client: OSCClient
  }

  private(set) var changes: [Change] = []
  private var places: [String: Int] = [:]

  /// Whether nothing is to be changed.
  var isEmpty: Bool { changes.isEmpty }

  /// Adds a change; it takes the place of an earlier number for the same parameter.
  mutating func add(_ setting: ParameterSetting, at address: String, by client: OSCClient) {
    append(Change(setting: setting, address: address, client: client))
  }

  /// Adds the changes of another set.
  mutating func append(_ other: OSCChangeSet) { for change in other.changes { append(change) } }

  private mutating func append(_ change: Change) {
    if let place = places[change.setting.path] {
      changes[place] = change
      return
    }
    // A text can change other parameters, as a scene does: numbers before it and after it are different ones.
    if case .text = change.setting.value {
      places = [:]
    } else {
      places[change.setting.path] = changes.count
    }
    changes.append(change)
  }
}

/// The pace of answers to faulty packets, which must not become a flood of their own.
///
/// Pure value: [any-thread].
struct OSCFaultPace: Sendable {
  /// The most answers in a second.
  static let perSecond = 20

  private var begin: ContinuousClock.Instant?
  private var count = 0

  /// Whether one more answer may be sent now.
  mutating func allowsAnother(now: ContinuousClock.Instant) -> Bool {
    if begin.map({ now - $0 >= .seconds(1) }) ?? true {
      begin = now
      count = 0
    }
    count += 1
    return count <= Self.perSecond
  }
}
