// SPDX-License-Identifier: MIT

/// How well a bridge knows its two clocks.
///
/// The transitions, each in one sentence:
/// - starting → coarse: both clocks have been stamped for a quarter of a second, and the read pointer
///   was put where it belongs; sound begins.
/// - coarse → locked: both rates are known to 3 ppm, and the error has stayed below two frames, or what
///   the stamps scatter by, for half a second.
/// - locked → coarse: the error is beyond what may be slewed and neither clock is in doubt, or the period
///   has changed, and the read pointer was moved.
/// - coarse → coarse: the same while not yet locked.
/// - starting, coarse, locked → lost: the device's stamps have stopped, or JACK freewheels.
/// - lost → starting: stamps have come again; what was known of the rates is kept.
public enum LockState: BitwiseCopyable, Sendable, CaseIterable {
  /// The clocks are being timed; silence.
  case starting
  /// Sound, with a loop that is still wide.
  case coarse
  /// Sound, at a delay that is kept to a fraction of a frame.
  case locked
  /// The device or JACK does not run; silence.
  case lost

  /// The name in status lines.
  public var name: String {
    switch self {
    case .starting: "starting"
    case .coarse: "coarse"
    case .locked: "locked"
    case .lost: "lost"
    }
  }

  /// A number for the way between threads.
  var code: UInt8 {
    @_noLocks @_noAllocation get {
      switch self {
      case .starting: 0
      case .coarse: 1
      case .locked: 2
      case .lost: 3
      }
    }
  }

  init?(code: UInt8) {
    guard let state = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = state
  }

  /// Whether sound passes.
  var hasSound: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .coarse, .locked: true
      case .starting, .lost: false
      }
    }
  }

  /// Whether the device or JACK does not run.
  var isLost: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .lost: true
      case .starting, .coarse, .locked: false
      }
    }
  }
}
