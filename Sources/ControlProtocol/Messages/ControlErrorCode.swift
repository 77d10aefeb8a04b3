// SPDX-License-Identifier: MIT

/// The numbers of JSON-RPC errors: the standard's and this protocol's own (−32001 and below).
public struct ControlErrorCode: RawRepresentable, Hashable, Sendable, Codable {
  /// The number on the wire.
  public let rawValue: Int

  /// Makes a code from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The line is not JSON.
  public static let parseError = Self(rawValue: -32700)
  /// The JSON is not a JSON-RPC 2.0 request.
  public static let invalidRequest = Self(rawValue: -32600)
  /// No method has this name.
  public static let methodNotFound = Self(rawValue: -32601)
  /// A parameter is missing, unknown or of the wrong type.
  public static let invalidParams = Self(rawValue: -32602)
  /// The host failed to do what it should have been able to do.
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
  /// No strip has this id.
  public static let unknownStrip = Self(rawValue: -32011)
  /// No route has this name.
  public static let unknownRoute = Self(rawValue: -32012)
  /// The strip has no send to the route.
  public static let unknownSend = Self(rawValue: -32013)
  /// The host may not or will not do it: the message says by which rule.
  public static let refused = Self(rawValue: -32014)

  /// No session has this id.
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
  /// The code's name, or its number where it has none.
  public var description: String { Self.names[self] ?? String(rawValue) }
}
