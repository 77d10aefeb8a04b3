// SPDX-License-Identifier: MIT

/// The number of an audio format, four characters.
public typealias AudioFormatID = UInt32

/// Samples without compression: WAV.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
/// FLAC.
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
/// AAC; the recorder takes the format from the file's extension, and has none of this.
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// Apple's lossless format; the recorder takes the format from the file's extension, and has none of this.
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163

/// How well an encoder works; WAV and FLAC lose nothing, whatever is asked for.
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

/// The kind of a file, as a hint to players, which look for themselves.
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
