// SPDX-License-Identifier: MIT

internal import Glibc

/// Replaces files as a whole: whenever a process or the machine dies, a file has its last contents or those before.
///
/// Waits for the disk: [any-thread].
package enum FileReplacement {
  /// The reason why a file stays as it was.
  package struct Fault: Error, CustomStringConvertible {
    /// The path with the system's reason.
    package let description: String

    fileprivate init(_ path: String, _ code: Int32 = errno) {
      description = "\(path): \(unsafe String(cString: strerror(code)))"
    }
  }

  /// Replaces a file; a symbolic link is followed.
  ///
  /// - Parameters:
  ///   - path: The file, which need not exist.
  ///   - bytes: The new contents.
  ///   - mode: The file's mode from now on; nil for owner and mode as they are, or as the process makes files.
  ///   - temporary: The name of the file beside it that holds the new contents first; nil for one of this process alone. With a name,
  ///     what a killed process leaves is replaced by the next one.
  /// - Throws: ``Fault``; the old file remains then.
  package static func replace(
    _ path: String,
    with bytes: [UInt8],
    mode: UInt32? = nil,
    through temporary: String? = nil,
  ) throws(Fault) {
    let target = try resolved(path)
    let (directory, name) = parts(of: target)
    let temporary = "\(directory)/\(temporary ?? ".\(name).\(getpid()).new")"
    do throws(Fault) {
      try write(bytes, to: temporary, like: target, mode)
      guard unsafe rename(temporary, target) == 0 else { throw Fault(target) }
    } catch {
      unsafe unlink(temporary)
      throw error
    }
    try synchronize(directory)
  }

  private static func resolved(_ path: String) throws(Fault) -> String {
    if let real = unsafe realpath(path, nil) {
      defer { unsafe free(real) }
      return unsafe String(cString: real)
    }
    var status = stat()
    guard errno == ENOENT, unsafe lstat(path, &status) != 0 else { throw Fault(path) }
    return path
  }

  private static func parts(of path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = String(path[..<slash])
    return (directory.isEmpty ? "/" : directory, String(path[path.index(after: slash)...]))
  }

  private static func write(
    _ bytes: [UInt8],
    to path: String,
    like target: String,
    _ mode: UInt32?,
  ) throws(Fault) {
    var status = stat()
    let isThere = unsafe stat(target, &status) == 0
    if isThere {
      guard status.st_mode & S_IFMT == S_IFREG else { throw Fault(target, EINVAL) }
      guard unsafe access(target, W_OK) == 0 else { throw Fault(target) }
    }
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
    let file = unsafe open(path, flags, mode ?? (isThere ? 0o600 : 0o666))
    guard file >= 0 else { throw Fault(path) }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Fault(path) }
      rest = rest.dropFirst(count)
    }
    if let mode {
      // A file that a killed process has left may have another one.
      guard fchmod(file, mode) == 0 else { throw Fault(path) }
    } else if isThere {
      guard fchown(file, status.st_uid, status.st_gid) == 0,
        fchmod(file, status.st_mode & 0o7777) == 0
      else { throw Fault(path) }
    }
    guard fsync(file) == 0 else { throw Fault(path) }
  }

  /// Makes a rename durable.
  private static func synchronize(_ directory: String) throws(Fault) {
    let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Fault(directory) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Fault(directory) }
  }
}
