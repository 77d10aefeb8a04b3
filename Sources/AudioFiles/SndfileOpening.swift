// SPDX-License-Identifier: MIT

internal import CSndfile
internal import Glibc
internal import Synchronization

/// Opens files with libsndfile, one at a time.
///
/// libsndfile keeps the reason of a refusal in one variable of the process, which every other opening clears. And it closes
/// the descriptor of a file that it refuses, also where it is told to leave it open, so it gets one of its own.
/// [any-thread]
enum SndfileOpening {
  /// Why a file could not be opened.
  struct Refusal: Error {
    /// The reason in libsndfile's words.
    var reason: String
    /// The system's error, such as ENOSPC; 0 without one.
    var systemCode: Int32
  }

  private static let gate = Mutex(())

  /// Opens a file through its descriptor, which stays the caller's.
  ///
  /// - Parameters:
  ///   - descriptor: The open file; libsndfile reads or writes from its present position.
  ///   - mode: `SFM_READ` or `SFM_WRITE`.
  ///   - info: The format; read from the file, or wanted for it.
  /// - Returns: The file for libsndfile's calls.
  /// - Throws: ``Refusal``.
  static func open(
    _ descriptor: Int32,
    _ mode: Int32,
    _ info: inout SF_INFO,
  ) throws(Refusal) -> OpaquePointer {
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else {
      throw Refusal(reason: unsafe String(cString: strerror(errno)), systemCode: errno)
    }
    var refusal = Refusal(reason: "", systemCode: 0)
    let handle = unsafe gate.withLock { _ -> OpaquePointer? in
      errno = 0
      let handle = unsafe sf_open_fd(own, mode, &info, Int32(SF_TRUE))
      if unsafe handle == nil {
        refusal.systemCode = errno
        refusal.reason = unsafe String(cString: sf_strerror(nil))
      }
      return unsafe handle
    }
    guard let handle = unsafe handle else { throw refusal }
    return unsafe handle
  }
}
