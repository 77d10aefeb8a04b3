// SPDX-License-Identifier: MIT

/// A format that can be written.
public struct AudioFileFormat: Sendable, Hashable {
  /// The kinds of file.
  public enum Container: String, Sendable, CaseIterable {
    /// WAV, which becomes RF64 when it grows past 4 GiB.
    case wav
    /// FLAC, lossless and about half the size; at most 8 channels.
    case flac
  }

  /// How a sample is stored.
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

  /// How a sample is stored.
  public let sampleFormat: SampleFormat

  /// WAV with 32 bit floats: exactly what was rendered.
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
