// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The state of the host towards its JACK server.
enum Life {
  /// It attaches, for the first time or again; the value holds the remains of the previous attachment.
  case starting(Remains?)
  /// It plays.
  case running(Attachment)
  /// The server is gone; the host looks for it.
  case lost(Remains)
  /// The host has ended.
  case stopped

  /// The attachment; nil while the host is not attached.
  var attachment: Attachment? {
    if case .running(let attachment) = self { attachment } else { nil }
  }

  /// The remains of the last attachment; nil while the host is attached, and before the first time.
  var remains: Remains? {
    switch self {
    case .starting(let remains): remains
    case .lost(let remains): remains
    case .running, .stopped: nil
    }
  }

  /// The state as `status` names it.
  var state: ServerState {
    switch self {
    case .starting: .starting
    case .running: .running
    case .lost: .lost
    case .stopped: .stopped
    }
  }
}
