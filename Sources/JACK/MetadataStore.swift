// SPDX-License-Identifier: MIT

internal import Glibc

/// The Berkeley DB in which libjack keeps the metadata of all servers of a user.
enum MetadataStore {
  private static let folder = "/dev/shm/jack_db-\(getuid())"

  /// Makes room in a store that nobody has opened yet; to be called before libjack or jackd does.
  ///
  /// A client that is killed leaves its mutexes behind, and after some 146 of them nobody can set a property any
  /// more. The size is settled by who opens the store first, from a file of Berkeley DB's own beside it.
  static func makeRoom() {
    guard !JACKLibrary.isPipeWire else { return }
    // A folder that is there or cannot be made is no fault of ours: whether it can be used, libjack says.
    _ = unsafe mkdir(folder, S_IRWXU)
    guard unsafe access("\(folder)/__db.001", F_OK) != 0 else { return }
    let settings = "mutex_set_max 100000\n"
    let file = unsafe open(
      "\(folder)/DB_CONFIG",
      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
      S_IRUSR | S_IWUSR,
    )
    guard file >= 0 else { return }
    _ = unsafe write(file, settings, settings.utf8.count)
    close(file)
  }
}
