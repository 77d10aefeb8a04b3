// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// What comes with the end of an interruption.
  @available(iOS, deprecated: 27, message: "use the life-cycle notifications")
  public struct InterruptionOptions: OptionSet, Hashable, Sendable {
    /// The SDK's bits.
    public let rawValue: UInt

    /// Makes a set from the SDK's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The app should go on playing.
    public static let shouldResume = InterruptionOptions(rawValue: 1)
  }
}
