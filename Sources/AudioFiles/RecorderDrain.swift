// SPDX-License-Identifier: MIT

internal import CRealtime
internal import Realtime
internal import Synchronization

/// The writer thread's side of a recorder: empties the ring into the files.
///
/// [any-thread] except the audio thread.
@safe
final class RecorderDrain: @unchecked Sendable {
  let state: UnsafeMutablePointer<RecorderTap.State>
  private let ring: AudioRing
  private let channels: Int
  private let pauseMilliseconds: Int
  private let files: Mutex<RecordingFiles>
  /// Whether the files are closed; changed with ``files`` locked.
  private let isFinished = Atomic(false)
  private let published: Mutex<FileRecorder.Status>
  private let onEvent: @Sendable (FileRecorderEvent) -> Void

  /// Creates the first file.
  init(
    path: String,
    settings: FileRecorder.Settings,
    onEvent: @escaping @Sendable (FileRecorderEvent) -> Void,
  ) throws(AudioFileError) {
    var files = try RecordingFiles(path: path, settings: settings)
    let events = files.takeEvents()
    let ring = AudioRing(
      minimumFrames: Int(settings.bufferSeconds * settings.sampleRateHz),
      channels: settings.channels,
    )
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: RecorderTap.State(ring: ring.writer, capacityFrames: ring.capacityFrames)
    )
    self.ring = ring
    channels = settings.channels
    pauseMilliseconds = max(5, min(50, Int(settings.bufferSeconds * 1000 / 8)))
    published = Mutex(files.status)
    self.files = Mutex(files)
    self.onEvent = onEvent
    for event in events { onEvent(event) }
  }

  deinit {
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// The status as of the last round.
  var status: FileRecorder.Status {
    published.withLock { $0 }
  }

  /// Writes the frames in the ring.
  ///
  /// - Returns: Milliseconds to the next round.
  func drain() -> Int {
    work(isLast: false)
    // A cycle that waits for room takes as long as this thread pauses.
    return unsafe state.pointee.waits.exchange(0, ordering: .relaxed) > 0 ? 1 : pauseMilliseconds
  }

  /// Writes the rest of the ring and closes the file.
  func finish() {
    work(isLast: true)
  }

  private func work(isLast: Bool) {
    let events = files.withLock { files -> [FileRecorderEvent] in
      guard !isFinished.load(ordering: .relaxed) else { return [] }
      empty(into: &files)
      files.lose(unsafe state.pointee.lostFrames.exchange(0, ordering: .relaxed))
      if isLast {
        files.finish()
        isFinished.store(true, ordering: .relaxed)
      }
      published.withLock { $0 = files.status }
      return files.takeEvents()
    }
    for event in events { onEvent(event) }
  }

  private func empty(into files: inout RecordingFiles) {
    // In portions that the disk gets through in one go, so that the ring has room again soon.
    let portionFrames = max(1, 65_536 / channels)
    while true {
      let region = unsafe ring.reader.regions(maximumFrames: portionFrames)
      let frames = unsafe region.firstFrames
      guard frames > 0 else { return }
      let samples = unsafe UnsafeBufferPointer(start: region.first, count: frames * channels)
      if unsafe samples.span.isFinite {
        unsafe files.append(samples.span)
      } else {
        let clean = unsafe samples.map { $0.isFinite ? $0 : 0 }
        files.append(clean.span)
      }
      ring.reader.discard(frames: frames)
      unsafe state.pointee.rounds.wrappingAdd(1, ordering: .releasing)
      unsafe realtime_wake_word(UnsafeRawPointer(state))
    }
  }
}

extension Span<Float> {
  /// Whether no sample is infinite or not a number.
  fileprivate var isFinite: Bool {
    // A sum of products with 0 is 0 for numbers only, and is computed many samples at a time.
    var sum: Float = 0
    for index in indices { sum += self[index] * 0 }
    return sum == 0
  }
}
