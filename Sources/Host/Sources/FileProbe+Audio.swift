// SPDX-License-Identifier: MIT

internal import AudioFiles
public import GraphFiles

extension FileProbe {
  /// Reads the channels and length of sound files, to check a graph's channel numbers and starts against them.
  public static let audio = FileProbe { path in
    do throws(AudioFileError) {
      let info = try AudioFileReader(path: path).info
      guard info.frames != 0 else {
        return .unusable(reason: "it has no frames; allowed: a file with sound")
      }
      return .readable(channels: info.channels, length: info.durationSeconds.map { .seconds($0) })
    } catch {
      return .unusable(reason: "\(error.reason); allowed: \(error.allowed)")
    }
  }
}
