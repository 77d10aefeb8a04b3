// SPDX-License-Identifier: MIT

/// Options of `AVAudioSession.activate(options:)`; there are none yet.
public struct AVAudioSessionActivationOptions: OptionSet, Hashable, Sendable {
  /// The SDK's bits.
  public let rawValue: UInt

  /// Makes a set from the SDK's bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

}
