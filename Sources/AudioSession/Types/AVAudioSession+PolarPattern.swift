// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// From which directions a microphone hears.
  public struct PolarPattern: RawRepresentable, Hashable, Sendable {
    /// The SDK's string.
    public let rawValue: String

    /// Makes a value from the SDK's string; unknown ones are refused where they are used.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// From everywhere alike.
    public static let omnidirectional = PolarPattern(rawValue: "Omnidirectional")
    /// Best from the front, not from behind.
    public static let cardioid = PolarPattern(rawValue: "Cardioid")
    /// A little more from the front.
    public static let subcardioid = PolarPattern(rawValue: "Subcardioid")
    /// Left and right apart; needs `setPreferredInputOrientation`.
    public static let stereo = PolarPattern(rawValue: "Stereo")
  }
}
