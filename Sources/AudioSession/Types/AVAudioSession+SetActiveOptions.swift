// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// What others are told when the session becomes inactive.
  public struct SetActiveOptions: OptionSet, Hashable, Sendable {
    /// The SDK's bits.
    public let rawValue: UInt

    /// Makes a set from the SDK's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Those that this session interrupted are told that they should resume (ACT-6).
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }
}
