// SPDX-License-Identifier: MIT

internal import CSamplerate

/// Converts a stream of interleaved frames from one rate to another with libsamplerate.
///
/// At equal rates the samples pass bit by bit. Otherwise output frame n stands for the input time
/// n × inputRate / outputRate exactly: the filter's delay is taken out. One thread at a time.
///
/// Used by one thread at a time: [any-thread].
@safe
public final class StreamResampler {
  /// The filter of libsamplerate.
  public enum Quality: Sendable, CaseIterable {
    /// The widest pass band (97 % of the smaller rate's) for about three times the work.
    case best
    /// 121 dB of signal to noise over 90 % of the smaller rate's band: the default.
    case medium
    /// 97 dB over 80 % of the band.
    case fast
  }

  /// The result of one call of `process`.
  public struct Progress: Sendable, Equatable {
    /// Input frames used up; the caller gives the rest again.
    public var consumedFrames: Int
    /// Output frames written.
    public var producedFrames: Int
  }

  private let channels: Int
  private let ratio: Double
  /// Nil where the rates are equal.
  private let state: OpaquePointer?

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
  ) throws(AudioFileError) {
    guard (1...128).contains(channels) else {
      throw .setting("cannot resample \(channels) channels", allowed: "1…128")
    }
    let ratio = outputSampleRateHz / inputSampleRateHz
    guard inputSampleRateHz > 0, (1.0 / 256...256).contains(ratio) else {
      throw .setting(
        "cannot resample from \(inputSampleRateHz) Hz to \(outputSampleRateHz) Hz",
        allowed: "rates above 0 that differ by a factor of 256 at most",
      )
    }
    var state: OpaquePointer?
    if ratio != 1 {
      var fault: Int32 = 0
      unsafe state = src_new(quality.converter, Int32(channels), &fault)
      guard unsafe state != nil else {
        let reason = unsafe String(cString: src_strerror(fault))
        throw .setting("libsamplerate: \(reason)", allowed: "1…128 channels")
      }
    }
    self.channels = channels
    self.ratio = ratio
    unsafe self.state = state
  }

  deinit {
    if let state = unsafe state { unsafe src_delete(state) }
  }

  /// Whether the rates are equal, so that frames pass unchanged and without delay.
  public var isBypassing: Bool { unsafe state == nil }

  /// Converts as much as input and room for output allow.
  ///
  /// - Parameters:
  ///   - input: Interleaved input frames; may be empty.
  ///   - output: Room for interleaved output frames.
  ///   - isLast: Whether the stream ends with this input. After it, continue to call with the rest of
  ///     the input until the output is empty: that yields the filter's tail.
  /// - Returns: The numbers of frames used and made.
  public func process(
    _ input: Span<Float>,
    into output: inout MutableSpan<Float>,
    isLast: Bool,
  ) -> Progress {
    guard let state = unsafe state else { return copy(input, into: &output) }
    let channels = channels
    let ratio = ratio
    return unsafe input.withUnsafeBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        var data = unsafe SRC_DATA()
        unsafe data.data_in = source.baseAddress
        unsafe data.input_frames = source.count / channels
        unsafe data.data_out = target.baseAddress
        unsafe data.output_frames = target.count / channels
        unsafe data.end_of_input = isLast ? 1 : 0
        unsafe data.src_ratio = ratio
        // It can fail only on arguments that the initializer has excluded. If it failed nevertheless,
        // using up the input keeps the caller from an endless loop.
        guard unsafe src_process(state, &data) == 0 else {
          return Progress(consumedFrames: source.count / channels, producedFrames: 0)
        }
        return unsafe Progress(
          consumedFrames: data.input_frames_used,
          producedFrames: data.output_frames_gen,
        )
      }
    }
  }

  /// Forgets the past, for a new stream at the same rates.
  public func reset() {
    if let state = unsafe state { unsafe src_reset(state) }
  }

  private func copy(_ input: Span<Float>, into output: inout MutableSpan<Float>) -> Progress {
    let frames = min(input.count, output.count) / channels
    unsafe input.withUnsafeBytes { source in
      unsafe output.withUnsafeMutableBytes { target in
        let bytes = frames * channels * MemoryLayout<Float>.stride
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source.prefix(bytes)))
      }
    }
    return Progress(consumedFrames: frames, producedFrames: frames)
  }
}

extension StreamResampler.Quality {
  fileprivate var converter: Int32 {
    switch self {
    case .best: Int32(SRC_SINC_BEST_QUALITY)
    case .medium: Int32(SRC_SINC_MEDIUM_QUALITY)
    case .fast: Int32(SRC_SINC_FASTEST)
    }
  }
}
