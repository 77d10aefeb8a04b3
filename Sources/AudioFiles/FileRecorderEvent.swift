// SPDX-License-Identifier: MIT

/// What a recorder tells the control side, from its writer thread.
public enum FileRecorderEvent: Sendable, Equatable {
  /// A file was begun.
  case began(path: String)
  /// A file was finished after so many frames.
  case finished(path: String, frames: Int)
  /// Writing failed. What was written plays; the recorder tries again, with a new file, every second.
  case failed(AudioFileError)
  /// The audio thread found no room, or a failure threw frames away, since the last such event.
  ///
  /// Told at once, then every 10 s while it goes on, and when it is over.
  case lost(frames: Int)
}
