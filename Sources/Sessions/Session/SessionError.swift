// SPDX-License-Identifier: MIT

/// A refusal: the SDK's code, the fault, the allowed values, and the rule (rules SES-2, SES-7).
///
/// Pure value: [any-thread].
public struct SessionError: Error, Hashable, Codable, Sendable {
  /// The SDK's error codes.
  public enum Code: Int, CaseIterable, Codable, Sendable {
    /// The JACK server is gone ('msrv').
    case mediaServicesFailed = 1_836_282_486
    /// I/O is running ('!act').
    case isBusy = 560_030_580
    /// The category does not do that ('!cat').
    case incompatibleCategory = 560_161_140
    /// The app is in the background and may not interrupt others ('!int').
    case cannotInterruptOthers = 560_557_684
    /// The configuration does not allow this program that class ('ent?').
    case missingEntitlement = 1_701_737_535
    /// An assistant is recording ('siri').
    case siriIsRecording = 1_936_290_409
    /// The app is in the background, or its category cannot play ('!pla').
    case cannotStartPlaying = 561_015_905
    /// Mixable recording from the background ('!rec').
    case cannotStartRecording = 561_145_187
    /// An illegal value.
    case badParam = -50
    /// A higher class is active ('!pri').
    case insufficientPriority = 561_017_449
    /// The hardware is missing ('!res').
    case resourceNotAvailable = 561_145_203
    /// Any other fault ('what').
    case unspecified = 2_003_329_396
    /// The session is gone ('!ses').
    case expiredSession = 561_210_739
    /// The session is not active ('inac').
    case sessionNotActive = 1_768_841_571
  }

  /// The SDK's code.
  public let code: Code
  /// The fault of the request.
  public let fault: Fault
  /// The rule that refuses.
  public let rule: RuleID

  /// Makes a refusal.
  ///
  /// - Parameters:
  ///   - code: The SDK's code.
  ///   - fault: The fault of the request.
  ///   - rule: The rule that refuses.
  public init(_ code: Code, _ fault: Fault, _ rule: RuleID) {
    self.code = code
    self.fault = fault
    self.rule = rule
  }

  /// The refusal of a value outside the allowed ones.
  static func value(
    _ name: String,
    given: String,
    allowed: String,
    _ rule: RuleID
  ) -> SessionError {
    SessionError(.badParam, .value(name: name, given: given, allowed: allowed), rule)
  }
}

extension SessionError: CustomStringConvertible {
  /// One sentence: the place, the fault, and the allowed values.
  public var message: String {
    switch fault {
    case .options(let offending, let allowed, let category, let mode):
      "category \(category.name) in mode \(mode.name) does not take "
        + "\(Self.list(offending.names)); allowed: \(Self.list(allowed.names))"
    case .mode(let mode, let category):
      "mode \(mode.name) does not fit category \(category.name); it fits "
        + Self.list(mode.categories.map(\.name))
    case .missingOption(let option, let mode):
      "mode \(mode.name) needs option \(Self.list(option.names)) in the same call"
    case .policy(let policy):
      "route-sharing policy \(policy) does not fit; long-form policies need category playback "
        + "in mode default, moviePlayback or spokenAudio without options, and independent is the "
        + "system's"
    case .value(let name, let given, let allowed):
      "\(name) is \(given); allowed: \(allowed)"
    case .category(let category, let operation, let allowed):
      "category \(category.name) has no \(operation); allowed with "
        + Self.list(allowed.map(\.name))
    case .outranked(let holder, let priorityClass):
      "\(holder.phrase) of class \(priorityClass.rawValue) is active; allowed again when it ends"
    case .priorityClass(let requested, let allowed):
      "class \(requested.rawValue) is not allowed for this program; its highest is "
        + allowed.rawValue
    case .background(let category):
      "category \(category.name) cannot be activated like this from the background; allowed: in "
        + "the foreground, or mixable playback with the background flag"
    case .noInput(let category):
      "no connected input fits category \(category.name); connect one, or use a category without "
        + "input"
    case .noChoice(let portUID, let what):
      "port \(portUID) has no such \(what)"
    case .output(let portUID, let fault):
      "the session cannot be moved to \(portUID): \(fault.message)"
    case .ioRunning:
      "I/O is running; stop it before deactivating"
    case .serverLost:
      "the JACK server is gone; allowed again after mediaServicesWereReset"
    case .noSession(let id):
      "session \(id) does not exist"
    case .notActive:
      "the session is not active; activate it first"
    case .tooManyWaiting(let limit):
      "\(limit) requests wait already for the app's return to the foreground"
    }
  }

  /// The allowed values, one entry each; empty if they are not a list of names.
  public var allowed: [String] {
    switch fault {
    case .options(_, let allowed, _, _): allowed.names
    case .mode(let mode, _): mode.categories.map(\.name)
    case .missingOption(let option, _): option.names
    case .value(_, _, let allowed): [allowed]
    case .category(_, _, let allowed): allowed.map(\.name)
    case .priorityClass(_, let allowed): [allowed.rawValue]
    default: []
    }
  }

  /// The message with code and rule, for logs.
  public var description: String { "\(code) (\(rule.rawValue)): \(message)" }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}

/// The fault of a refused request.
public enum Fault: Hashable, Codable, Sendable {
  /// The category in this mode does not take these options.
  case options(
    offending: CategoryOptions,
    allowed: CategoryOptions,
    category: Category,
    mode: Mode
  )
  /// The category does not take this mode.
  case mode(mode: Mode, category: Category)
  /// The mode needs an option that is missing.
  case missingOption(option: CategoryOptions, mode: Mode)
  /// The route-sharing policy does not fit the rest.
  case policy(policy: RouteSharingPolicy)
  /// A value is not allowed.
  case value(name: String, given: String, allowed: String)
  /// The category does not do that.
  case category(category: Category, operation: String, allowed: [Category])
  /// A session or simulation of a higher class is active.
  case outranked(by: Interrupter, class: PriorityClass)
  /// The program may not use that class.
  case priorityClass(requested: PriorityClass, allowed: PriorityClass)
  /// The app is in the background.
  case background(category: Category)
  /// All connected inputs are unfit for the category, or there are none.
  case noInput(category: Category)
  /// The port has only one possible value.
  case noChoice(portUID: String, what: String)
  /// The session cannot use the output.
  case output(portUID: String, fault: OutputFault)
  /// I/O is running.
  case ioRunning
  /// The JACK server is gone.
  case serverLost
  /// The session does not exist, or has ended.
  case noSession(id: SessionID)
  /// The session has to be active for this.
  case notActive
  /// Too many requests are waiting for the app's return to the foreground.
  case tooManyWaiting(limit: Int)
}
