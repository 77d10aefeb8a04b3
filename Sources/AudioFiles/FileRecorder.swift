// SPDX-License-Identifier: MIT

internal import Synchronization

/// Records from the audio thread into files, which another thread writes.
///
/// This is the control side. `tap` is the audio side; it stays valid for as long as the recorder
/// lives, so its caller keeps the recorder. Files stay playable after a kill, as
/// `AudioFileWriter` says.
///
/// Not for the audio thread: [any-thread].
public final class FileRecorder: Sendable {
  /// The audio side.
  public let tap: RecorderTap

  /// Frames in a second.
  public let sampleRateHz: Double

  private let drain: RecorderDrain

  /// Creates the first file, which one of a few threads for all recorders writes from now on.
  ///
  /// Recording starts with the first `write` of the tap.
  ///
  /// - Parameters:
  ///   - path: The file; with a split, a number goes before its extension.
  ///   - settings: The settings.
  ///   - onEvent: Called on the writer thread; it hands the event on and returns at once.
  /// - Throws: `AudioFileError` as `AudioFileWriter`.
  public init(
    path: String,
    settings: Settings,
    onEvent: @escaping @Sendable (FileRecorderEvent) -> Void = { _ in },
  ) throws(AudioFileError) {
    guard (0.1...60).contains(settings.bufferSeconds) else {
      throw .setting(
        "cannot buffer \(settings.bufferSeconds) s",
        allowed: "0.1…60 s",
        path: path,
      )
    }
    let drain = try RecorderDrain(path: path, settings: settings, onEvent: onEvent)
    guard WriterPool.shared.add(drain) else {
      throw AudioFileError(
        code: .cannotCreate,
        path: path,
        reason: "the system gave no thread to write it",
        allowed: "a limit of threads that is not reached",
      )
    }
    tap = unsafe RecorderTap(channels: settings.channels, state: drain.state)
    self.drain = drain
    sampleRateHz = settings.sampleRateHz
  }

  deinit {
    finish()
  }

  /// The present state.
  ///
  /// [any-thread] but the audio thread.
  public var status: Status { drain.status }

  /// Whether the tap discards its input. [any-thread]
  public var isPaused: Bool {
    unsafe drain.state.pointee.isPaused.load(ordering: .relaxed)
  }

  /// Discards the tap's input from the next audio cycle on. [any-thread]
  public func pause() {
    unsafe drain.state.pointee.isPaused.store(true, ordering: .relaxed)
  }

  /// Goes on in the same file.
  /// [any-thread]
  public func resume() {
    unsafe drain.state.pointee.isPaused.store(false, ordering: .relaxed)
  }

  /// Stops the tap, writes the frames before that, and closes the file.
  ///
  /// - Returns: The final state. [any-thread] except the audio thread; waits for the disk.
  @discardableResult
  public func finish() -> Status {
    unsafe drain.state.pointee.isFinished.store(true, ordering: .relaxed)
    drain.finish()
    return drain.status
  }
}
