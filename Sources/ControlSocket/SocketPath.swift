// SPDX-License-Identifier: MIT

import Glibc
import SystemSupport

/// The paths of control sockets. [any-thread]
///
/// The path is `$XDG_RUNTIME_DIR/multiroute/<name>.sock`. Without the variable, or with a relative path in it,
/// the directory is `/run/user/<uid>/multiroute` if `/run/user/<uid>` exists and belongs to the user, else
/// `/tmp/multiroute-<uid>`. The last directory of the path always has mode 0700.
public enum SocketPath {
  /// The environment variable that names a user's run-time directory.
  public static let environmentVariable = "XDG_RUNTIME_DIR"

  /// The longest path of a socket, in bytes.
  public static let longestPathBytes = 107

  /// The directory of the control sockets; it may not exist yet.
  /// [any-thread]
  public static func directory() -> String {
    directory(runtime: Machine.variable(environmentVariable))
  }

  /// The directory with a run-time directory; nil for none. [any-thread]
  static func directory(runtime: String?) -> String {
    if let runtime, runtime.hasPrefix("/") {
      return (runtime.count > 1 && runtime.hasSuffix("/") ? String(runtime.dropLast()) : runtime)
        + "/multiroute"
    }
    let user = geteuid()
    let runtime = "/run/user/\(user)"
    var status = stat()
    if unsafe lstat(runtime, &status) == 0, status.st_uid == user {
      return runtime + "/multiroute"
    }
    return "/tmp/multiroute-\(user)"
  }

  /// The path of a host's socket.
  ///
  /// - Throws: `badName` unless the name has 1 to 64 of `A-Z a-z 0-9 . _ -` and begins with a letter or a
  ///   digit, or if the path is longer than the path of a socket may be (107 bytes).
  /// [any-thread]
  public static func path(
    hostName: String,
    directory: String? = nil,
  ) throws(ControlServerError) -> String {
    guard isValid(hostName: hostName) else {
      throw ControlServerError(
        .badName,
        "host name '\(hostName.prefix(80))': it cannot be a socket's name; allowed: 1 to 64 of "
          + "A-Z a-z 0-9 . _ - beginning with a letter or a digit",
      )
    }
    let path = (directory ?? Self.directory()) + "/" + hostName + suffix
    guard path.utf8.count <= longestPathBytes else {
      throw ControlServerError(
        .badName,
        "\(path): it has \(path.utf8.count) bytes; allowed: up to \(longestPathBytes), the "
          + "kernel's limit for a socket; use a shorter host name or \(environmentVariable)",
      )
    }
    return path
  }

  /// The names of the hosts with a socket, sorted, including hosts that died; none of a folder that other users could
  /// have filled.
  ///
  /// [any-thread]
  public static func hostNames(directory: String? = nil) -> [String] {
    let directory = directory ?? Self.directory()
    guard (try? HostTrust.check(folder: directory)) != nil else { return [] }
    return Machine.this.names(in: directory)
      .filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
      .filter(isValid(hostName:)).sorted()
  }

  private static let suffix = ".sock"

  private static func isValid(hostName: String) -> Bool {
    guard (1...64).contains(hostName.utf8.count), let first = hostName.utf8.first else {
      return false
    }
    let isAlphanumeric = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    return isAlphanumeric(first)
      && hostName.utf8.allSatisfy { isAlphanumeric($0) || "._-".utf8.contains($0) }
  }
}
