// SPDX-License-Identifier: MIT

/// What a file player tells the control side, from its read-ahead thread.
public enum FilePlayerEvent: Sendable, Equatable {
  /// The last frame was handed to the audio thread; silence follows until a seek.
  case endOfFile
  /// The audio thread found too little read ahead, since the last such event.
  case underrun(silentFrames: Int)
  /// The file can no longer be read; what was read ahead is played out.
  case failed(AudioFileError)
}
