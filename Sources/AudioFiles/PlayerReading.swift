// SPDX-License-Identifier: MIT

internal import Realtime

/// Moves a player's file into its ring: read, map channels, resample, write.
///
/// Used by one thread at a time, under a lock: [any-thread] except the audio thread.
struct PlayerReading {
  /// The result of one chunk.
  struct Progress {
    /// Whether the ring takes more.
    var hasRoom = false
    /// The end of the stream, once its last frame was written.
    var end: Int?
    /// The damage of the file, reported once.
    var damage: AudioFileError?
  }

  /// Silence that was reported as underruns.
  var reportedSilentFrames = 0

  private let reader: AudioFileReader
  private let channels: Int
  private let quality: StreamResampler.Quality
  private var resampler: StreamResampler?
  /// The streams that the audio thread may still have, the newest last.
  private var streams: [PlaybackStream] = []
  /// Frames of the file, already in the channels to deliver, from `stagedStart` to `stagedEnd`.
  private var staged: [Float]
  private var stagedStart = 0
  private var stagedEnd = 0
  private var fileChunk: [Float]
  private var writtenFrames = 0
  /// The position in the stream at which the resampler began, and the frames of the file that it was
  /// given since.
  private var epochStart = 0
  private var epochFrames = 0
  private var ratio = 1.0
  /// Frames read since the file was last positioned, and whether that was at its beginning.
  private var passFrames = 0
  private var isWholePass = true
  /// Whether the file is at its end and is not played again, as far as is known.
  private var isLastPassRead = false
  /// Whether all of that is in the ring.
  private var isFinished = false
  private var hasReportedDamage = false
  /// The pauses between attempts to begin a file again that failed to.
  private var rewindPause = ReportPause()
  private var hasFailedToRewind = false
  /// The pauses between reports of silence.
  var underrunPause = ReportPause()

  init(
    reader: sending AudioFileReader,
    channels: Int,
    quality: StreamResampler.Quality,
  ) {
    self.reader = reader
    self.channels = channels
    self.quality = quality
    staged = Array(repeating: 0, count: PlayerFeed.chunkFrames * channels)
    fileChunk = Array(repeating: 0, count: PlayerFeed.chunkFrames * reader.info.channels)
  }

  /// Turns to a new stream that starts at a frame of the file.
  mutating func begin(
    _ stream: PlaybackStream,
    atFrame frame: Int,
    outputSampleRateHz: Double,
  ) throws(AudioFileError) {
    let resampler = try StreamResampler(
      channels: channels,
      inputSampleRateHz: reader.info.sampleRateHz,
      outputSampleRateHz: outputSampleRateHz,
      quality: quality,
    )
    do throws(AudioFileError) {
      try reader.seek(toFrame: frame)
    } catch {
      // The position of the file is unknown now: the ring contains the last of the old stream.
      stagedStart = stagedEnd
      isLastPassRead = true
      throw error
    }
    self.resampler = resampler
    ratio = outputSampleRateHz / reader.info.sampleRateHz
    streams.append(stream)
    stagedStart = 0
    stagedEnd = 0
    writtenFrames = 0
    epochStart = 0
    epochFrames = 0
    passFrames = 0
    isWholePass = frame == 0
    isLastPassRead = false
    isFinished = false
  }

  /// Lets go of a stream that the audio thread has given back or never taken.
  mutating func collect(_ shared: FilePlayerSource.StreamPointer?) {
    guard let shared = unsafe shared else { return }
    streams.removeAll { unsafe $0.shared == shared }
  }

