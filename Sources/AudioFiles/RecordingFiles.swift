// SPDX-License-Identifier: MIT

internal import Glibc

/// The files of one recording: split where due, begun anew after a fault.
///
/// The writer thread's own.
///
/// [any-thread] except the audio thread.
struct RecordingFiles {
  /// The state of the recording.
  private(set) var status = FileRecorder.Status(paths: [], framesWritten: 0, framesLost: 0)

  /// The events since this was emptied.
  private var events: [FileRecorderEvent] = []
  /// Lost frames that were not reported yet.
  private var untoldFrames = 0
  private var lossTime: ContinuousClock.Instant?

  private let path: String
  private let settings: FileRecorder.Settings
  private let framesPerFile: Int
  private var writer: AudioFileWriter?
  /// Makes the files' sample rate from the audio thread's; nil where they are equal.
  private let resampler: StreamResampler?
  private var converted: [Float] = []
  /// The frames that the resampler has taken and made.
  private var takenFrames = 0
  private var madeFrames = 0
  private var number = 1
  private var retryTime: ContinuousClock.Instant?
  private var retryPause: Duration = Self.firstRetryPause

  /// Frames that are converted at once.
  private static let convertedFrames = 4_096
  private static let firstRetryPause: Duration = .seconds(1)
  private static let longestRetryPause: Duration = .seconds(60)
  /// Time between two reports of a lasting loss, as on a full disk; the first report comes at once.
  private static let lossPause: Duration = .seconds(10)

  /// Creates the first file.
  init(path: String, settings: FileRecorder.Settings) throws(AudioFileError) {
    self.path = path
    self.settings = settings
    if let rate = settings.fileSampleRateHz, rate != settings.sampleRateHz {
      resampler = try StreamResampler(
        channels: settings.channels,
        inputSampleRateHz: settings.sampleRateHz,
        outputSampleRateHz: rate,
      )
      converted = Array(repeating: 0, count: Self.convertedFrames * settings.channels)
    } else {
      resampler = nil
    }
    framesPerFile =
      switch settings.split {
      case .never: .max
      case .frames(let frames): frames
      case .bytes(let bytes): bytes / (settings.channels * settings.format.bytesPerSample)
      }
    guard framesPerFile > 0 else {
      throw .setting(
        "files of \(settings.split) hold no frame",
        allowed: "1 frame or more in a file",
        path: path,
      )
    }
    try begin()
  }

  /// Appends frames, to several files where they are split.
  ///
  /// Frames that cannot be written count as lost.
  mutating func append(_ interleaved: Span<Float>) {
    guard let resampler else { return store(interleaved) }
    takenFrames += interleaved.count / settings.channels
    convert(interleaved, isLast: false, resampler)
  }

  /// Stores frames at the files' sample rate, as many as the resampler has.
  private mutating func convert(
    _ interleaved: Span<Float>,
    isLast: Bool,
    _ resampler: StreamResampler,
  ) {
    let channels = settings.channels
    var place = 0
    while true {
      var room = converted.mutableSpan
      let progress = resampler.process(
        interleaved.extracting(place..<interleaved.count),
        into: &room,
        isLast: isLast,
      )
      place += progress.consumedFrames * channels
      madeFrames += progress.producedFrames
      if progress.producedFrames > 0 {
        let samples = converted
        store(samples.span.extracting(0..<progress.producedFrames * channels))
      }
      if progress.consumedFrames == 0, progress.producedFrames == 0 { return }
    }
  }

  private mutating func store(_ interleaved: Span<Float>) {
    let frames = interleaved.count / settings.channels
    var done = 0
    while done < frames {
      guard resumeIfDue(), let writer else { return lose(frames - done) }
      let before = writer.framesWritten
      let count = min(frames - done, framesPerFile - before)
      let part = done * settings.channels..<(done + count) * settings.channels
      do throws(AudioFileError) {
        try writer.write(interleaved.extracting(part))
        retryPause = Self.firstRetryPause
        status.error = nil
      } catch {
        fail(error)
      }
      let written = writer.framesWritten - before
      status.framesWritten += written
      lose(count - written)
      done += count
      if status.error != nil || writer.framesWritten == framesPerFile { end() }
    }
  }

  /// Counts frames that reach no file.
  mutating func lose(_ frames: Int) {
    guard frames > 0 else { return }
    status.framesLost += frames
    untoldFrames += frames
  }

  /// The events since the last call.
  mutating func takeEvents() -> [FileRecorderEvent] {
    if lossTime.map({ .now >= $0 + Self.lossPause }) ?? true { tellLoss() }
    defer { events = [] }
    return events
  }

  private mutating func tellLoss() {
    guard untoldFrames > 0 else { return }
    events.append(.lost(frames: untoldFrames))
    untoldFrames = 0
    lossTime = .now
  }

  /// Finishes the recording, and reports everything about it.
  mutating func finish() {
    if let resampler, takenFrames > 0 {
      let nothing: [Float] = []
      convert(nothing.span, isLast: true, resampler)
      completeDuration()
    }
    end()
    tellLoss()
  }

  /// Adds the frame that a resampler leaves out at the end by rounding, so that the duration is that of the recording.
  private mutating func completeDuration() {
    guard let rate = settings.fileSampleRateHz else { return }
    let wanted = Int((Double(takenFrames) * rate / settings.sampleRateHz).rounded())
    guard madeFrames < wanted else { return }
    let silence = [Float](repeating: 0, count: (wanted - madeFrames) * settings.channels)
    store(silence.span)
  }

  /// Finishes the current file.
  private mutating func end() {
    guard let writer else { return }
    self.writer = nil
    let frames = writer.framesWritten
    do throws(AudioFileError) {
      try writer.close()
    } catch {
      if status.error == nil { fail(error) }
    }
    if frames == 0, status.error != nil {
      // The first frame did not fit: the empty file is removed.
      unsafe unlink(writer.path)
      status.paths.removeLast()
    } else {
      events.append(.finished(path: writer.path, frames: frames))
    }
  }

  private mutating func fail(_ error: AudioFileError) {
    status.error = error
    events.append(.failed(error))
    retryTime = .now + retryPause
    retryPause = min(retryPause * 2, Self.longestRetryPause)
  }

  /// Sees to it that there is a file, unless a fault is too fresh to try again.
  private mutating func resumeIfDue() -> Bool {
    if writer != nil { return true }
    if let retryTime, .now < retryTime { return false }
    do throws(AudioFileError) {
      try begin()
      return true
    } catch {
      fail(error)
      return false
    }
  }

  private mutating func begin() throws(AudioFileError) {
    while true {
      do throws(AudioFileError) {
        let path = numberedPath()
        writer = try AudioFileWriter(
          path: path,
          format: settings.format,
          sampleRateHz: settings.fileSampleRateHz ?? settings.sampleRateHz,
          channels: settings.channels,
          overwrites: settings.overwrites,
        )
        number += 1
        retryTime = nil
        status.paths.append(path)
        tellLoss()
        events.append(.began(path: path))
        return
      } catch {
        // Later files step over a name in use; the first one only where the caller says so.
        guard error.code == .alreadyExists, settings.stepsOverExisting || !status.paths.isEmpty
        else { throw error }
        number += 1
      }
    }
  }

  /// The name of the next file: the path itself without splitting, else with a number.
  private func numberedPath() -> String {
    if settings.split == .never, number == 1 { return path }
    let digits = String(number)
    let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return path + "-" + padded
    }
    return path[..<dot] + "-" + padded + path[dot...]
  }
}
