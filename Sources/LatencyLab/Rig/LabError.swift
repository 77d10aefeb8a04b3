// SPDX-License-Identifier: MIT

/// Why a measurement, report or comparison could not be made.
///
/// A plain value: [any-thread].
public struct LabError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of fault; more may be added.
  public struct Code: Hashable, Sendable, RawRepresentable {
    /// The name of the code, as printed.
    public let rawValue: String

    /// Wraps a code's name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An option is outside of its allowed values.
    public static let badOption = Code(rawValue: "badOption")
    /// A file cannot be read or written, or has the wrong content.
    public static let badFile = Code(rawValue: "badFile")
    /// The JACK server or a JACK call failed.
    public static let jack = Code(rawValue: "jack")
    /// A reading was refused every time it was tried.
    public static let refused = Code(rawValue: "refused")
    /// A program of the system (such as `rsvg-convert`) is missing or failed.
    public static let tool = Code(rawValue: "tool")
    /// A host did not answer, or refused.
    public static let host = Code(rawValue: "host")
    /// The caller cancelled the task.
    public static let cancelled = Code(rawValue: "cancelled")
  }

  /// The kind of fault.
  public let code: Code

  /// The place, the fault, and the allowed values, in one sentence.
  public let description: String

  /// Makes an error from its kind and its message.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
