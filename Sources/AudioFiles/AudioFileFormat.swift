// SPDX-License-Identifier: MIT

import CSndfile

/// A format that can be written.
///
/// Pure value: [any-thread].
public struct AudioFileFormat: Sendable, Hashable {
  /// The kinds of file.
  public enum Container: String, Sendable, CaseIterable {
    /// WAV, which becomes RF64 when it grows past 4 GiB.
    case wav
    /// FLAC, lossless and about half the size; at most 8 channels.
    case flac
    /// MPEG-4 with AAC, about a tenth of the size; at most 2 channels.
    case mpeg4 = "m4a"
    /// A stream of AAC packets; at most 2 channels.
    case aac
  }

  /// The storage of a sample.
  public enum SampleFormat: String, Sendable, CaseIterable {
    /// 16 bit integers.
    case pcm16
    /// 24 bit integers.
    case pcm24
    /// 32 bit floats, which neither round nor clip; WAV only.
    case float32
    /// AAC of low complexity.
    case aac
  }

  /// The kind of file.
  public let container: Container

  /// The storage of a sample.
  public let sampleFormat: SampleFormat

  /// The bits of a second of AAC, of all channels together; 0 for formats without loss.
  public let bitsPerSecond: Int

  /// WAV with 32 bit floats: exactly the rendered samples.
  public static let wavFloat32 = AudioFileFormat(container: .wav, sampleFormat: .float32)
  /// WAV with 24 bit integers.
  public static let wavPCM24 = AudioFileFormat(container: .wav, sampleFormat: .pcm24)
  /// WAV with 16 bit integers.
  public static let wavPCM16 = AudioFileFormat(container: .wav, sampleFormat: .pcm16)
  /// FLAC with 24 bits.
  public static let flacPCM24 = AudioFileFormat(container: .flac, sampleFormat: .pcm24)
  /// FLAC with 16 bits.
  public static let flacPCM16 = AudioFileFormat(container: .flac, sampleFormat: .pcm16)

  /// MPEG-4 with AAC.
  ///
  /// - Parameter bitsPerSecond: 8,000…512,000, of all channels together; rates too high for the sample rate are lowered.
  /// - Returns: The format.
  public static func mpeg4(bitsPerSecond: Int) -> AudioFileFormat {
    AudioFileFormat(container: .mpeg4, sampleFormat: .aac, bitsPerSecond: bitsPerSecond)
  }

  /// A stream of AAC packets, which begins 1,024 frames before its sound.
  ///
  /// - Parameter bitsPerSecond: As for ``mpeg4(bitsPerSecond:)``.
  /// - Returns: The format.
  public static func aacStream(bitsPerSecond: Int) -> AudioFileFormat {
    AudioFileFormat(container: .aac, sampleFormat: .aac, bitsPerSecond: bitsPerSecond)
  }

  /// The sample rates of AAC.
  public static let aacSampleRatesHz = [
    7_350, 8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200,
    96_000,
  ]

  /// The allowed bits of a second of AAC.
  public static let aacBitsPerSecond = 8_000...512_000

  private init(container: Container, sampleFormat: SampleFormat, bitsPerSecond: Int = 0) {
    self.container = container
    self.sampleFormat = sampleFormat
    self.bitsPerSecond = bitsPerSecond
  }
}

extension AudioFileFormat {
  /// The largest number of channels that a file of this format takes.
  public var maximumChannels: Int {
    switch container {
    case .wav: 1024
    case .flac: 8
    case .mpeg4, .aac: 2
    }
  }

  /// The sample rate of this format that is nearest to a rate in Hz: for AAC one of its own, otherwise the same.
  public func nearestRateHz(to rateHz: Double) -> Double {
    guard sampleFormat == .aac else { return rateHz }
    let nearest = Self.aacSampleRatesHz.min { abs(Double($0) - rateHz) < abs(Double($1) - rateHz) }
    return Double(nearest ?? 48_000)
  }

  /// Bytes that one sample takes before compression.
  public var bytesPerSample: Int {
    switch sampleFormat {
    case .pcm16: 2
    case .pcm24: 3
    case .float32, .aac: 4
    }
  }

  /// The format in libsndfile's terms; nil for those of another library.
  ///
  /// A WAV is opened as RF64 that becomes plain WAV again unless it has outgrown it.
  var code: Int32? {
    let type: Int =
      switch container {
      case .wav: SF_FORMAT_RF64
      case .flac: SF_FORMAT_FLAC
      case .mpeg4, .aac: 0
      }
    let sample: Int =
      switch sampleFormat {
      case .pcm16: SF_FORMAT_PCM_16
      case .pcm24: SF_FORMAT_PCM_24
      case .float32: SF_FORMAT_FLOAT
      case .aac: 0
      }
    return type == 0 ? nil : Int32(type | sample)
  }
}

/// Rate, channels, length and format of an audio file.
public struct AudioFileInfo: Sendable, Equatable {
  /// The path as it was given.
  public let path: String

  /// The rate the file was recorded at, in frames per second.
  public let sampleRateHz: Double

  /// The number of interleaved channels, 1 or more.
  public let channels: Int

  /// The length in frames, or nil where the file does not say, such as a FLAC whose writer was
  /// killed.
  ///
  /// Of an MP3 of free format this is an estimate.
  public let frames: Int?

  /// The format as text, such as "FLAC (Free Lossless Audio Codec), Signed 16 bit PCM".
  public let formatName: String

  /// The length in seconds, or nil where `frames` is nil.
  public var durationSeconds: Double? {
    frames.map { Double($0) / sampleRateHz }
  }
}
