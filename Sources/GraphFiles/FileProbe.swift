// SPDX-License-Identifier: MIT

internal import Glibc

/// Tells what is known about the media files that a graph names.
///
/// The default only looks whether they can be read. A host that can open audio files passes a probe
/// that tells their channels too, so that channel numbers are checked against them.
public struct FileProbe: Sendable {
  /// What is known about one file.
  public enum Finding: Sendable, Equatable {
    /// The file can be read; channels if known.
    case readable(channels: Int?)
    /// The file cannot be used, and why: "no such file".
    case unusable(reason: String)
  }

  /// Looks at the file of this path.
  public var examine: @Sendable (_ path: String) -> Finding

  /// Creates a probe.
  ///
  /// - Parameter examine: Looks at the file of this path; called on the thread that parses.
  public init(examine: @escaping @Sendable (_ path: String) -> Finding) {
    self.examine = examine
  }

  /// Looks on disk whether there is a file that this process may read.
  public static let disk = FileProbe { path in
    var status = stat()
    guard unsafe stat(path, &status) == 0, unsafe access(path, R_OK) == 0 else {
      return .unusable(reason: SystemError.text(errno))
    }
    guard status.st_mode & S_IFMT != S_IFDIR else { return .unusable(reason: "is a folder") }
    return .readable(channels: nil)
  }
}
