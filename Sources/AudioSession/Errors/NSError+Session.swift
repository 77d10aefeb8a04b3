// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation
internal import Sessions

/// The key of the option, mode or value at fault in an error's `userInfo`: a `String`.
public let AVAudioSessionErrorOffendingKey = "AVAudioSessionErrorOffendingKey"

/// The key of what would be allowed instead in an error's `userInfo`: an array of `String`.
public let AVAudioSessionErrorAllowedKey = "AVAudioSessionErrorAllowedKey"

/// The key of the rule of docs/sessions.md that refuses in an error's `userInfo`: a `String` such as `OPT-1`.
public let AVAudioSessionErrorRuleKey = "AVAudioSessionErrorRuleKey"

extension NSError {
  /// An error as the SDK throws it, with what was at fault, what is allowed, and the rule (SES-7).
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

  /// A refusal by the rules.
  static func session(_ error: SessionError) -> NSError {
    session(
      AVAudioSession.ErrorCode(rawValue: error.code.rawValue) ?? .unspecified,
      error.message,
      offending: error.offending,
      allowed: error.allowed,
      rule: error.rule.rawValue,
    )
  }

  /// A refusal by the host, or the lack of one.
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
      rule: detail?.rule ?? "SES-2",
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
  /// The option, mode or value at fault, nil where it is the situation.
  fileprivate var offending: String? {
    switch fault {
    case .options(let offending, _, _, _): offending.names.joined(separator: ", ")
    case .mode(let mode, _): mode.name
    case .missingOption(let option, _): option.names.joined(separator: ", ")
    case .policy(let policy): "\(policy)"
    case .value(let name, let given, _): "\(name) \(given)"
    case .category(let category, _, _): category.name
    case .priorityClass(let requested, _): requested.rawValue
    default: nil
    }
  }
}
