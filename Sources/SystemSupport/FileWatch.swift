// SPDX-License-Identifier: MIT

internal import CSystemSupport
internal import Glibc
internal import Synchronization

/// Tells when any of some files has been written or replaced, through inotify.
///
/// It watches their folders, because editors replace a file by renaming another one: a watch of the file itself would stay with the old
/// one. Changes that follow each other within ``pause`` are told once. The closure runs on a thread of the watch; everything else may be
/// called anywhere: [any-thread].
package final class FileWatch: Sendable {
  /// The reason for which files cannot be watched.
  package struct Fault: Error, Sendable, CustomStringConvertible {
    /// The system's reason.
    package let description: String
  }

  /// The time without a further change after which changes are told.
  package static let pause = Duration.milliseconds(100)
  /// The time after which they are told even while changes go on.
  private static let longestPause = Duration.seconds(1)
  /// How often a folder is looked for that is not there.
  private static let missingFolderPause = Duration.seconds(1)

  private struct State {
    /// The names of the files, by folder.
    var names: [String: Set<String>] = [:]
    /// The folders that are watched, by inotify's number.
    var folders: [Int32: String] = [:]
    var isEnded = false
  }

  private let inotify: Int32
  /// The pipe that ends the thread's wait.
  private let wake: (reading: Int32, writing: Int32)
  private let state = Mutex(State())
  private let changed: @Sendable () -> Void

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - paths: The files; they need not exist, and a symbolic link counts with the file to which it leads.
  ///   - changed: Called after changes, until ``end()``.
  /// - Returns: The watch.
  /// - Throws: ``Fault`` where the system has no watches or threads left.
  package static func start(
    _ paths: [String],
    changed: @escaping @Sendable () -> Void,
  ) throws(Fault) -> FileWatch {
    let watch = try FileWatch(changed)
    watch.follow(paths)
    guard BackgroundThread.start(name: "file-watch", { watch.run() }) else {
      throw Fault(description: "the system has no further thread")
    }
    return watch
  }

  private init(_ changed: @escaping @Sendable () -> Void) throws(Fault) {
    self.changed = changed
    inotify = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard inotify >= 0 else { throw Fault(description: Self.reason(errno)) }
    var ends: [Int32] = [-1, -1]
    let error = unsafe system_pipe(&ends)
    guard error == 0 else {
      close(inotify)
      throw Fault(description: Self.reason(error))
    }
    wake = (ends[0], ends[1])
  }

  deinit {
    close(inotify)
    close(wake.reading)
    close(wake.writing)
  }

  /// Watches other files from now on.
  package func follow(_ paths: [String]) {
    state.withLock { state in
      state.names = [:]
      for path in paths {
        for place in Set([path, Self.target(of: path)]) {
          let (folder, name) = Self.split(place)
          state.names[folder, default: []].insert(name)
        }
      }
      for (number, folder) in state.folders where state.names[folder] == nil {
        inotify_rm_watch(inotify, number)
        state.folders[number] = nil
      }
      watchFolders(&state)
    }
  }

  /// Ends the watch: the closure is not called again, but a call that has begun may go on.
  package func end() {
    state.withLock { $0.isEnded = true }
    var byte: UInt8 = 0
    _ = unsafe write(wake.writing, &byte, 1)
  }

  // MARK: - The thread

  private func run() {
    while true {
      let isComplete = state.withLock { state in
        watchFolders(&state)
        return Set(state.folders.values) == Set(state.names.keys)
      }
      wait(isComplete ? nil : Self.missingFolderPause)
      guard !isEnded else { return }
      guard takeEvents() else { continue }
      let clock = ContinuousClock()
      let limit = clock.now + Self.longestPause
      repeat { wait(Self.pause) } while takeEvents() && clock.now < limit && !isEnded
      guard !isEnded else { return }
      changed()
    }
  }

  private var isEnded: Bool { state.withLock(\.isEnded) }

  /// Waits for an event, for the end, or for a time.
  private func wait(_ duration: Duration?) {
    var polls = [
      pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = duration.map { Int32($0 / .milliseconds(1)) } ?? -1
    _ = unsafe poll(&polls, nfds_t(polls.count), milliseconds)
  }

  /// Reads all events; true if one is about a file that is watched, or if some were lost.
  private func takeEvents() -> Bool {
    var isOurs = false
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe read(inotify, &buffer, buffer.count)
      guard count > 0 else { return isOurs }
      state.withLock { state in
        for event in Self.events(in: buffer[..<count]) {
          if event.mask & UInt32(IN_IGNORED) != 0 { state.folders[event.number] = nil }
          if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isOurs = true }
          guard let folder = state.folders[event.number] else { continue }
          guard state.names[folder]?.contains(event.name) == true else { continue }
          // A new file is told once it has been written; a new link leads to one that has.
          isOurs =
            isOurs || event.mask & UInt32(IN_CREATE) == 0 || Self.isLink("\(folder)/\(event.name)")
        }
      }
    }
  }

  private func watchFolders(_ state: inout State) {
    let watched = Set(state.folders.values)
    let kinds = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ONLYDIR
    for folder in state.names.keys where !watched.contains(folder) {
      let number = unsafe inotify_add_watch(inotify, folder, UInt32(kinds))
      if number >= 0 { state.folders[number] = folder }
    }
  }

  private struct Event {
    let number: Int32
    let mask: UInt32
    let name: String
  }

  /// The events of a buffer that the system has filled: numbers of 4 bytes, and a name that ends with zeros.
  private static func events(in bytes: ArraySlice<UInt8>) -> [Event] {
    func number(at index: Int) -> UInt32 {
      // The machine's own order of bytes, as the system wrote them.
      unsafe bytes[index..<(index + 4)].withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt32.self) }
    }
    var events: [Event] = []
    var start = bytes.startIndex
    while start + 16 <= bytes.endIndex {
      let end = start + 16 + Int(number(at: start + 12))
      guard end <= bytes.endIndex else { break }
      let name = bytes[(start + 16)..<end].prefix { $0 != 0 }
      events.append(
        Event(
          number: Int32(bitPattern: number(at: start)),
          mask: number(at: start + 4),
          name: String(decoding: name, as: UTF8.self),
        )
      )
      start = end
    }
    return events
  }

  // MARK: - Paths

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }

  /// The file to which a path leads; the path itself where nothing is there.
  private static func target(of path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private static func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
