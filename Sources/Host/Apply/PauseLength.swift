// SPDX-License-Identifier: MIT

/// The length of a pause in which strips and routes are patched anew: it is chosen before, and the host keeps it.
///
/// From the cycle that begins the fade out to the one that begins the fade in, a whole number of cycles passes. It is long
/// enough for the fade, for JACK's connections, and for these to be heard. Pure value: [any-thread].
struct PauseLength: Equatable {
  /// The cycles after which a connection that JACK has accepted is heard.
  static let connectCycles: UInt64 = 4
  /// The time that JACK takes for a connection, or for the end of one, in milliseconds.
  private static let connectMilliseconds = 2.0
  /// A reserve for a busy machine, which sees the end of a fade late, in milliseconds.
  private static let reserveMilliseconds = 20.0

  /// The cycles from the beginning of the fade out to that of the fade in.
  let cycles: UInt64
  /// How long nothing is heard between the two fades, in milliseconds.
  let silentMilliseconds: Double

  /// Chooses a length.
  ///
  /// - Parameters:
  ///   - channels: The channels of all strips and routes that are patched anew together.
  ///   - rampMilliseconds: The length of each fade.
  ///   - periodMilliseconds: The length of a cycle, above 0.
  init(channels: Int, rampMilliseconds: Double, periodMilliseconds: Double) {
    let patching = Self.reserveMilliseconds + Double(2 * channels) * Self.connectMilliseconds
    let seen = (rampMilliseconds / periodMilliseconds).rounded(.down) * periodMilliseconds
    // The fade in begins in the cycle behind those that the connections take.
    let count = ((seen + patching) / periodMilliseconds).rounded(.up) + 1
    cycles = UInt64(count) + Self.connectCycles
    silentMilliseconds = max(0, Double(cycles) * periodMilliseconds - rampMilliseconds)
  }
}
