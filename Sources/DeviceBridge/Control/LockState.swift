// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The state of a bridge's lock on its two clocks, for the audio thread; status lines have `BridgeStatus.Lock`.
///
/// The transitions, each in one sentence:
/// - starting → coarse: both clocks have been stamped for a quarter of a second, and the read pointer
///   was put where it belongs; sound begins.
/// - coarse → locked: both rates are known to 3 ppm, and for half a second the error has stayed below two
///   frames or below the scatter of the stamps.
/// - locked → coarse: the error is beyond what may be slewed and neither clock is in doubt, or the period
///   has changed, and the read pointer was moved.
/// - coarse → coarse: the same while not yet locked.
/// - starting, coarse, locked → lost: the device's stamps have stopped, or JACK freewheels.
/// - lost → starting: stamps have come again; the known rates are kept.
///
/// Pure value: [any-thread].
public enum LockState: BitwiseCopyable, Sendable, CaseIterable {
  /// The clocks are being timed; silence.
  case starting
  /// Sound, with a loop that is still wide.
  case coarse
  /// Sound, at a delay that is kept to a fraction of a frame.
  case locked
  /// The device or JACK does not run; silence.
  case lost

  /// The state as status lines say it.
  var reported: BridgeStatus.Lock {
    switch self {
    case .starting: .starting
    case .coarse: .coarse
    case .locked: .locked
    case .lost: .lost
    }
  }

  /// The state as a number, for hand-over between threads.
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
