// SPDX-License-Identifier: MIT

internal import AudioFiles

/// A recording and what it takes its audio from.
struct RecordingTap: Sendable {
  /// The strip (before its fader) or the route (as it goes out).
  let subject: String
  /// Takes the audio.
  let recorder: FileRecorder
}
