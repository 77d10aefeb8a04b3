// SPDX-License-Identifier: MIT

internal import Foundation

/// The quality of an encoder: of AAC the bits per second; WAV and FLAC are lossless.
public enum AVAudioQuality: Int, Sendable {
  /// The least.
  case min = 0
  /// Low.
  case low = 0x20
  /// Medium.
  case medium = 0x40
  /// High.
  case high = 0x60
  /// The best.
  case max = 0x7F
}

/// The kind of a file, as a hint to players; ignored, because players read the file itself.
///
/// Pure value: [any-thread].
public struct AVFileType: RawRepresentable, Hashable, Sendable {
  /// The name of the kind.
  public let rawValue: String

  /// Makes a kind from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// WAV.
  public static let wav = AVFileType(rawValue: "com.microsoft.waveform-audio")
  /// AIFF.
  public static let aiff = AVFileType(rawValue: "public.aiff-audio")
  /// Core Audio format.
  public static let caf = AVFileType(rawValue: "com.apple.coreaudio-format")
  /// MP3.
  public static let mp3 = AVFileType(rawValue: "public.mp3")
  /// MPEG-4 audio.
  public static let m4a = AVFileType(rawValue: "com.apple.m4a-audio")
}

/// The key of the file format in a recorder's settings; the file's extension counts more.
public let AVFormatIDKey = "AVFormatIDKey"

/// The key of the sample rate in Hz in settings.
public let AVSampleRateKey = "AVSampleRateKey"

/// The key of the number of channels in settings.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"

/// The key of the bits of a sample in settings: 16, 24, or 32 for float.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"

/// The key of a flag for float samples; ignored: 32-bit samples are floats, others are integers.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"

/// The key of a flag for big-endian samples; ignored: files are little endian.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"

/// The key of a flag for one buffer per channel; ignored: files are interleaved.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"

/// The old name of ``AVLinearPCMIsNonInterleaved``.
public let AVLinearPCMIsNonInterleavedKey = "AVLinearPCMIsNonInterleaved"

/// The key of the encoder's quality: the `rawValue` of an ``AVAudioQuality``.
public let AVEncoderAudioQualityKey = "AVEncoderAudioQualityKey"

/// The key of the encoder's bits per second, of all channels together.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"

/// The key of the encoder's bits per second of one channel.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"

/// The key of the encoder's strategy for its bits; ignored: the encoder keeps the mean.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"

/// The key of the bits of a sample that an encoder is given; ignored: encoders get floats.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"

/// The key of the quality of the change of sample rate; ignored: it is always high.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterAudioQualityKey"

/// The key of the channels' layout, ignored.
public let AVChannelLayoutKey = "AVChannelLayoutKey"

/// Reads a number of a dictionary of settings, which may be any of Swift's numbers or an `NSNumber`; nil for others.
///
/// Pure function: [any-thread].
func settingNumber(_ value: Any?) -> Double? {
  let number: Double? =
    switch value {
    case let number as NSNumber: number.doubleValue
    case let number as Double: number
    case let number as Float: Double(number)
    case let number as any BinaryInteger: Double(number)
    default: nil
    }
  return number.flatMap { $0.isFinite ? $0 : nil }
}
