// SPDX-License-Identifier: MIT

internal import Synchronization

/// Plays a sound file on the audio thread; another thread reads it ahead and resamples it.
///
/// This is the control side. `source` is the audio side; it stays valid for as long as the player
/// lives, so its caller keeps the player.
///
/// If a stream starts from silence (at the first `play`, and after a seek while silent), its first
/// frame is the file's, unchanged. If the signal is cut or resumed in its middle (pause, resume, seek
/// while sounding, starvation), it fades over `fadeSeconds`. Loops have no gap.
///
/// Not for the audio thread: [any-thread].
public final class FilePlayer: Sendable {
  /// Rate, channels, length and format of the file.
  public let info: AudioFileInfo

  /// The audio side.
  public let source: FilePlayerSource

  private let feed: PlayerFeed
  private let pool: ReadAheadPool

  /// Opens a file and reads ahead, so that the audio thread has its first frames at once.
  ///
  /// Reads the disk on the calling thread; everything later happens on the pool's.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - settings: The settings.
  ///   - pool: The thread that reads ahead.
  ///   - onEvent: Called on the pool's thread and in `prefetch`; it hands the event on and returns at once.
  /// - Throws: `AudioFileError` as `AudioFileReader`, and `invalidSetting`.
  public init(
    path: String,
    settings: Settings,
    pool: ReadAheadPool,
    onEvent: @escaping @Sendable (FilePlayerEvent) -> Void = { _ in },
  ) throws(AudioFileError) {
    let reader = try AudioFileReader(path: path)
    info = reader.info
    let channels = settings.channels ?? info.channels
    let startFrame = try Self.check(settings, info: info, channels: channels)
    feed = try PlayerFeed(
      reader: reader,
      settings: settings,
      channels: channels,
      startFrame: startFrame,
      onEvent: onEvent,
    )
    source = unsafe FilePlayerSource(channels: channels, state: feed.state)
    self.pool = pool
    // A first chunk is there before the audio thread can ask for it.
    _ = feed.serve()
    try pool.add(feed, path: path)
  }

  /// The frame of the file that the audio thread gets next; after a seek, its target.
  ///
  /// [any-thread] but the audio thread.
  public var positionFrame: Int {
    feed.controls.withLock { $0.positionFrame(length: info.frames) }
  }

  /// The same in seconds.
  ///
  /// [any-thread] but the audio thread.
  public var positionSeconds: Double { Double(positionFrame) / info.sampleRateHz }

  /// Whether `play` was called last; stays true when the file has ended.
  /// [any-thread]
  public var isPlaying: Bool {
    unsafe feed.state.pointee.isPlaying.load(ordering: .relaxed)
  }

  /// Whether the audio thread has got the last frame.
  ///
  /// [any-thread] but the audio thread.
  public var hasEnded: Bool { feed.hasEnded }

  /// Starts or resumes at the next audio cycle.
  /// [any-thread]
  public func play() {
    unsafe feed.state.pointee.isPlaying.store(true, ordering: .relaxed)
  }

  /// Fades out and keeps the position.
  /// [any-thread]
  public func pause() {
    unsafe feed.state.pointee.isPlaying.store(false, ordering: .relaxed)
  }

  /// Goes to a frame of the file, also after its end.
  ///
  /// Returns at once; the present sound continues until the new place is read, then fades over to it.
  ///
  /// - Parameter frame: 0…length; values outside are clamped.
  /// [any-thread] but the audio thread.
  public func seek(toFrame frame: Int) {
    feed.controls.withLock { $0.seekFrame = max(0, min(frame, info.frames ?? .max)) }
    pool.wake()
  }

  /// Changes how often the file is played again, counted from the pass that sounds now.
  ///
  /// - Parameter looping: The new rule. `off` lets the pass that sounds be the last.
  /// [any-thread] but the audio thread.
  public func setLooping(_ looping: Looping) {
    feed.setLooping(looping)
    pool.wake()
  }

  /// Follows the audio thread to another rate and keeps the position.
  ///
  /// - Parameter outputSampleRateHz: The new rate in frames per second.
  /// - Throws: `AudioFileError` with `invalidSetting`.
  /// [any-thread] but the audio thread.
  public func reconfigure(outputSampleRateHz: Double) throws(AudioFileError) {
    try Self.check(outputSampleRateHz: outputSampleRateHz, info: info)
    feed.controls.withLock { controls in
      guard controls.outputSampleRateHz != outputSampleRateHz else { return }
      controls.seekFrame = controls.positionFrame(length: info.frames)
      controls.outputSampleRateHz = outputSampleRateHz
    }
    pool.wake()
  }

  /// Starvations so far: how often, and how many frames of silence they cost.
  /// [any-thread]
  public var underruns: (count: Int, silentFrames: Int) {
    unsafe (
      feed.state.pointee.underruns.load(ordering: .relaxed),
      feed.state.pointee.silentFrames.load(ordering: .relaxed)
    )
  }

  /// Reads ahead now, on the calling thread, until everything is full: for rendering faster than
  /// real time.
  ///
  /// [any-thread] but the audio thread.
  public func prefetch() {
    while feed.serve() {}
  }
}

// MARK: - Checking settings

extension FilePlayer {
  private static func check(
    _ settings: Settings,
    info: AudioFileInfo,
    channels: Int,
  ) throws(AudioFileError) -> Int {
    try check(outputSampleRateHz: settings.outputSampleRateHz, info: info)
    guard (1...128).contains(channels) else {
      throw .setting("\(channels) channels cannot be played", allowed: "1…128", path: info.path)
    }
    guard (0.05...60).contains(settings.readAheadSeconds) else {
      throw .setting(
        "cannot read ahead by \(settings.readAheadSeconds) s",
        allowed: "0.05…60 s",
        path: info.path,
      )
    }
    guard (0...1).contains(settings.fadeSeconds) else {
      throw .setting(
        "cannot fade over \(settings.fadeSeconds) s",
        allowed: "0…1 s",
        path: info.path,
      )
    }
    if info.frames == 0 {
      throw AudioFileError(
        code: .damaged,
        path: info.path,
        reason: "has no frames",
        allowed: "a file with sound in it",
      )
    }
    return try startFrame(settings.start, info: info)
  }

  private static func startFrame(
    _ start: Start,
    info: AudioFileInfo,
  ) throws(AudioFileError) -> Int {
    let frame =
      switch start {
      case .frame(let frame): Double(frame)
      case .seconds(let seconds): (seconds * info.sampleRateHz).rounded()
      }
    // Frame counts are exact in a Double up to 2⁵³, which no file reaches.
    guard frame >= 0, frame <= Double(info.frames ?? 1 << 53) else {
      throw .setting(
        "cannot start at frame \(frame)",
        allowed: "0…\(info.frames.map(String.init) ?? "the length")",
        path: info.path,
      )
    }
    return Int(frame)
  }

  private static func check(
    outputSampleRateHz: Double,
    info: AudioFileInfo,
  ) throws(AudioFileError) {
    let ratio = outputSampleRateHz / info.sampleRateHz
    guard (1.0 / 256...256).contains(ratio) else {
      throw .setting(
        "cannot be played at \(outputSampleRateHz) Hz",
        allowed: "\(info.sampleRateHz / 256)…\(info.sampleRateHz * 256) Hz",
        path: info.path,
      )
    }
  }
}
