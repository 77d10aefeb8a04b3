// SPDX-License-Identifier: MIT

/// A JSON-RPC error: what went wrong, where, and what would have been allowed.
public struct ControlError: Error, Hashable, Sendable, Codable {
  /// Which kind of error it is.
  public var code: ControlErrorCode
  /// One sentence for people: place, fault, what is allowed.
  public var message: String
  /// The same, in parts, for programs.
  public var data: Detail?

  /// The parts of an error, each where it applies.
  public struct Detail: Hashable, Sendable, Codable {
    /// The place: a parameter (`gainDB`, `channels[1].from`), a method, or `line`.
    public var place: String
    /// What is wrong there.
    public var fault: String
    /// What is allowed there.
    public var allowed: String

    /// The rule of docs/sessions.md that refuses, where one does.
    public var rule: String?
    /// The number of the `AVAudioSession.ErrorCode`, where a session is refused something.
    public var sessionErrorCode: Int?

    /// Makes a detail from its parts.
    public init(place: String, fault: String, allowed: String) {
      self.place = place
      self.fault = fault
      self.allowed = allowed
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
}

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
      fault: "there is no \(place) '\(name)'",
      allowed: known.isEmpty ? "nothing, there are none" : known.joined(separator: ", "),
    )
  }
}

extension ControlError: CustomStringConvertible {
  /// The message with the code's name in front.
  public var description: String { "\(code): \(message)" }
}
