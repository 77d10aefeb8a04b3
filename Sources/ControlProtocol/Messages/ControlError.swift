// SPDX-License-Identifier: MIT

public import Sessions

/// A JSON-RPC error: what went wrong, where, and what would have been allowed.
///
/// Pure value: [any-thread].
public struct ControlError: Error, Hashable, Sendable, Codable {
  /// The kind of error.
  public var code: ControlErrorCode
  /// One sentence for people: place, fault, allowed values.
  public var message: String
  /// The same, in parts, for programs.
  public var data: Detail?

  /// The parts of an error, each where it applies.
  public struct Detail: Hashable, Sendable, Codable {
    /// The place: a parameter (`gainDB`, `channels[1].from`), a method, or `line`.
    public var place: String
    /// The fault.
    public var fault: String
    /// The allowed values.
    public var allowed: String

    /// The name of the rule that refuses, where one does.
    public private(set) var ruleName: String?
    /// The number of the `AVAudioSession.ErrorCode`, where a session is refused something.
    public var sessionErrorCode: Int?

    /// The rule of docs/sessions.md that refuses; nil also for one that this version does not know.
    public var rule: RuleID? { ruleName.flatMap(RuleID.init(name:)) }

    private enum CodingKeys: String, CodingKey {
      case place, fault, allowed
      case ruleName = "rule"
      case sessionErrorCode
    }

    /// Makes a detail from its parts.
    public init(place: String, fault: String, allowed: String) {
      self.place = place
      self.fault = fault
      self.allowed = allowed
    }

    /// Makes the detail of a refusal of the tower.
    fileprivate init(_ error: SessionError) {
      self.init(
        place: "session",
        fault: error.message,
        allowed: error.allowed.joined(separator: ", "),
      )
      ruleName = error.rule.name
      sessionErrorCode = error.code.rawValue
    }
  }

  /// Makes an error with a message only.
  public init(_ code: ControlErrorCode, message: String) {
    self.code = code
    self.message = message
  }

  /// Makes an error whose message is composed from its parts.
  public init(_ code: ControlErrorCode, place: String, fault: String, allowed: String) {
    self.code = code
    message = "\(place): \(fault); allowed: \(allowed)"
    data = Detail(place: place, fault: fault, allowed: allowed)
  }

  /// Makes the answer to what the tower refuses, with its rule and the SDK's error code.
  public init(_ error: SessionError) {
    code = error.code == .badParam ? .badValue : .refused
    message = "\(error.rule.name): \(error.message)"
    data = Detail(error)
  }
}

/// Pure value: [any-thread].
extension ControlError {
  /// A strip that does not exist, with those that do.
  public static func unknownStrip(_ id: String, known: [String]) -> ControlError {
    unknown(.unknownStrip, place: "strip", name: id, known: known)
  }

  /// A route that does not exist, with those that do.
  public static func unknownRoute(_ name: String, known: [String]) -> ControlError {
    unknown(.unknownRoute, place: "route", name: name, known: known)
  }

  /// A session that does not exist, with those that do.
  public static func unknownSession(_ id: String, known: [String]) -> ControlError {
    unknown(.unknownSession, place: "session", name: id, known: known)
  }

  private static func unknown(
    _ code: ControlErrorCode,
    place: String,
    name: String,
    known: [String],
  ) -> ControlError {
    ControlError(
      code,
      place: place,
      fault: "there is no \(place) '\(name)'" + Spelling.suggestion(for: name, among: known),
      allowed: known.isEmpty ? "nothing, because there are none" : known.joined(separator: ", "),
    )
  }
}

extension ControlError: CustomStringConvertible {
  /// The message with the code's name in front.
  public var description: String { "\(code): \(message)" }
}

/// The numbers of JSON-RPC errors: the standard's and this protocol's own (−32001 and below).
///
/// Pure value: [any-thread].
public struct ControlErrorCode: RawRepresentable, Hashable, Sendable, Codable {
  /// The number on the wire.
  public let rawValue: Int

  /// Makes a code from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The line is not JSON.
  public static let parseError = Self(rawValue: -32700)
  /// The JSON is not a JSON-RPC 2.0 request.
  public static let invalidRequest = Self(rawValue: -32600)
  /// The method's name is unknown.
  public static let methodNotFound = Self(rawValue: -32601)
  /// A parameter is missing, unknown or of the wrong type.
  public static let invalidParams = Self(rawValue: -32602)
  /// The host failed in a request that was valid.
  public static let internalError = Self(rawValue: -32603)
  /// The peer's user may not control this host.
  public static let unauthorised = Self(rawValue: -32001)
  /// Asked for more often than the host does it.
  public static let rateLimited = Self(rawValue: -32002)
  /// The line or the batch is longer than the limit.
  public static let tooLarge = Self(rawValue: -32003)
  /// The host has as many connections as it takes.
  public static let tooManyConnections = Self(rawValue: -32004)
  /// Client and host share no protocol version.
  public static let versionMismatch = Self(rawValue: -32005)
  /// The host cannot do it now but will be able to, for instance while JACK is away.
  public static let notReady = Self(rawValue: -32006)
  /// A parameter has the right type and a value that is not allowed.
  public static let badValue = Self(rawValue: -32010)
  /// The strip's id is unknown.
  public static let unknownStrip = Self(rawValue: -32011)
  /// The route's name is unknown.
  public static let unknownRoute = Self(rawValue: -32012)
  /// The strip has no send to the route.
  public static let unknownSend = Self(rawValue: -32013)
  /// The host may not or will not do it: the message says by which rule.
  public static let refused = Self(rawValue: -32014)

  /// The session's id is unknown.
  public static let unknownSession = Self(rawValue: -32015)

  /// Every code with the name that the documentation uses.
  public static let names: [ControlErrorCode: String] = [
    .parseError: "parseError", .invalidRequest: "invalidRequest",
    .methodNotFound: "methodNotFound", .invalidParams: "invalidParams",
    .internalError: "internalError", .unauthorised: "unauthorised",
    .rateLimited: "rateLimited", .tooLarge: "tooLarge",
    .tooManyConnections: "tooManyConnections", .versionMismatch: "versionMismatch",
    .notReady: "notReady", .badValue: "badValue", .unknownStrip: "unknownStrip",
    .unknownRoute: "unknownRoute", .unknownSend: "unknownSend", .refused: "refused",
    .unknownSession: "unknownSession",
  ]
}

extension ControlErrorCode: CustomStringConvertible {
  /// The code's name, or its number if it has none.
  public var description: String { Self.names[self] ?? String(rawValue) }
}
