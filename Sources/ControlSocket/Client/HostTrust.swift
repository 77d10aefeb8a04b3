// SPDX-License-Identifier: MIT

import Glibc

/// Decides which process a client trusts as a host: one of its own user, or of root.
///
/// Sockets may lie in `/tmp`, where another user can make the folder first. So the folder is checked before a name is
/// looked up there, and the process that listens before anything is sent to it. A socket that is named by its path
/// is in a folder that the user has chosen: there only the process is checked.
///
/// Pure value: [any-thread].
package struct HostTrust: Sendable {
  /// Whether a host of any user is trusted: root has named its socket.
  private let isAnyUserTrusted: Bool

  /// The trust in the host of an address.
  package init(_ address: HostAddress) {
    if case .path = address { isAnyUserTrusted = geteuid() == 0 } else { isAnyUserTrusted = false }
  }

  // MARK: - The process

  /// Checks the process that listens at the other end of a connection, before anything is sent.
  ///
  /// - Parameters:
  ///   - descriptor: The connected socket.
  ///   - path: The path of the socket, for the error.
  /// - Throws: `notPermitted` for another user's process.
  package func check(descriptor: CInt, path: String) throws(ControlClientError) {
    try check(PeerCredentials.read(of: descriptor), path: path)
  }

  /// Checks the process that listens; nil where the kernel does not say which one it is.
  ///
  /// - Throws: `notPermitted` for another user's process, and for an unknown one.
  func check(_ peer: PeerCredentials?, path: String) throws(ControlClientError) {
    guard let peer else {
      throw ControlClientError(.notPermitted, "\(path): the kernel does not say who listens there")
    }
    guard peer.mayControl || isAnyUserTrusted else {
      throw ControlClientError(
        .notPermitted,
        "\(path): user \(peer.userID) listens there; allowed: a host of user \(geteuid()) or of root",
      )
    }
  }

  // MARK: - The folder

  /// Checks the folder in which sockets are looked up; one that is not there holds no host.
  ///
  /// - Throws: `notPermitted` for a folder that another user could have filled.
  static func check(folder: String) throws(ControlClientError) {
    var status = stat()
    guard unsafe lstat(folder, &status) == 0 else { return }
    guard let fault = fault(of: status) else { return }
    let remedy =
      geteuid() == 0
      ? "name the path of a host's socket to reach the host of another user"
      : "remove the folder, or set \(SocketPath.environmentVariable) to one of your own"
    throw ControlClientError(
      .notPermitted,
      "\(folder): \(fault); allowed: a folder of user \(geteuid()) or of root that nobody else writes to; "
        + remedy,
    )
  }

  private static func fault(of status: stat) -> String? {
    // A symbolic link is refused: in /tmp another user could have made it.
    guard status.st_mode & S_IFMT == S_IFDIR else { return "it is not a directory" }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      return "it belongs to user \(status.st_uid)"
    }
    return status.st_mode & 0o022 == 0 ? nil : "other users may write to it"
  }
}
