// SPDX-License-Identifier: MIT

/// Who beats whom: phone, alarm, assistant, app, highest first (rule ACT-4).
public enum PriorityClass: String, CaseIterable, Comparable, Codable, Sendable {
  /// Every program that the configuration does not raise.
  case app
  /// A voice assistant.
  case assistant
  /// An alarm or announcement.
  case alarm
  /// A call: it always wins.
  case phone

  /// The place in the order, 0 for `app` … 3 for `phone`.
  public var rank: Int {
    switch self {
    case .app: 0
    case .assistant: 1
    case .alarm: 2
    case .phone: 3
    }
  }

  /// Orders classes by who beats whom.
  public static func < (left: PriorityClass, right: PriorityClass) -> Bool {
    left.rank < right.rank
  }
}
