// SPDX-License-Identifier: MIT

internal import ControlSocket
internal import FoundationEssentials
internal import Glibc
internal import GraphFiles
internal import JACK
internal import SystemSupport

/// The place of a host's one guard: a lock, the word by which the guard knows the next host, and a socket for that host.
///
/// All are files of the folder of the control sockets, which belongs to the user and has mode 0700. No symbolic link is
/// followed. The file `NAME.guard` is locked; it contains the guard's process id and its token, with mode 0600. A program that can read
/// the token may end the guard: any of the user's own. A JACK client of the host's name cannot.
///
/// Used by one thread at a time: [any-thread].
final class GuardSeat {
  /// A message of the next host.
  enum Call: Equatable {
    /// That host's process has begun to attach.
    case host(pid: Int32)
    /// Another guard takes over.
    case end
  }

  private static let tokenBytes = 16
  private static let messageLimit = 128
  private static let graceNanoseconds: UInt64 = 300_000_000
  private static let lookMicroseconds: UInt32 = 20_000

  private let folder: Int32
  private let lock: Int32
  private let socketName: String
  /// The descriptor for calls; −1 before ``listen(token:)``.
  private var socket: Int32 = -1
  private var token = ""

  /// Opens the files of a host's guard; nil where the folder is not the user's own, or the file is a link or no regular file.
  ///
  /// - Parameters:
  ///   - host: The host's name.
  ///   - path: The folder of the control sockets.
  init?(host: String, directory path: String = SocketPath.directory()) {
    guard (try? SocketPath.path(hostName: host, directory: path)) != nil else { return nil }
    guard (try? SocketDirectory.prepare(path)) != nil else { return nil }
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let lock = unsafe openat(folder, "\(host).guard", flags, 0o600)
    guard lock >= 0 else {
      close(folder)
      return nil
    }
    guard Self.isOwn(folder, S_IFDIR), Self.isOwn(lock, S_IFREG), fchmod(lock, 0o600) == 0 else {
      close(lock)
      close(folder)
      return nil
    }
    self.folder = folder
    self.lock = lock
    socketName = "\(host).guard-call"
  }

  deinit {
    if socket >= 0 {
      _ = unsafe unlinkat(folder, socketName, 0)
      close(socket)
    }
    close(lock)
    close(folder)
  }

  private static func isOwn(_ descriptor: Int32, _ kind: mode_t) -> Bool {
    var facts = stat()
    return unsafe fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == kind
      && facts.st_uid == geteuid() && (kind == S_IFDIR || facts.st_nlink == 1)
  }

