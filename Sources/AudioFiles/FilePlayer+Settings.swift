// SPDX-License-Identifier: MIT

extension FilePlayer {
  /// The start of playback in the file.
  public enum Start: Sendable, Hashable {
    /// At a frame of the file.
    case frame(Int)
    /// At a time in the file, to the nearest frame.
    case seconds(Double)
  }

  /// The settings of a player.
  ///
  /// A plain value: [any-thread].
  public struct Settings: Sendable {
    /// Rate of the audio thread, in frames per second.
    public var outputSampleRateHz: Double
    /// Channels to deliver, or nil for the file's.
    ///
    /// A mono file goes to all of them; of other files further channels are left out and missing
    /// ones silent.
    public var channels: Int?
    /// Whether and how often the file is played again.
    public var looping: Looping
    /// The start of the first pass; the others start at frame 0.
    public var start: Start
    /// Read-ahead for the audio thread, 0.05…60 seconds.
    public var readAheadSeconds: Double
    /// Length of the fades at pause, resume, seek and starvation, 0…1 seconds.
    public var fadeSeconds: Double
    /// The filter used where file and output have different rates.
    public var quality: StreamResampler.Quality
    /// Whether it plays at once, without waiting for `play`.
    public var isPlaying: Bool

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - outputSampleRateHz: Rate of the audio thread, in frames per second.
    ///   - channels: Channels to deliver, 1…128, or nil for the file's.
    ///   - looping: Whether and how often the file is played again.
    ///   - start: The start of the first pass.
    ///   - readAheadSeconds: The length of audio that is kept ready, 0.05…60 seconds.
    ///   - fadeSeconds: Length of the fades, 0…1 seconds.
    ///   - quality: The filter used where the rates differ.
    ///   - isPlaying: Whether it plays at once.
    public init(
      outputSampleRateHz: Double,
      channels: Int? = nil,
      looping: Looping = .off,
      start: Start = .frame(0),
      readAheadSeconds: Double = 2,
      fadeSeconds: Double = 0.005,
      quality: StreamResampler.Quality = .medium,
      isPlaying: Bool = true,
    ) {
      self.outputSampleRateHz = outputSampleRateHz
      self.channels = channels
      self.looping = looping
      self.start = start
      self.readAheadSeconds = readAheadSeconds
      self.fadeSeconds = fadeSeconds
      self.quality = quality
      self.isPlaying = isPlaying
    }
  }
}

/// An event of a file player, from its read-ahead thread.
public enum FilePlayerEvent: Sendable, Equatable {
  /// The last frame was handed to the audio thread; silence follows until a seek.
  case endOfFile
  /// The audio thread found too little read ahead, since the last such event.
  case underrun(silentFrames: Int)
  /// The file can no longer be read; the audio that was read ahead is played to its end.
  case failed(AudioFileError)
}

/// Number of times a file is played again after its end.
public enum Looping: Sendable, Hashable {
  /// The file plays once.
  case off
  /// This many times more after the pass that sounds now.
  case times(Int)
  /// Until it is changed.
  case forever
}
