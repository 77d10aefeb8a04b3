// SPDX-License-Identifier: MIT

public import Foundation

/// Which channels a format has, as Core Audio numbers layouts: a tag whose low half is the number of channels.
public typealias AudioChannelLayoutTag = UInt32

/// One channel.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = (100 << 16) | 1

/// Left and right.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = (101 << 16) | 2

/// Channels without places; put the number of channels into the low half.
public let kAudioChannelLayoutTag_DiscreteInOrder: AudioChannelLayoutTag = 147 << 16

/// Which channels a format has.
open class AVAudioChannelLayout: NSObject, @unchecked Sendable {
  /// The tag of the layout.
  public let layoutTag: AudioChannelLayoutTag

  /// The number of channels.
  public var channelCount: AVAudioChannelCount { AVAudioChannelCount(layoutTag & 0xFFFF) }

  /// Makes a layout; nil for a tag without channels.
  public init?(layoutTag: AudioChannelLayoutTag) {
    guard layoutTag & 0xFFFF > 0 else { return nil }
    self.layoutTag = layoutTag
  }

  static let stereo = AVAudioChannelLayout(tag: kAudioChannelLayoutTag_Stereo)

  private init(tag: AudioChannelLayoutTag) { layoutTag = tag }

  convenience init?(channelCount: Int) {
    switch channelCount {
    case 1: self.init(layoutTag: kAudioChannelLayoutTag_Mono)
    case 2: self.init(layoutTag: kAudioChannelLayoutTag_Stereo)
    default:
      let count = AudioChannelLayoutTag(clamping: channelCount) & 0xFFFF
      self.init(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | count)
    }
  }

  /// Whether the other has the same tag.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioChannelLayout)?.layoutTag == layoutTag
  }

  /// Equal for equal layouts.
  open override var hash: Int { Int(layoutTag) }
}
