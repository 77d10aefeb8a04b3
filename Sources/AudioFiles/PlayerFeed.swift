// SPDX-License-Identifier: MIT

internal import CRealtime
internal import Realtime
internal import Synchronization

/// The read-ahead side of one player: it takes requests, fills the ring and reports events.
///
/// Two locks, so that a caller never waits for the disk. `controls` is held briefly by any thread,
/// `work` by the thread that reads the file: the pool's, or the caller of `prefetch`.
///
/// Safe from any thread except the audio thread: [any-thread].
@safe
final class PlayerFeed: @unchecked Sendable {
  /// The callers' requests, and the state that callers may read.
  struct Controls {
    /// The newest stream, which positions refer to.
    var stream: PlaybackStream
    var timeline: PlaybackTimeline
    var looping: Looping
    var outputSampleRateHz: Double
    /// The start of the next stream, if one is wanted.
    var seekFrame: Int?
    var hasReportedEnd = false

    /// The position of the audio thread, or its position after the pending seek.
    func positionFrame(length: Int?) -> Int {
      seekFrame ?? timeline.fileFrame(at: stream.consumed, length: length)
    }
  }

  let state: UnsafeMutablePointer<FilePlayerSource.State>
  let controls: Mutex<Controls>
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
    controls = Mutex(
      Controls(
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
    controls.withLock { controls in
      controls.seekFrame == nil && controls.stream.consumed == controls.timeline.end
    }
  }

  func setLooping(_ looping: Looping) {
    controls.withLock { controls in
      controls.looping = looping
      // After the end the player is silent until a seek, which then uses the new rule.
      guard controls.stream.consumed != controls.timeline.end else { return }
      controls.timeline.setLooping(looping, atFrame: controls.stream.consumed)
      controls.stream.setEnd(controls.timeline.end)
    }
  }

  /// Does a small part of the pending work.
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
    unsafe state.pointee.rounds.wrappingAdd(1, ordering: .releasing)
    unsafe realtime_wake_word(UnsafeRawPointer(state))
    noteEnd(&events)
    for event in events { onEvent(event) }
    return isHungry
  }

  /// Whether the audio thread has waited since this was asked last.
  func takeWaits() -> Bool { unsafe state.pointee.waits.exchange(0, ordering: .relaxed) > 0 }
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
  /// - Returns: The number of its requests so far.
  private func takeAskedFrame() -> UInt32 {
    let asked = unsafe state.pointee.seeksAsked.load(ordering: .acquiring)
    guard unsafe asked != state.pointee.seeksDone.load(ordering: .relaxed) else { return asked }
    let frame = unsafe state.pointee.wantedFrame.load(ordering: .relaxed)
    controls.withLock { $0.seekFrame = max(0, min(frame, info.frames ?? .max)) }
    return asked
  }

  /// Carries out a seek or a change of rate: a new stream, published when its first frames are there.
  private func startWantedStream(_ reading: inout PlayerReading, _ events: inout [FilePlayerEvent])
  {
    let wanted = controls.withLock { ($0.seekFrame, $0.outputSampleRateHz) }
    guard let frame = wanted.0 else { return }
    let rate = wanted.1
    let stream = Self.makeStream(settings, rate: rate, channels: channels)
    do throws(AudioFileError) {
      try reading.begin(stream, atFrame: frame, outputSampleRateHz: rate)
    } catch {
      controls.withLock { if $0.seekFrame == frame { $0.seekFrame = nil } }
      events.append(.failed(error))
      return
    }
    let isWanted = controls.withLock { controls in
      guard controls.seekFrame == frame, controls.outputSampleRateHz == rate else { return false }
      let consumed = controls.stream.consumed
      let hasEnded = consumed == controls.timeline.end
      controls.timeline = PlaybackTimeline(
        startFrame: frame,
        fileFramesPerFrame: info.sampleRateHz / rate,
        looping: hasEnded ? controls.looping : controls.timeline.remainingLooping(atFrame: consumed),
      )
      controls.stream = stream
      controls.seekFrame = nil
      controls.hasReportedEnd = false
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

  /// Reads one chunk into the newest stream and publishes the stream's end to the audio thread.
  ///
  /// - Returns: Whether there is room for more.
  private func readChunk(_ reading: inout PlayerReading, _ events: inout [FilePlayerEvent]) -> Bool
  {
    let goesOn = controls.withLock { controls in
      controls.timeline.catchUp(consumed: controls.stream.consumed)
      return controls.timeline.mayReadOn
    }
    guard goesOn else {
      publishEnd()
      return false
    }
    let progress = reading.readChunk(repeats: { frame in
      self.controls.withLock { controls in
        guard controls.timeline.repeatsAfterNewestPass else { return false }
        controls.timeline.beginPass(atFrame: frame, consumed: controls.stream.consumed)
        return true
      }
    })
    if let damage = progress.damage { events.append(.failed(damage)) }
    if let end = progress.end { controls.withLock { $0.timeline.naturalEnd = end } }
    publishEnd()
    return progress.hasRoom
  }

  private func publishEnd() {
    controls.withLock { $0.stream.setEnd($0.timeline.end) }
  }

  private func noteUnderruns(_ reading: inout PlayerReading, _ events: inout [FilePlayerEvent]) {
    let silent = unsafe state.pointee.silentFrames.load(ordering: .relaxed)
    guard silent > reading.reportedSilentFrames, reading.underrunPause.takeTurn() else { return }
    events.append(.underrun(silentFrames: silent - reading.reportedSilentFrames))
    reading.reportedSilentFrames = silent
  }

  private func noteEnd(_ events: inout [FilePlayerEvent]) {
    let hasEnded = controls.withLock { controls in
      guard controls.seekFrame == nil, !controls.hasReportedEnd,
        controls.stream.consumed == controls.timeline.end
      else { return false }
      controls.hasReportedEnd = true
      return true
    }
    if hasEnded { events.append(.endOfFile) }
  }
}
