// SPDX-License-Identifier: MIT

/// Where control sockets live.
///
/// `$XDG_RUNTIME_DIR/multiroute/<name>.sock`; without the variable (or when it is not an absolute
/// path) `/run/user/<uid>` where that exists and is the user's, else `/tmp/multiroute-<uid>`. The
/// last directory of the path always has mode 0700.
public enum SocketPath {
  /// The environment variable that names a user's run-time directory.
  public static let environmentVariable = "XDG_RUNTIME_DIR"

  /// The directory of the control sockets; it need not exist yet.
  /// [any-thread]
  public static func directory() -> String { fatalError("unwritten") }

  /// The path of a host's socket.
  ///
  /// - Throws: `badName` when the name is not 1 to 64 of `A-Z a-z 0-9 . _ -` beginning with a
  ///   letter or a digit, or when the path is longer than a socket's may be (107 bytes).
  /// [any-thread]
  public static func path(
    hostName: String,
    directory: String? = nil,
  ) throws(ControlServerError) -> String { fatalError("unwritten") }

  /// The names of the hosts whose sockets exist, sorted; a host that died may be among them.
  /// [any-thread]
  public static func hostNames(directory: String? = nil) -> [String] { fatalError("unwritten") }
}
