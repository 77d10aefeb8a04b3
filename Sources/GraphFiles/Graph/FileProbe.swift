// SPDX-License-Identifier: MIT

internal import Glibc

/// Examines the media files that a graph file names.
///
/// The default checks only whether they can be read. A host that can open audio files passes a probe that also gives
/// their channels and length, so that channel numbers and starts are checked against them.
///
/// Pure value: [any-thread].
public struct FileProbe: Sendable {
  /// The result for one file.
  public enum Finding: Sendable, Equatable {
    /// The file can be read; its channels and length, if known.
    case readable(channels: Int?, length: Duration? = nil)
    /// The file cannot be used; the reason, such as "no such file".
    case unusable(reason: String)
  }

  /// Examines the file of this path.
  public var examine: @Sendable (_ path: String) -> Finding

  /// Creates a probe.
  ///
  /// - Parameter examine: Examines the file of this path; called on the thread that parses.
  public init(examine: @escaping @Sendable (_ path: String) -> Finding) {
    self.examine = examine
  }

  /// Checks on disk whether the file exists and this process may read it.
  public static let disk = FileProbe { path in
    var status = stat()
    guard unsafe stat(path, &status) == 0, unsafe access(path, R_OK) == 0 else {
      return .unusable(reason: MessageText.systemError(errno))
    }
    guard status.st_mode & S_IFMT != S_IFDIR else { return .unusable(reason: "is a folder") }
    return .readable(channels: nil)
  }

  /// Whether the path names something on disk.
  static func isFile(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}

/// The folder of a graph's media files, and the probe for them.
///
/// [any-thread]
struct MediaFiles {
  let graphPath: String
  let probe: FileProbe

  /// The path to open for `path`: a relative one starts in the folder of the graph file, and `~/` in that of the user.
  func resolve(_ path: String) -> String {
    if path.utf8.starts(with: "~/".utf8), let home = unsafe getenv("HOME") {
      return unsafe String(cString: home) + path.dropFirst()
    }
    guard !path.utf8.starts(with: "/".utf8), let slash = graphPath.lastIndex(of: "/") else {
      return path
    }
    return graphPath[...slash] + path
  }
}
