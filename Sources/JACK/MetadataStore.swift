// SPDX-License-Identifier: MIT

internal import Glibc

/// The Berkeley DB in which libjack keeps the metadata of all servers of a user.
enum MetadataStore {
  private static let folder = "/dev/shm/jack_db-\(getuid())"

  /// What Berkeley DB is to do otherwise than libjack has it do, a line for each of its settings.
  private static let settings = [
    // A client that is killed leaves its mutexes behind, and after some 146 of them nobody can set a property any
    // more. Counts for who opens the store first.
    "mutex_set_max 100000",
    // Two that write, or one that writes and one that reads, can wait for each other for ever, and then everybody
    // who opens a client waits behind them. Whoever waits then looks for that, and has a writer give way, which is
    // told so and can try again. Counts for all from the moment in which one has opened the store with it.
    "set_lk_detect DB_LOCK_MAXWRITE",
  ]

  /// Puts the settings where Berkeley DB looks for them; to be called before libjack opens the store.
  static func prepare() {
    guard !JACKLibrary.isPipeWire else { return }
    // A folder that is there or cannot be made is no fault of ours: whether it can be used, libjack says.
    _ = unsafe mkdir(folder, S_IRWXU)
    let file = unsafe open(
      "\(folder)/DB_CONFIG",
      O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC,
      S_IRUSR | S_IWUSR,
    )
    guard file >= 0 else { return }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let length = unsafe read(file, &bytes, bytes.count)
    let present = String(decoding: bytes.prefix(max(0, length)), as: UTF8.self)
      .split(separator: "\n")
    let missing = settings.filter { line in !present.contains { $0 == line } }
    guard !missing.isEmpty else { return }
    let text = missing.joined(separator: "\n") + "\n"
    _ = unsafe write(file, text, text.utf8.count)
  }

  /// Does something that writes into the store, again where it had to give way to others.
  ///
  /// libjack says only that it has failed, so what fails for another reason is tried again, too.
  ///
  /// - Parameter body: A call of libjack that returns 0 where it has worked.
  /// - Returns: Whether it has worked.
  static func change(_ body: () -> Int32) -> Bool {
    for _ in 0..<attempts where body() == 0 { return true }
    return false
  }

  private static let attempts = 5
}
