// SPDX-License-Identifier: MIT

public import Foundation

/// A number of channels.
public typealias AVAudioChannelCount = UInt32

/// A number of frames.
public typealias AVAudioFrameCount = UInt32

/// The format of samples in memory.
public enum AVAudioCommonFormat: UInt, Sendable {
  /// Any other format.
  case otherFormat = 0
  /// 32 bit float, native endian: the only one that JACK has.
  case pcmFormatFloat32 = 1
  /// 64 bit float.
  case pcmFormatFloat64 = 2
  /// 16 bit integer.
  case pcmFormatInt16 = 3
  /// 32 bit integer.
  case pcmFormatInt32 = 4
}

/// The format of audio: rate, channels and how samples are stored.
///
/// Immutable: [any-thread].
open class AVAudioFormat: NSObject, @unchecked Sendable {
  /// The format of samples in memory.
  public let commonFormat: AVAudioCommonFormat
  /// The sample rate in Hz.
  public let sampleRate: Double
  /// The number of channels.
  public let channelCount: AVAudioChannelCount
  /// Whether the channels of a frame lie side by side.
  public let isInterleaved: Bool
  /// The layout of the channels; nil if only their number is known.
  public let channelLayout: AVAudioChannelLayout?

  /// 32 bit float, not interleaved; nil for more than two channels, which need a layout.
  public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: UInt32) {
    guard (1...2).contains(channels) else { return nil }
    self.init(
      commonFormat: .pcmFormatFloat32,
      sampleRate: sampleRate,
      channels: channels,
      interleaved: false,
    )
  }

  /// 32 bit float, not interleaved.
  public init(standardFormatWithSampleRate sampleRate: Double, channelLayout: AVAudioChannelLayout)
  {
    commonFormat = .pcmFormatFloat32
    self.sampleRate = sampleRate
    channelCount = channelLayout.channelCount
    isInterleaved = false
    self.channelLayout = channelLayout
  }

  /// Any format; nil without channels or with a rate that is not above 0.
  public init?(
    commonFormat: AVAudioCommonFormat,
    sampleRate: Double,
    channels: AVAudioChannelCount,
    interleaved: Bool,
  ) {
    guard channels > 0, sampleRate > 0, sampleRate.isFinite else { return nil }
    self.commonFormat = commonFormat
    self.sampleRate = sampleRate
    channelCount = channels
    isInterleaved = interleaved
    channelLayout = AVAudioChannelLayout(channelCount: Int(channels))
  }

  /// Whether it is 32 bit float, not interleaved.
  public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

  /// Rate, channels and storage.
  open override var description: String {
    "<AVAudioFormat \(channelCount) ch, \(sampleRate) Hz, \(commonFormat)"
      + (isInterleaved ? ", interleaved>" : ", deinterleaved>")
  }

  /// Whether the other is the same format.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioFormat else { return false }
    return commonFormat == other.commonFormat && sampleRate == other.sampleRate
      && channelCount == other.channelCount && isInterleaved == other.isInterleaved
      && channelLayout == other.channelLayout
  }

  /// Equal for equal formats.
  open override var hash: Int { sampleRate.hashValue ^ Int(channelCount) }
}

/// The layout of channels, as Core Audio numbers it: a tag whose low half is the number of channels.
public typealias AudioChannelLayoutTag = UInt32

/// One channel.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = (100 << 16) | 1

/// Left and right.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = (101 << 16) | 2

/// Channels without positions; put the number of channels into the low half.
public let kAudioChannelLayoutTag_DiscreteInOrder: AudioChannelLayoutTag = 147 << 16

/// The layout of a format's channels.
///
/// Immutable: [any-thread].
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
