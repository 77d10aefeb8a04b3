// SPDX-License-Identifier: MIT

internal import Realtime
internal import Synchronization

/// The read-ahead side of one player: takes its wishes, fills its ring, reports its events.
///
/// Two locks, so that a caller never waits for the disk: `wishes` is held for moments by anybody,
/// `work` by whoever reads the file, which is the pool's thread but for `prefetch`.
@safe
final class PlayerFeed: @unchecked Sendable {
  /// What callers want and what they may know.
  struct Wishes {
    /// The newest stream, which positions refer to.
    var stream: PlaybackStream
    var timeline: PlaybackTimeline
    var looping: Looping
    var outputSampleRateHz: Double
    /// Where the next stream is to start, if one is wanted.
    var seekFrame: Int?
    var hasReportedEnd = false

    /// Where the audio thread is, or will be once the seek is done.
    func positionFrame(length: Int?) -> Int {
      seekFrame ?? timeline.fileFrame(at: stream.consumed, length: length)
    }
  }

  let state: UnsafeMutablePointer<FilePlayerSource.State>
  let wishes: Mutex<Wishes>
  private let work: Mutex<PlayerReading>
  private let info: AudioFileInfo
  private let settings: FilePlayer.Settings
  private let channels: Int
  private let onEvent: @Sendable (FilePlayerEvent) -> Void

  /// Takes over an opened file and reads its first frames.
  init(
    reader: sending AudioFileReader,
    settings: FilePlayer.Settings,
    channels: Int,
    startFrame: Int,
    onEvent: @escaping @Sendable (FilePlayerEvent) -> Void,
  ) throws(AudioFileError) {
    info = reader.info
    self.settings = settings
    self.channels = channels
    self.onEvent = onEvent
    var reading = PlayerReading(reader: reader, channels: channels, quality: settings.quality)
    let rate = settings.outputSampleRateHz
    let stream = Self.makeStream(settings, rate: rate, channels: channels)
    try reading.begin(stream, atFrame: startFrame, outputSampleRateHz: rate)
    let timeline = PlaybackTimeline(
      startFrame: startFrame,
      fileFramesPerFrame: info.sampleRateHz / rate,
      looping: settings.looping,
    )
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: unsafe FilePlayerSource.State(
        stream: stream.shared,
        isPlaying: settings.isPlaying,
        fadeFrames: Self.fadeFrames(settings, rate: rate),
      )
    )
    work = Mutex(reading)
    wishes = Mutex(
      Wishes(
        stream: stream,
        timeline: timeline,
        looping: settings.looping,
        outputSampleRateHz: rate,
      )
    )
  }

  deinit {
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Whether the audio thread has come to the end.
  var hasEnded: Bool {
    wishes.withLock { wishes in
      wishes.seekFrame == nil && wishes.stream.consumed == wishes.timeline.end
    }
  }

  func setLooping(_ looping: Looping) {
    wishes.withLock { wishes in
      wishes.looping = looping
      // After the end nothing sounds until a seek, which then takes up the new rule.
      guard wishes.stream.consumed != wishes.timeline.end else { return }
      wishes.timeline.setLooping(looping, atFrame: wishes.stream.consumed)
      wishes.stream.setEnd(wishes.timeline.end)
    }
  }

  /// Does a little of what is to be done.
  ///
  /// - Returns: Whether there is more to do at once.
  func serve() -> Bool {
    var events: [FilePlayerEvent] = []
    let isHungry = work.withLock { reading in
      unsafe reading.collect(state.pointee.retired.exchange(nil, ordering: .acquiring))
      let asked = takeAskedFrame()
      startWantedStream(&reading, &events)
      unsafe state.pointee.seeksDone.store(asked, ordering: .releasing)
      let isHungry = readChunk(&reading, &events)
      noteUnderruns(&reading, &events)
      return isHungry
    }
    noteEnd(&events)
    for event in events { onEvent(event) }
    return isHungry
  }
}

// MARK: - One round of work

extension PlayerFeed {
  /// Frames of the file that are read in one go.
  static let chunkFrames = 4096

  private static func fadeFrames(_ settings: FilePlayer.Settings, rate: Double) -> Int {
    max(1, Int((settings.fadeSeconds * rate).rounded()))
  }

  private static func makeStream(
    _ settings: FilePlayer.Settings,
    rate: Double,
    channels: Int,
  ) -> PlaybackStream {
    let frames = max(
      Int((settings.readAheadSeconds * rate).rounded(.up)),
      4 * fadeFrames(settings, rate: rate),
    )
    return PlaybackStream(minimumFrames: frames, channels: channels)
  }

