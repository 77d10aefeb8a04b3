// SPDX-License-Identifier: MIT

/// Plays a sound file into the audio thread, read ahead and resampled on a thread of its own.
///
/// This is the control side. `source` is the audio side; it stays valid for as long as the player
/// lives, so whatever calls it keeps the player.
///
/// Where a stream starts from silence (at the first `play`, and after a seek while silent) its first
/// frame is the file's, untouched. Where the signal is cut or taken up in its middle (pause, resume,
/// seek while sounding, starvation) it fades over `fadeSeconds`. Loops have no gap.
public final class FilePlayer: Sendable {
  /// Where in the file playback starts.
  public enum Start: Sendable, Hashable {
    /// At a frame of the file.
    case frame(Int)
    /// At a time in the file, to the nearest frame.
    case seconds(Double)
  }

  /// How a file is played.
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
    /// Where the first pass starts; the others start at frame 0.
    public var start: Start
    /// How much is kept ready for the audio thread, 0.05…60 seconds.
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
    ///   - start: Where the first pass starts.
    ///   - readAheadSeconds: How much is kept ready, 0.05…60 seconds.
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

  /// What the file says about itself.
  public let info: AudioFileInfo

  /// The audio side.
  public let source: FilePlayerSource

  /// Opens a file and reads ahead, so that the audio thread has its first frames at once.
  ///
  /// Reads the disk on the calling thread; everything later happens on the pool's.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - settings: How it is played.
  ///   - pool: The thread that reads ahead.
  ///   - onEvent: Called on the pool's thread; it hands the event on and returns at once.
  /// - Throws: `AudioFileError` as `AudioFileReader`, and `invalidSetting`.
  public init(
    path: String,
    settings: Settings,
    pool: ReadAheadPool,
    onEvent: @escaping @Sendable (FilePlayerEvent) -> Void = { _ in },
  ) throws(AudioFileError) { fatalError("unwritten") }

  /// The frame of the file that the audio thread gets next; after a seek, its target.
  ///
  /// [any-thread] but the audio thread.
  public var positionFrame: Int { fatalError("unwritten") }

  /// The same in seconds.
  ///
  /// [any-thread] but the audio thread.
  public var positionSeconds: Double { Double(positionFrame) / info.sampleRateHz }

  /// Whether it was told to play; stays true when the file has ended.
  /// [any-thread]
  public var isPlaying: Bool { fatalError("unwritten") }

  /// Whether the audio thread has got the last frame.
  ///
  /// [any-thread] but the audio thread.
  public var hasEnded: Bool { fatalError("unwritten") }

  /// Starts or resumes at the next audio cycle.
  /// [any-thread]
  public func play() { fatalError("unwritten") }

  /// Fades out and keeps the position.
  /// [any-thread]
  public func pause() { fatalError("unwritten") }

  /// Goes to a frame of the file, also after its end.
  ///
  /// Returns at once; what plays goes on until the new place is read, then fades over to it.
  ///
  /// - Parameter frame: 0…length; values outside are clamped.
  /// [any-thread] but the audio thread.
  public func seek(toFrame frame: Int) { fatalError("unwritten") }

  /// Changes how often the file is played again, counted from the pass that sounds now.
  ///
  /// - Parameter looping: The new rule. `off` lets the pass that sounds be the last.
  /// [any-thread] but the audio thread.
  public func setLooping(_ looping: Looping) { fatalError("unwritten") }

  /// Follows the audio thread to another rate and keeps the position.
  ///
  /// - Parameter outputSampleRateHz: The new rate in frames per second.
  /// - Throws: `AudioFileError` with `invalidSetting`.
  /// [any-thread] but the audio thread.
  public func reconfigure(outputSampleRateHz: Double) throws(AudioFileError) {
    fatalError("unwritten")
  }

  /// Starvations so far: how often, and how many frames of silence they cost.
  /// [any-thread]
  public var underruns: (count: Int, silentFrames: Int) { fatalError("unwritten") }

  /// Reads ahead now, on the calling thread, until everything is full: for rendering faster than
  /// real time.
  ///
  /// [any-thread] but the audio thread.
  public func prefetch() { fatalError("unwritten") }
}
