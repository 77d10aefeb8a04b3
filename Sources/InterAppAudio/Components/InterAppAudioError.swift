// SPDX-License-Identifier: MIT

/// A refusal or failure of inter-app audio.
///
/// Pure value: [any-thread].
public struct InterAppAudioError: Error, Equatable, Sendable {
  /// The kind of failure; the raw value is the original's error number.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int32

    /// Makes a code from its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The node did not answer in time, or too many MIDI messages wait for it.
    public static let instanceTimedOut = Code(rawValue: -66_754)
    /// Another node has the same description.
    ///
    /// Exists for sources of the original; never thrown here, because several nodes of one description can run at the
    /// same time.
    public static let duplicateDescription = Code(rawValue: -66_752)
    /// The node's kind does not allow the operation, such as an effect in place of a source.
    public static let unsupportedType = Code(rawValue: -66_751)
    /// Another host is connected with the node.
    public static let tooManyInstances = Code(rawValue: -66_750)
    /// The node has ended.
    public static let instanceInvalidated = Code(rawValue: -66_749)
    /// An entitlement, mixWithOthers or an active session is missing (IAA-3, IAA-4).
    public static let notPermitted = Code(rawValue: -66_748)
    /// The node was started and did not publish itself in time.
    public static let initializationTimedOut = Code(rawValue: -66_747)
    /// The numbers of channels do not fit.
    public static let invalidFormat = Code(rawValue: -66_746)
    /// The node did not render in time.
    ///
    /// Exists for sources of the original; never thrown here, where ``RegistrationChange/overran(_:count:)`` reports
    /// it.
    public static let renderTimeout = Code(rawValue: -66_745)
    /// There is no such node.
    public static let notFound = Code(rawValue: -3_000)
    /// A value is out of its range.
    public static let invalidProperty = Code(rawValue: -10_851)
    /// JACK refused; the message has the reason.
    public static let jack = Code(rawValue: -10_863)
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence: place, fault and allowed values.
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
