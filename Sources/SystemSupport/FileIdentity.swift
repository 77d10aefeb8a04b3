// SPDX-License-Identifier: MIT

internal import CSystemSupport

/// Tells a regular file from another one of its path, and from the same one with other contents.
///
/// Pure value: [any-thread].
package struct FileIdentity: Sendable, Hashable, Codable {
  /// The number of its file system's device.
  package let device: UInt64
  /// Its inode.
  package let inode: UInt64
  /// The last change of its contents or attributes, in nanoseconds since 1970; no program can set it.
  package let changedNanoseconds: Int64

  /// Makes an identity from its parts.
  package init(device: UInt64, inode: UInt64, changedNanoseconds: Int64) {
    self.device = device
    self.inode = inode
    self.changedNanoseconds = changedNanoseconds
  }
}

/// The identities of files. [any-thread]
extension Machine {
  /// The identity of a file; nil without a regular file at the path.
  package func identity(ofFile path: String) -> FileIdentity? {
    var found = system_file_identity()
    guard unsafe system_identify_file(root + path, &found) == 0 else { return nil }
    return FileIdentity(
      device: found.device,
      inode: found.inode,
      changedNanoseconds: found.changed_nanoseconds,
    )
  }

  /// The identity of the file that a process runs, also of one that has no path any more; nil where the kernel does not show it.
  package func identity(ofExecutableOf pid: Int32) -> FileIdentity? {
    identity(ofFile: "/proc/\(pid)/exe")
  }

  /// Whether only root can replace or change the file of a path without symbolic links.
  ///
  /// It and all its folders belong to root, and neither their group nor others may write there.
  package func isOnlyRoots(_ path: String) -> Bool { unsafe system_file_is_roots(root + path) }
}
