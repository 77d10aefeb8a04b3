// SPDX-License-Identifier: MIT

/// The number of an audio format, four characters.
public typealias AudioFormatID = UInt32

/// Samples without compression: WAV.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
/// FLAC.
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
/// AAC; ignored: the recorder takes the format from the file's extension, and cannot write AAC.
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// Apple Lossless; ignored: the recorder takes the format from the file's extension, and cannot write it.
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163

/// The quality of an encoder; without effect, because WAV and FLAC are lossless.
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

/// The key of the file format in a recorder's settings; ignored: the file's extension decides.
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

/// The key of the encoder's quality; ignored: files are lossless.
public let AVEncoderAudioQualityKey = "AVEncoderAudioQualityKey"
