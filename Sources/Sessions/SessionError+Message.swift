// SPDX-License-Identifier: MIT

extension SessionError: CustomStringConvertible {
  /// One sentence: the place, the fault, and what is allowed.
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

  /// What is allowed instead, one entry each; empty where that is not a list of names.
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
