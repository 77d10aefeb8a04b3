// SPDX-License-Identifier: MIT

/// Where the media files of a graph are, and what is known about them.
struct MediaFiles {
  let graphPath: String
  let probe: FileProbe

  /// The path to open for `path`: a relative one starts in the folder of the graph file.
  func resolve(_ path: String) -> String {
    guard !path.utf8.starts(with: "/".utf8), let slash = graphPath.lastIndex(of: "/") else {
      return path
    }
    return graphPath[...slash] + path
  }
}