  /// Goes on by one chunk at most.
  ///
  /// - Parameter repeats: Asked at the end of the file, with the place in the stream: whether it is
  ///   played again.
  /// - Returns: The progress.
  mutating func readChunk(repeats: (Int) -> Bool) -> Progress {
    var progress = Progress()
    guard let stream = streams.last, let resampler else { return progress }
    if isFinished, mayRewind, repeats(writtenFrames), rewind(&progress) {
      // The loop was requested after the resampler had been run empty, so it begins anew.
      resampler.reset()
      epochStart = writtenFrames
      epochFrames = 0
      isLastPassRead = false
      isFinished = false
    }
    if !isFinished {
      if stagedStart == stagedEnd, !isLastPassRead { stage(&progress, repeats) }
      write(to: stream, through: resampler)
    }
    if isFinished { progress.end = writtenFrames }
    progress.hasRoom = !isFinished && stream.writer.writableFrames > 0
    return progress
  }

  /// The position in the stream of the next frame to read.
  private var seamFrame: Int {
    epochStart + Int((Double(epochFrames) * ratio).rounded(.up))
  }

  /// Whether another attempt to begin the file again is due, if the last one failed.
  private var mayRewind: Bool {
    mutating get { !hasFailedToRewind || rewindPause.takeTurn() }
  }

  private mutating func rewind(_ progress: inout Progress) -> Bool {
    do throws(AudioFileError) {
      try reader.seek(toFrame: 0)
    } catch {
      progress.damage = error
      if !hasFailedToRewind { _ = rewindPause.takeTurn() }
      hasFailedToRewind = true
      return false
    }
    hasFailedToRewind = false
    rewindPause.reset()
    passFrames = 0
    isWholePass = true
    return true
  }

  /// Reads the frames from the file that the next call of `write` takes.
  private mutating func stage(_ progress: inout Progress, _ repeats: (Int) -> Bool) {
    let frames = Self.read(reader, into: &fileChunk)
    mapChannels(frames: frames)
    stagedStart = 0
    stagedEnd = frames
    epochFrames += frames
    passFrames += frames
    if let damage = reader.damage, !hasReportedDamage {
      hasReportedDamage = true
      progress.damage = damage
    }
    guard frames < PlayerFeed.chunkFrames || reader.positionFrame == reader.info.frames else {
      return
    }
    // A file that is empty from its beginning would be begun again for ever.
    let hasContent = passFrames > 0 || !isWholePass
    isLastPassRead = !(hasContent && repeats(seamFrame) && rewind(&progress))
  }

  private static func read(_ reader: AudioFileReader, into chunk: inout [Float]) -> Int {
    var room = chunk.mutableSpan
    return reader.read(into: &room)
  }

  /// Makes the channels to deliver from those of the file.
  private mutating func mapChannels(frames: Int) {
    let given = reader.info.channels
    if given == channels {
      (staged, fileChunk) = (fileChunk, staged)
      return
    }
    for frame in 0..<frames {
      for channel in 0..<channels {
        let sample =
          if given == 1 {
            fileChunk[frame]
          } else if channel < given {
            fileChunk[frame * given + channel]
          } else {
            Float(0)
          }
        staged[frame * channels + channel] = sample
      }
    }
  }

  /// Moves staged frames into the ring as far as there is room.
  private mutating func write(to stream: PlaybackStream, through resampler: StreamResampler) {
    while true {
      let region = unsafe stream.writer.regions(maximumFrames: PlayerFeed.chunkFrames)
      let isDrained = stagedStart == stagedEnd
      if isLastPassRead, isDrained, resampler.isBypassing { isFinished = true }
      guard unsafe region.firstFrames > 0, !isFinished, !isDrained || isLastPassRead else { return }
      let buffer = unsafe UnsafeMutableBufferPointer(
        start: region.first,
        count: region.firstFrames * channels,
      )
      var room = unsafe buffer.mutableSpan
      let progress = resampler.process(
        staged.span.extracting(stagedStart * channels..<stagedEnd * channels),
        into: &room,
        isLast: isLastPassRead,
      )
      stream.writer.commit(frames: progress.producedFrames)
      writtenFrames += progress.producedFrames
      stagedStart += progress.consumedFrames
      if progress == StreamResampler.Progress(consumedFrames: 0, producedFrames: 0) {
        isFinished = isLastPassRead && isDrained
        return
      }
    }
  }
}
