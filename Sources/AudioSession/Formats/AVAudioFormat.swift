// SPDX-License-Identifier: MIT

public import CoreAudio
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
  /// The number of the format: linear PCM, or a compressed one.
  let formatID: AudioFormatID
  /// The sample rate in Hz.
  public let sampleRate: Double
  /// The number of channels.
  public let channelCount: AVAudioChannelCount
  /// Whether the channels of a frame lie side by side.
  public let isInterleaved: Bool
  /// The layout of the channels; nil if only their number is known.
  public let channelLayout: AVAudioChannelLayout?

  /// Makes a format without rate and channels, as a value until the real one is known.
  public override init() {
    commonFormat = .otherFormat
    formatID = kAudioFormatLinearPCM
    sampleRate = 0
    channelCount = 0
    isInterleaved = false
    channelLayout = nil
  }

  /// Makes a format from a recorder's settings; nil without a rate above 0 and channels.
  ///
  /// Linear PCM of 16 or 32 bits, or of floats, has the common format; all others are `otherFormat`. A missing
  /// ``AVFormatIDKey`` means linear PCM, and missing bits mean 16.
  public init?(settings: [String: Any]) {
    let rate = settingNumber(settings[AVSampleRateKey]) ?? 0
    let channels = settingNumber(settings[AVNumberOfChannelsKey]) ?? 0
    guard rate > 0, (1...1_024).contains(channels) else { return nil }
    let id = settingNumber(settings[AVFormatIDKey]).flatMap { AudioFormatID(exactly: $0) }
    formatID = id ?? kAudioFormatLinearPCM
    let isFloat = (settingNumber(settings[AVLinearPCMIsFloatKey]) ?? 0) != 0
    let bits = settingNumber(settings[AVLinearPCMBitDepthKey]) ?? 16
    commonFormat =
      switch (formatID, isFloat, bits) {
      case (kAudioFormatLinearPCM, true, 32): .pcmFormatFloat32
      case (kAudioFormatLinearPCM, true, 64): .pcmFormatFloat64
      case (kAudioFormatLinearPCM, false, 16): .pcmFormatInt16
      case (kAudioFormatLinearPCM, false, 32): .pcmFormatInt32
      default: .otherFormat
      }
    sampleRate = rate
    channelCount = AVAudioChannelCount(channels)
    isInterleaved = (settingNumber(settings[AVLinearPCMIsNonInterleaved]) ?? 0) == 0
    channelLayout = AVAudioChannelLayout(channelCount: Int(channels))
  }

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
    formatID = kAudioFormatLinearPCM
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
    formatID = kAudioFormatLinearPCM
    self.sampleRate = sampleRate
    channelCount = channels
    isInterleaved = interleaved
    channelLayout = AVAudioChannelLayout(channelCount: Int(channels))
  }

  /// The format as a recorder's settings.
  public var settings: [String: Any] {
    var settings: [String: Any] = [
      AVFormatIDKey: formatID,
      AVSampleRateKey: sampleRate,
      AVNumberOfChannelsKey: Int(channelCount),
    ]
    let bits: Int? =
      switch commonFormat {
      case .pcmFormatInt16: 16
      case .pcmFormatFloat32, .pcmFormatInt32: 32
      case .pcmFormatFloat64: 64
      case .otherFormat: nil
      }
    guard let bits else { return settings }
    settings[AVLinearPCMBitDepthKey] = bits
    settings[AVLinearPCMIsFloatKey] =
      commonFormat == .pcmFormatFloat32 || commonFormat == .pcmFormatFloat64
    settings[AVLinearPCMIsBigEndianKey] = false
    settings[AVLinearPCMIsNonInterleaved] = !isInterleaved
    return settings
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
    return commonFormat == other.commonFormat && formatID == other.formatID
      && sampleRate == other.sampleRate
      && channelCount == other.channelCount && isInterleaved == other.isInterleaved
      && channelLayout == other.channelLayout
  }

  /// Equal for equal formats.
  open override var hash: Int { sampleRate.hashValue ^ Int(channelCount) }
}

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
