// SPDX-License-Identifier: MIT

/// A refusal: the SDK's code, what was at fault, what is allowed, and the rule (rules SES-2, SES-7).
public struct SessionError: Error, Hashable, Codable, Sendable {
  /// The SDK's error codes.
  public enum Code: Int, CaseIterable, Codable, Sendable {
    /// The JACK server is gone ('msrv').
    case mediaServicesFailed = 1_836_282_486
    /// I/O is running ('!act').
    case isBusy = 560_030_580
    /// The category does not do that ('!cat').
    case incompatibleCategory = 560_161_140
    /// Not from the background ('!int').
    case cannotInterruptOthers = 560_557_684
    /// The configuration does not allow this program that class ('ent?').
    case missingEntitlement = 1_701_737_535
    /// An assistant is recording ('siri').
    case siriIsRecording = 1_936_290_409
    /// Not in the background, or not this category ('!pla').
    case cannotStartPlaying = 561_015_905
    /// Mixable recording from the background ('!rec').
    case cannotStartRecording = 561_145_187
    /// An illegal value.
    case badParam = -50
    /// A higher class is active ('!pri').
    case insufficientPriority = 561_017_449
    /// The hardware is missing ('!res').
    case resourceNotAvailable = 561_145_203
    /// Nothing else fits ('what').
    case unspecified = 2_003_329_396
    /// The session is gone ('!ses').
    case expiredSession = 561_210_739
    /// The session is not active ('inac').
    case sessionNotActive = 1_768_841_571
  }

  /// The SDK's code.
  public let code: Code
  /// What was at fault.
  public let fault: Fault
  /// The rule that refuses.
  public let rule: RuleID

  /// Makes a refusal.
  ///
  /// - Parameters:
  ///   - code: The SDK's code.
  ///   - fault: What was at fault.
  ///   - rule: The rule that refuses.
  public init(_ code: Code, _ fault: Fault, _ rule: RuleID) {
    self.code = code
    self.fault = fault
    self.rule = rule
  }

  /// A value outside what is allowed.
  static func value(
    _ name: String,
    given: String,
    allowed: String,
    _ rule: RuleID
  ) -> SessionError {
    SessionError(.badParam, .value(name: name, given: given, allowed: allowed), rule)
  }
}
