// SPDX-License-Identifier: MIT

internal import AudioFiles

/// A source that the host itself produces: a file or a tone.
///
/// Belongs to the control thread.
enum HostSource: Sendable {
  case file(FilePlayer)
  case tone(ToneGenerator)

  /// The audio side.
  var generator: SourceArrangement.Generator {
    switch self {
    case .file(let player): .file(player.source)
    case .tone(let tone): .tone(tone.source)
    }
  }

  /// Follows the server to another sample rate.
  func reconfigure(sampleRateHz: Double) throws(AudioFileError) {
    switch self {
    case .file(let player): try player.reconfigure(outputSampleRateHz: sampleRateHz)
    case .tone(let tone): try tone.reconfigure(sampleRateHz: sampleRateHz)
    }
  }
}
