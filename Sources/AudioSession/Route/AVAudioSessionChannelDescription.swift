// SPDX-License-Identifier: MIT

public import Foundation

/// What a channel is for, as Core Audio numbers it: 1 is left, 2 is right, 42 is mono.
public typealias AudioChannelLabel = UInt32

/// The label of a channel that nobody has named.
public let kAudioChannelLabel_Unknown: AudioChannelLabel = 0xFFFF_FFFF
/// The label of a left channel.
public let kAudioChannelLabel_Left: AudioChannelLabel = 1
/// The label of a right channel.
public let kAudioChannelLabel_Right: AudioChannelLabel = 2
/// The label of a center channel.
public let kAudioChannelLabel_Center: AudioChannelLabel = 3
/// The label of a low-frequency channel.
public let kAudioChannelLabel_LFEScreen: AudioChannelLabel = 4
/// The label of a single channel.
public let kAudioChannelLabel_Mono: AudioChannelLabel = 42

/// One channel of a port.
open class AVAudioSessionChannelDescription: NSObject, @unchecked Sendable {
  private let name: String
  private let portUID: String
  private let number: Int
  private let label: AudioChannelLabel

  /// Makes a description of nothing, for doubles in tests.
  public override init() {
    name = ""
    portUID = ""
    number = 0
    label = kAudioChannelLabel_Unknown
  }

  init(name: String, owningPortUID: String, number: Int, label: AudioChannelLabel) {
    self.name = name
    self.portUID = owningPortUID
    self.number = number
    self.label = label
  }

  /// The name people read.
  open var channelName: String { name }

  /// The uid of the port that it belongs to.
  open var owningPortUID: String { portUID }

  /// The place within the port, counted from 1 as on iOS.
  open var channelNumber: Int { number }

  /// What the channel is for.
  open var channelLabel: AudioChannelLabel { label }

  static func label(of index: Int, among count: Int) -> AudioChannelLabel {
    switch (count, index) {
    case (1, _): kAudioChannelLabel_Mono
    case (_, 0): kAudioChannelLabel_Left
    case (_, 1): kAudioChannelLabel_Right
    // kAudioChannelLabel_Discrete_0 and following.
    default: (1 << 16) | AudioChannelLabel(index)
    }
  }

  /// Port and number.
  open override var description: String {
    "<AVAudioSessionChannelDescription \(name): channel \(number) of \(portUID)>"
  }

  /// Whether the other describes the same channel.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioSessionChannelDescription else { return false }
    return portUID == other.portUID && number == other.number
  }

  /// Equal for descriptions of the same channel.
  open override var hash: Int { portUID.hashValue ^ number }
}