  /// Takes in where the audio thread has asked to go to.
  ///
  /// - Returns: How often it has asked until then.
  private func takeAskedFrame() -> UInt32 {
    let asked = unsafe state.pointee.seeksAsked.load(ordering: .acquiring)
    guard unsafe asked != state.pointee.seeksDone.load(ordering: .relaxed) else { return asked }
    let frame = unsafe state.pointee.wantedFrame.load(ordering: .relaxed)
    wishes.withLock { $0.seekFrame = max(0, min(frame, info.frames ?? .max)) }
    return asked
  }

  /// Carries out a seek or a change of rate: a new stream, published when its first frames are there.
  private func startWantedStream(_ reading: inout PlayerReading, _ events: inout [FilePlayerEvent])
  {
    let wish = wishes.withLock { ($0.seekFrame, $0.outputSampleRateHz) }
    guard let frame = wish.0 else { return }
    let rate = wish.1
    let stream = Self.makeStream(settings, rate: rate, channels: channels)
    do throws(AudioFileError) {
      try reading.begin(stream, atFrame: frame, outputSampleRateHz: rate)
    } catch {
      wishes.withLock { if $0.seekFrame == frame { $0.seekFrame = nil } }
      events.append(.failed(error))
      return
    }
    let isWanted = wishes.withLock { wishes in
      guard wishes.seekFrame == frame, wishes.outputSampleRateHz == rate else { return false }
      let consumed = wishes.stream.consumed
      let hasEnded = consumed == wishes.timeline.end
      wishes.timeline = PlaybackTimeline(
        startFrame: frame,
        fileFramesPerFrame: info.sampleRateHz / rate,
        looping: hasEnded ? wishes.looping : wishes.timeline.remainingLooping(atFrame: consumed),
      )
      wishes.stream = stream
      wishes.seekFrame = nil
      wishes.hasReportedEnd = false
      return true
    }
    guard isWanted else {
      unsafe reading.collect(stream.shared)
      return startWantedStream(&reading, &events)
    }
    // Enough to begin with; the rest follows chunk by chunk.
    let enough = min(stream.capacityFrames, 4 * Self.fadeFrames(settings, rate: rate))
    while stream.capacityFrames - stream.writer.writableFrames < enough {
      guard readChunk(&reading, &events) else { break }
    }
    unsafe state.pointee.fadeFrames.store(
      Self.fadeFrames(settings, rate: rate),
      ordering: .relaxed,
    )
    let overtaken = unsafe state.pointee.next.exchange(stream.shared, ordering: .releasing)
    unsafe reading.collect(overtaken)
  }

  /// Reads one chunk into the newest stream and tells the audio thread where that ends.
  ///
  /// - Returns: Whether there is room for more.
  private func readChunk(_ reading: inout PlayerReading, _ events: inout [FilePlayerEvent]) -> Bool
  {
    let goesOn = wishes.withLock { wishes in
      wishes.timeline.catchUp(consumed: wishes.stream.consumed)
      return wishes.timeline.mayReadOn
    }
    guard goesOn else {
      publishEnd()
      return false
    }
    let progress = reading.readChunk(repeats: { frame in
      self.wishes.withLock { wishes in
        guard wishes.timeline.repeatsAfterNewestPass else { return false }
        wishes.timeline.beginPass(atFrame: frame, consumed: wishes.stream.consumed)
        return true
      }
    })
    if let damage = progress.damage { events.append(.failed(damage)) }
    if let end = progress.end { wishes.withLock { $0.timeline.naturalEnd = end } }
    publishEnd()
    return progress.hasRoom
  }

  private func publishEnd() {
    wishes.withLock { $0.stream.setEnd($0.timeline.end) }
  }

  private func noteUnderruns(_ reading: inout PlayerReading, _ events: inout [FilePlayerEvent]) {
    let silent = unsafe state.pointee.silentFrames.load(ordering: .relaxed)
    guard silent > reading.reportedSilentFrames else { return }
    events.append(.underrun(silentFrames: silent - reading.reportedSilentFrames))
    reading.reportedSilentFrames = silent
  }

  private func noteEnd(_ events: inout [FilePlayerEvent]) {
    let hasEnded = wishes.withLock { wishes in
      guard wishes.seekFrame == nil, !wishes.hasReportedEnd,
        wishes.stream.consumed == wishes.timeline.end
      else { return false }
      wishes.hasReportedEnd = true
      return true
    }
    if hasEnded { events.append(.endOfFile) }
  }
}
