// SPDX-License-Identifier: MIT

/// A command of a media key or a remote control to the app that is now playing (rule VOL-2).
///
/// Pure value: [any-thread].
public enum RemoteCommand: Hashable, Codable, Sendable {
  /// Play.
  case play
  /// Pause.
  case pause
  /// Play when paused, pause when playing.
  case toggle
  /// Stop.
  case stop
  /// The next piece.
  case next
  /// The previous piece.
  case previous
  /// Go to a position, in seconds from the start.
  case seek(seconds: Double)
  /// Skip forward by this many seconds.
  case skipForward(seconds: Double)
  /// Skip backward by this many seconds.
  case skipBackward(seconds: Double)
  /// Play at a multiple of the normal speed.
  case rate(factor: Double)
  /// Record.
  case record
}

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
  /// Whether a player that played before these commands stays paused after them (rule INT-4).
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

extension RemoteCommand {
  /// A command without its position or speed.
  public enum Kind: String, CaseIterable, WireNamed {
    /// Play.
    case play
    /// Pause.
    case pause
    /// Play when paused, pause when playing.
    case toggle
    /// Stop.
    case stop
    /// The next piece.
    case next
    /// The previous piece.
    case previous
    /// Go to a position.
    case seek
    /// Go on by some seconds.
    case skipForward
    /// Go back by some seconds.
    case skipBackward
    /// Play at another speed.
    case rate
    /// Record.
    case record
  }

  /// The command without its position or speed.
  public var kind: Kind {
    switch self {
    case .play: .play
    case .pause: .pause
    case .toggle: .toggle
    case .stop: .stop
    case .next: .next
    case .previous: .previous
    case .seek: .seek
    case .skipForward: .skipForward
    case .skipBackward: .skipBackward
    case .rate: .rate
    case .record: .record
    }
  }

  /// The position of `seek`, the distance of skips; nil for the other commands.
  public var seconds: Double? {
    switch self {
    case .seek(let seconds), .skipForward(let seconds), .skipBackward(let seconds): seconds
    case .play, .pause, .toggle, .stop, .next, .previous, .rate, .record: nil
    }
  }

  /// The speed of `rate`, where 1 is normal; nil for the other commands.
  public var factor: Double? {
    if case .rate(let factor) = self { factor } else { nil }
  }

  /// Makes a command from its parts; nil for `rate` without a speed.
  ///
  /// - Parameters:
  ///   - kind: The kind of command.
  ///   - seconds: The position of `seek`, the distance of skips; 0 when nil.
  ///   - factor: The speed of `rate`.
  public init?(_ kind: Kind, seconds: Double? = nil, factor: Double? = nil) {
    if kind == .rate, factor == nil { return nil }
    self =
      switch kind {
      case .play: .play
      case .pause: .pause
      case .toggle: .toggle
      case .stop: .stop
      case .next: .next
      case .previous: .previous
      case .seek: .seek(seconds: seconds ?? 0)
      case .skipForward: .skipForward(seconds: seconds ?? 0)
      case .skipBackward: .skipBackward(seconds: seconds ?? 0)
      case .rate: .rate(factor: factor ?? 1)
      case .record: .record
      }
  }
}
