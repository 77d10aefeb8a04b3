// SPDX-License-Identifier: MIT

extension RemoteCommand {
  /// Whether the command starts or stops play.
  public var isTransport: Bool {
    switch self {
    case .play, .pause, .toggle, .stop: true
    case .next, .previous, .seek, .skipForward, .skipBackward, .rate, .record: false
    }
  }
}

extension [RemoteCommand] {
  /// Whether a player that played before these commands is to stay paused after them (rule INT-4).
  public var leavePaused: Bool {
    var isPaused = false
    for command in self {
      switch command {
      case .play: isPaused = false
      case .pause, .stop: isPaused = true
      case .toggle: isPaused.toggle()
      case .next, .previous, .seek, .skipForward, .skipBackward, .rate, .record: break
      }
    }
    return isPaused
  }
}
