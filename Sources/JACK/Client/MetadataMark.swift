// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemSupport

/// The mark of a process that may hold a lock of JACK's store of metadata.
///
/// Berkeley DB keeps its locks in shared memory, also those of the dead: a process that is killed while it opens the store or
/// changes it can leave a lock for which every JACK program of the user waits for ever. The mark is the byte of Berkeley DB's settings
/// file whose offset is the process's id; the process holds an open file description lock on it (fcntl(2)), which ends with the process.
///
/// Belongs to the thread that uses the store: [any-thread].
package struct MetadataMark {
  /// −1 where the file cannot be opened; there is no store then that could be locked.
  private let descriptor: Int32

  /// F_OFD_GETLK and F_OFD_SETLK of fcntl.h, which the module Glibc does not have.
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37

  /// Sets the mark of this process.
  ///
  /// - Parameter file: A file that exists.
  init(file: String) {
    descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    // Shared, because several threads of a process can be in the store.
    var range = Self.range(F_RDLCK, of: getpid())
    _ = unsafe fcntl(descriptor, Self.setLock, &range)
  }

  /// Removes it.
  func remove() {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether a process is opening or using the store now; only programs with this library have marks.
  ///
  /// - Parameters:
  ///   - pid: The process.
  ///   - file: The file of the marks; nil for that of the user's store.
  /// - Returns: Whether its mark is set.
  /// [any-thread]
  package static func isSet(by pid: Int32, in file: String? = nil) -> Bool {
    let descriptor = unsafe open(
      file ?? MetadataStore.settingsFile,
      O_RDONLY | O_CLOEXEC | O_NOFOLLOW
    )
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var range = range(F_WRLCK, of: pid)
    return unsafe fcntl(descriptor, getLock, &range) == 0 && range.l_type != F_UNLCK
  }

  /// Kills a process at any moment but those in which it opens, uses or closes the store.
  ///
  /// It is stopped first, so that it cannot enter the store between the look and its end. While it is in there it goes on, for half a
  /// millisecond at a time. One that does not leave in time is killed all the same. Blocks the calling thread until the signal is sent.
  ///
  /// - Parameters:
  ///   - pid: The process. Nothing happens when it has ended.
  ///   - limitMilliseconds: The time that it gets to leave, above 0.
  ///   - file: The file of the marks; nil for that of the user's store.
  /// - Returns: How often it was met in the store.
  /// [any-thread]
  @discardableResult
  package static func killOutside(
    _ pid: Int32,
    limitMilliseconds: Int64 = 250,
    in file: String? = nil,
  ) -> Int {
    let deadline = ContinuousClock.now + .milliseconds(limitMilliseconds)
    var meetings = 0
    while ContinuousClock.now < deadline, kill(pid, SIGSTOP) == 0 {
      while !Machine.this.standsStill(pid), ContinuousClock.now < deadline { usleep(100) }
      guard isSet(by: pid, in: file) else { break }
      meetings += 1
      kill(pid, SIGCONT)
      usleep(500)
    }
    kill(pid, SIGKILL)
    return meetings
  }

  private static func range(_ kind: Int32, of pid: Int32) -> flock {
    var range = flock()
    range.l_type = Int16(kind)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = off_t(pid)
    range.l_len = 1
    return range
  }
}
