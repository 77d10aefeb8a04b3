// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import SystemSupport

/// A file that is open, with its first frames read.
///
/// Safe from any thread: [any-thread].
struct OpenedFile: Sendable {
  /// Names it in the events of the file.
  let ticket: UInt64
  let player: FilePlayer

  /// The channels that it delivers.
  var channels: Int { player.source.channels }

  /// Has the file follow the server to a rate, which may be another one than at its opening.
  ///
  /// - Throws: `badValue` if it does not fit the rate.
  func follow(sampleRateHz: Double) throws(ControlError) {
    do throws(AudioFileError) {
      try player.reconfigure(outputSampleRateHz: sampleRateHz)
    } catch {
      throw ControlError(error)
    }
  }
}

/// Opens a program's file away from the control thread, which may not wait for a disk.
///
/// Pure value: [any-thread].
struct FileOpening: Sendable {
  /// The length of audio that is kept ready: each file has memory for it, for all its channels.
  private static let readAheadSeconds = 1.0
  /// The most channels of a file, as of a strip.
  private static let channels = 1...64

  let ticket: UInt64
  let sampleRateHz: Double
  let pool: ReadAheadPool
  let onEvent: @Sendable (FilePlayerEvent) -> Void

  /// Opens a file and reads its first frames, on a thread of its own: a network disk may take for ever.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - channels: The channels to deliver; nil for the file's.
  ///   - startSeconds: Where in the file it begins.
  /// - Returns: The file, silent until a strip plays it.
  /// - Throws: `badValue` with the path, the fault and what is allowed.
  func open(
    _ path: String,
    channels: Int?,
    startSeconds: Double,
  ) async throws(ControlError) -> OpenedFile {
    let result = await withCheckedContinuation { continuation in
      let isStarted = BackgroundThread.start(name: "file-opening") {
        continuation.resume(
          returning: Result { () throws(ControlError) in
            try read(path, channels: channels, startSeconds: startSeconds)
          }
        )
      }
      if !isStarted {
        continuation.resume(
          returning: .failure(
            ControlError(.refused, message: "file '\(path)': the system has no thread to open it")
          )
        )
      }
    }
    return try result.get()
  }

  private func read(
    _ path: String,
    channels: Int?,
    startSeconds: Double,
  ) throws(ControlError) -> OpenedFile {
    let player: FilePlayer
    do throws(AudioFileError) {
      player = try FilePlayer(
        path: path,
        settings: FilePlayer.Settings(
          outputSampleRateHz: sampleRateHz,
          channels: channels,
          start: .seconds(startSeconds),
          readAheadSeconds: Self.readAheadSeconds,
        ),
        pool: pool,
        onEvent: onEvent,
      )
    } catch {
      guard error.code == .invalidSetting, startSeconds > 0 else { throw ControlError(error) }
      throw ControlError(
        .badValue,
        place: "startSeconds",
        fault: error.reason,
        allowed: error.allowed,
      )
    }
    guard Self.channels.contains(player.source.channels) else {
      throw ControlError(
        .badValue,
        place: "file",
        fault: "'\(path)' has \(player.source.channels) channels",
        allowed: "\(Self.channels.upperBound) channels, or 'channels' with the number to play",
      )
    }
    return OpenedFile(ticket: ticket, player: player)
  }
}

extension ControlError {
  /// The answer to a file that cannot be played. [any-thread]
  init(_ error: AudioFileError) {
    self.init(
      .badValue,
      place: "file",
      fault: "'\(error.path)' \(error.reason)",
      allowed: error.allowed,
    )
  }
}
