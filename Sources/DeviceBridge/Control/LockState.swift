// SPDX-License-Identifier: MIT

/// How well a bridge knows its two clocks.
///
/// The transitions, each in one sentence:
/// - starting → coarse: both clocks have been stamped for a quarter of a second, and the read pointer
///   was put where it belongs; sound begins.
/// - coarse → locked: both rates are known to 3 ppm, and the error has stayed below one frame for half
///   a second.
/// - locked → coarse: the error is beyond what may be slewed, or the period has changed, and the read
///   pointer was moved.
/// - coarse → coarse: the same while not yet locked.
/// - starting, coarse, locked → lost: the device's stamps have stopped, or JACK freewheels.
/// - lost → starting: stamps have come again; what was known of the rates is kept.
public enum LockState: UInt8, BitwiseCopyable, Sendable, CaseIterable {
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
}
