// SPDX-License-Identifier: MIT

/// Converts a stream of interleaved frames from one rate to another with libsamplerate.
///
/// At equal rates the samples pass bit by bit. Otherwise output frame n stands for the input time
/// n × inputRate / outputRate exactly: the filter's delay is taken out. One thread at a time.
public final class StreamResampler {
  /// Which of libsamplerate's filters works.
  public enum Quality: Sendable, CaseIterable {
    /// The widest pass band (97 % of the smaller rate's) for about three times the work.
    case best
    /// 121 dB of signal to noise over 90 % of the smaller rate's band: the default.
    case medium
    /// 97 dB over 80 % of the band.
    case fast
  }

  /// What one call of `process` did.
  public struct Progress: Sendable, Equatable {
    /// Input frames used up; the caller gives the rest again.
    public var consumedFrames: Int
    /// Output frames written.
    public var producedFrames: Int
  }

  /// Makes a converter.
  ///
  /// - Parameters:
  ///   - channels: 1…128.
  ///   - inputSampleRateHz: Rate of the input, above 0.
  ///   - outputSampleRateHz: Rate of the output, within a factor of 256 of the input's.
  ///   - quality: The filter.
  /// - Throws: `AudioFileError` with `invalidSetting`.
  public init(
    channels: Int,
    inputSampleRateHz: Double,
    outputSampleRateHz: Double,
    quality: Quality = .medium,
  ) throws(AudioFileError) { fatalError("unwritten") }

  /// Converts as much as input and room for output allow.
  ///
  /// - Parameters:
  ///   - input: Interleaved input frames, possibly none.
  ///   - output: Room for interleaved output frames.
  ///   - isLast: Whether the stream ends with this input. Then call on, with what is left of the
  ///     input, until nothing is produced: that gives the filter's tail.
  /// - Returns: How many frames were used and made.
  public func process(
    _ input: Span<Float>,
    into output: inout MutableSpan<Float>,
    isLast: Bool,
  ) -> Progress { fatalError("unwritten") }

  /// Forgets the past, for a new stream at the same rates.
  public func reset() { fatalError("unwritten") }
}
