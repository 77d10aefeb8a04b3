// SPDX-License-Identifier: MIT

internal import AudioFiles
public import GraphFiles

extension FileProbe {
  /// Looks into sound files, so that a graph's channel numbers can be checked against them.
  public static let audio = FileProbe { path in
    do throws(AudioFileError) {
      return .readable(channels: try AudioFileReader(path: path).info.channels)
    } catch {
      return .unusable(reason: error.description)
    }
  }
}
