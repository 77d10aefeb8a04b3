// SPDX-License-Identifier: MIT

import CSndfile

/// A format that can be written.
public struct AudioFileFormat: Sendable, Hashable {
  /// The kinds of file.
  public enum Container: String, Sendable, CaseIterable {
    /// WAV, which becomes RF64 when it grows past 4 GiB.
    case wav
    /// FLAC, lossless and about half the size; at most 8 channels.
    case flac
  }

  /// The storage of a sample.
  public enum SampleFormat: String, Sendable, CaseIterable {
    /// 16 bit integers.
    case pcm16
    /// 24 bit integers.
    case pcm24
    /// 32 bit floats, which neither round nor clip; WAV only.
    case float32
  }

  /// The kind of file.
  public let container: Container

  /// The storage of a sample.
  public let sampleFormat: SampleFormat

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

  private init(container: Container, sampleFormat: SampleFormat) {
    self.container = container
    self.sampleFormat = sampleFormat
  }
}

extension AudioFileFormat {
  /// The largest number of channels that a file of this format takes.
  public var maximumChannels: Int {
    container == .flac ? 8 : 1024
  }

  /// Bytes that one sample takes before compression.
  public var bytesPerSample: Int {
    switch sampleFormat {
    case .pcm16: 2
    case .pcm24: 3
    case .float32: 4
    }
  }

  /// The format in libsndfile's terms.
  ///
  /// A WAV is opened as RF64 that becomes plain WAV again unless it has outgrown it.
  var code: Int32 {
    let type =
      switch container {
      case .wav: SF_FORMAT_RF64
      case .flac: SF_FORMAT_FLAC
      }
    let sample =
      switch sampleFormat {
      case .pcm16: SF_FORMAT_PCM_16
      case .pcm24: SF_FORMAT_PCM_24
      case .float32: SF_FORMAT_FLOAT
      }
    return Int32(type | sample)
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
  /// Of an MP3 without a length header this is an estimate.
  public let frames: Int?

  /// The format as text, such as "FLAC (Free Lossless Audio Codec), Signed 16 bit PCM".
  public let formatName: String

  /// The length in seconds, or nil where `frames` is nil.
  public var durationSeconds: Double? {
    frames.map { Double($0) / sampleRateHz }
  }
}
