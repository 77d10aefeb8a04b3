// SPDX-License-Identifier: MIT

internal import AudioFiles
public import GraphFiles

extension FileProbe {
  /// Reads the channels of sound files, to check a graph's channel numbers against them.
  public static let audio = FileProbe { path in
    do throws(AudioFileError) {
      return .readable(channels: try AudioFileReader(path: path).info.channels)
    } catch {
      return .unusable(reason: "\(error.reason); allowed: \(error.allowed)")
    }
  }
}
