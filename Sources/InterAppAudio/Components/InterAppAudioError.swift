// SPDX-License-Identifier: MIT

/// What inter-app audio refuses or fails with.
public struct InterAppAudioError: Error, Equatable, Sendable {
  /// The kind of failure; the raw value is the original's error number.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int32

    /// Makes a code from its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The node has not answered in time.
    public static let instanceTimedOut = Code(rawValue: -66_754)
    /// Another node has the same description: the original's, thrown by nobody here, where several nodes of one
    /// description run beside each other.
    public static let duplicateDescription = Code(rawValue: -66_752)
    /// The kind cannot do what was asked: an effect where a source is needed, or the other way.
    public static let unsupportedType = Code(rawValue: -66_751)
    /// The node is connected with another host.
    public static let tooManyInstances = Code(rawValue: -66_750)
    /// The node is gone.
    public static let instanceInvalidated = Code(rawValue: -66_749)
    /// An entitlement, mixWithOthers or an active session is missing (IAA-3, IAA-4).
    public static let notPermitted = Code(rawValue: -66_748)
    /// The node was started and has not published itself in time.
    public static let initializationTimedOut = Code(rawValue: -66_747)
    /// The channels do not fit.
    public static let invalidFormat = Code(rawValue: -66_746)
    /// The node has not rendered in time: the original's, thrown by nobody here, where JACK renders and
    /// ``RegistrationChange/overran(_:count:)`` tells.
    public static let renderTimeout = Code(rawValue: -66_745)
    /// There is no such node.
    public static let notFound = Code(rawValue: -3_000)
    /// A value is not allowed.
    public static let invalidProperty = Code(rawValue: -10_851)
    /// JACK has refused; the message tells what.
    public static let jack = Code(rawValue: -10_863)
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence: place, fault, what is allowed.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension InterAppAudioError: CustomStringConvertible {
  /// The sentence and the number.
  public var description: String { "\(message) (\(code.rawValue))" }
}