  /// A word that nobody can guess.
  static func newToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<tokenBytes).map { _ in
      let byte = UInt8.random(in: .min ... .max, using: &random)
      return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }

  // MARK: - The guard's side

  /// Takes the seat, from an older guard if need be, which is asked to end, and killed where it does not.
  func take() {
    let begunNanoseconds = HostClock.nowNanoseconds()
    var isAsked = false
    while flock(lock, LOCK_EX | LOCK_NB) != 0 {
      // Only whoever holds the lock has its id in there.
      if let holder = ProcessNumber.read(from: lock) {
        let isLate = HostClock.nowNanoseconds() - begunNanoseconds > Self.graceNanoseconds
        if isLate || StoppedProcess.isStopped(holder) {
          MetadataMark.killOutside(holder)
        } else if !isAsked {
          isAsked = call("end")
        }
      }
      // Wall time, between two looks at another process.
      usleep(2_000)
    }
    write("\(getpid())\n")
  }

  /// Keeps the token for the next host, and listens for it.
  func listen(token new: String) {
    guard new != token else { return }
    token = new
    write("\(getpid())\n\(token)\n")
    guard socket < 0 else { return }
    _ = unsafe unlinkat(folder, socketName, 0)
    let descriptor = Self.newSocket()
    guard descriptor >= 0 else { return }
    fchmod(descriptor, 0o600)
    let isBound = unsafe withAddress { address, size in
      unsafe bind(descriptor, address, size) == 0
    }
    guard isBound else {
      close(descriptor)
      return
    }
    socket = descriptor
  }

  /// Waits for a call of the next host that knows the token, at most for `limitMilliseconds`.
  func receive(limitMilliseconds: Int32) -> Call? {
    guard socket >= 0 else {
      // Wall time, as `poll` would wait for a call.
      usleep(UInt32(limitMilliseconds) * 1_000)
      return nil
    }
    var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&waiting, 1, limitMilliseconds) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Self.messageLimit)
    let count = unsafe recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    guard count > 0 else { return nil }
    return Self.call(String(decoding: bytes[..<count], as: UTF8.self), token: token)
  }

  /// Reads a message; nil for one without the token.
  ///
  /// Pure function: [any-thread].
  static func call(_ message: String, token: String) -> Call? {
    let words = message.split(separator: " ")
    guard !token.isEmpty, words.count >= 2, words[1] == token else { return nil }
    switch (words[0], words.count) {
    case ("end", 2): return .end
    case ("host", 3): return Int32(words[2]).map { .host(pid: $0) }
    default: return nil
    }
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    ftruncate(lock, 0)
    _ = unsafe pwrite(lock, bytes, bytes.count, 0)
  }

  // MARK: - The next host's side

  /// Tells the guard of a dead host that this process is the next host, before it attaches.
  ///
  /// The guard leaves its clients alone from now on. A stopped guard is killed, because its JACK client would hold up each
  /// one that is opened; also one that stops only later, while this host attaches.
  static func announce(host: String, directory: String = SocketPath.directory()) {
    guard let seat = GuardSeat(host: host, directory: directory), let holder = seat.otherHolder
    else { return }
    _ = seat.call("host", "\(getpid())")
    if StoppedProcess.isStopped(holder) {
      MetadataMark.killOutside(holder)
      return
    }
    _ = BackgroundThread.start(name: "guard-seat") {
      guard let seat = GuardSeat(host: host, directory: directory) else { return }
      while seat.otherHolder == holder {
        if StoppedProcess.isStopped(holder) {
          MetadataMark.killOutside(holder)
          return
        }
        // Wall time, between two looks at another process.
        usleep(Self.lookMicroseconds)
      }
    }
  }

  /// The process that has the seat; nil where nobody has it.
  private var otherHolder: Int32? {
    guard flock(lock, LOCK_EX | LOCK_NB) != 0 else {
      flock(lock, LOCK_UN)
      return nil
    }
    return ProcessNumber.read(from: lock)
  }

  /// Ends the guard of a dead host, because this host needs none; returns at once.
  static func relieve(_ configuration: HostConfiguration) {
    let host = configuration.graph.name
    _ = BackgroundThread.start(name: "guard-seat") { GuardSeat(host: host)?.take() }
  }

  /// Sends the guard a message with the token of its file.
  ///
  /// - Returns: Whether it went out.
  private func call(_ verb: String, _ rest: String...) -> Bool {
    let lines = ProcessNumber.lines(of: lock)
    guard lines.count > 1 else { return false }
    let descriptor = Self.newSocket()
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let message = Array(([verb, lines[1]] + rest).joined(separator: " ").utf8)
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    return unsafe withAddress { address, size in
      unsafe sendto(descriptor, message, message.count, flags, address, size) == message.count
    }
  }

  private static func newSocket() -> Int32 {
    let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    return Glibc.socket(AF_UNIX, type, 0)
  }

  /// The socket's address, over the open folder, so that neither links nor the length of the path matter.
  private func withAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      for (index, byte) in "/proc/self/fd/\(folder)/\(socketName)".utf8.prefix(bytes.count - 1)
        .enumerated()
      {
        unsafe bytes[index] = byte
      }
    }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
