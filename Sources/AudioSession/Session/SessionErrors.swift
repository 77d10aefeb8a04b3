// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation
internal import Sessions

extension AVAudioSession {
  /// The codes of the errors that are thrown, in the domain `NSOSStatusErrorDomain`.
  public enum ErrorCode: Int, Sendable {
    /// Success.
    case none = 0
    /// The JACK server or the host has ended ('msrv'): wait for `mediaServicesWereResetNotification`.
    case mediaServicesFailed = 1_836_282_486
    /// Audio is running ('!act').
    case isBusy = 560_030_580
    /// The category does not allow the operation ('!cat').
    case incompatibleCategory = 560_161_140
    /// An app in the background cannot interrupt others ('!int').
    case cannotInterruptOthers = 560_557_684
    /// The host's graph file does not allow this program the priority class ('ent?').
    case missingEntitlement = 1_701_737_535
    /// An assistant is recording ('siri').
    case siriIsRecording = 1_936_290_409
    /// Playing cannot start in the background, or in this category ('!pla').
    case cannotStartPlaying = 561_015_905
    /// A mixable recording cannot start in the background ('!rec').
    case cannotStartRecording = 561_145_187
    /// An illegal value.
    case badParam = -50
    /// A session of a higher priority class is active ('!pri').
    case insufficientPriority = 561_017_449
    /// The hardware is missing ('!res').
    case resourceNotAvailable = 561_145_203
    /// Any other cause ('what').
    case unspecified = 2_003_329_396
    /// The host has no such session ('!ses').
    case expiredSession = 561_210_739
    /// The session is not active ('inac').
    case sessionNotActive = 1_768_841_571
  }
}

/// Old name of `AVAudioSession.ErrorCode.insufficientPriority`.
@available(*, deprecated, message: "use AVAudioSession.ErrorCode.insufficientPriority")
public let AVAudioSessionErrorInsufficientPriority =
  AVAudioSession.ErrorCode.insufficientPriority.rawValue

/// The key of the option, mode or value at fault in an error's `userInfo`: a `String`.
public let AVAudioSessionErrorOffendingKey = "AVAudioSessionErrorOffendingKey"

/// The key of the allowed values in an error's `userInfo`: an array of `String`.
public let AVAudioSessionErrorAllowedKey = "AVAudioSessionErrorAllowedKey"

/// The key of the rule in an error's `userInfo`, as docs/sessions.md numbers it: a `String` such as `OPT-1`.
public let AVAudioSessionErrorRuleKey = "AVAudioSessionErrorRuleKey"

extension NSError {
  /// Makes an error as the SDK throws it, with the value at fault, the allowed values and the rule (SES-7).
  ///
  /// [any-thread]
  static func session(
    _ code: AVAudioSession.ErrorCode,
    _ message: String,
    offending: String? = nil,
    allowed: [String] = [],
    rule: String,
  ) -> NSError {
    var userInfo: [String: Any] = [
      NSLocalizedDescriptionKey: message,
      AVAudioSessionErrorAllowedKey: allowed,
      AVAudioSessionErrorRuleKey: rule,
    ]
    userInfo[AVAudioSessionErrorOffendingKey] = offending
    return NSError(domain: NSOSStatusErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  /// Makes the error for a refusal by the session rules. [any-thread]
  static func session(_ error: SessionError) -> NSError {
    session(
      AVAudioSession.ErrorCode(rawValue: error.code.rawValue) ?? .unspecified,
      error.message,
      offending: error.offending,
      allowed: error.allowed,
      rule: error.rule.rawValue,
    )
  }

  /// Makes the error for a failed request to the host. [any-thread]
  static func session(_ fault: HostFault) -> NSError {
    guard case .refused(let error) = fault else {
      return session(.mediaServicesFailed, fault.description, rule: "RST-1")
    }
    let detail = error.data
    let code = detail?.sessionErrorCode ?? Self.code(error.code)
    return session(
      AVAudioSession.ErrorCode(rawValue: code) ?? .unspecified,
      detail?.fault ?? error.message,
      offending: detail?.place,
      allowed: (detail?.allowed ?? "").split(separator: ", ").map(String.init),
      rule: detail?.ruleName ?? "SES-2",
    )
  }

  private static func code(_ code: ControlErrorCode) -> Int {
    let known: AVAudioSession.ErrorCode =
      switch code {
      case .notReady: .mediaServicesFailed
      case .unknownSession: .expiredSession
      case .badValue, .invalidParams: .badParam
      default: .unspecified
      }
    return known.rawValue
  }
}

extension SessionError {
  /// The option, mode or value at fault; nil if no single value is.
  fileprivate var offending: String? {
    switch fault {
    case .options(let offending, _, _, _): offending.names.joined(separator: ", ")
    case .mode(let mode, _): mode.name
    case .missingOption(let option, _): option.names.joined(separator: ", ")
    case .policy(let policy): policy.name
    case .value(let name, let given, _): "\(name) \(given)"
    case .category(let category, _, _): category.name
    case .priorityClass(let requested, _): requested.rawValue
    default: nil
    }
  }
}
