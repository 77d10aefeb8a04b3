// SPDX-License-Identifier: MIT

/// Options of `AVAudioSession.deactivate(options:)`.
public struct AVAudioSessionDeactivationOptions: OptionSet, Hashable, Sendable {
  /// The SDK's bits.
  public let rawValue: UInt

  /// Makes a set from the SDK's bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Those that this session interrupted are told that they should resume (ACT-6).
  public static let notifyOthersOnDeactivation = AVAudioSessionDeactivationOptions(rawValue: 1)
}
