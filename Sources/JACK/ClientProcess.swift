// SPDX-License-Identifier: MIT

internal import Glibc

/// The process behind a JACK client, and the program that it runs.
public struct ClientProcess: Sendable, Hashable {
  /// The process.
  public let pid: Int32
  /// The path of its program's file.
  public let executable: String

  /// The name of its program's file, by which rules and permissions know it.
  public var program: String { Self.fileName(executable) }

  /// Makes the value from its parts.
  public init(pid: Int32, executable: String) {
    self.pid = pid
    self.executable = executable
  }

  /// Finds the process of a client of jackd or jackdbus.
  ///
  /// Neither tells whose a client is, but each client has a socket of its own, whose path is made of its
  /// name, and /proc tells who holds it. Where clients of several servers have one name, the one counts
  /// that shares memory with this process, as clients of one server do. Takes a few milliseconds.
  ///
  /// - Parameter client: The client's name, as JACK gave it.
  /// - Returns: Nil for a client of another user, of the server itself or of PipeWire, and for one that has
  ///   gone.
  ///
  /// [any-thread]
  public static func find(client: String) -> ClientProcess? {
    let targets = Set(ClientSocket.inodes(client: client).map { "socket:[\($0)]" })
    guard !targets.isEmpty else { return nil }
    var holders: [Int32] = []
    // The youngest first: mostly the client has just come.
    for pid in TextFile.names(in: "/proc").compactMap(Int32.init).sorted(by: >)
    where ClientSocket.holds(pid: pid, oneOf: targets) {
      holders.append(pid)
      if holders.count == targets.count { break }
    }
    if holders.count > 1 {
      let own = ClientSocket.serverMemory(of: "self")
      holders.removeAll { ClientSocket.serverMemory(of: "\($0)").isDisjoint(with: own) }
    }
    return holders.first.flatMap(ClientProcess.init(pid:))
  }

  /// The process of that number, where /proc tells its program.
  ///
  /// - Parameter pid: The process.
  ///
  /// [any-thread]
  public init?(pid: Int32) {
    guard let path = TextFile.link("/proc/\(pid)/exe") else { return nil }
    // A program that was updated while it runs.
    let deleted = " (deleted)"
    self.init(
      pid: pid,
      executable: path.hasSuffix(deleted) ? String(path.dropLast(deleted.count)) : path,
    )
  }

  /// The name of a client without the number that JACK puts behind a name that is taken: `mpv-01`.
  ///
  /// [any-thread]
  public static func baseName(ofClient client: String) -> String {
    let number = client.suffix(3)
    guard client.utf8.count > 3, number.first == "-",
      number.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber })
    else { return client }
    return String(client.dropLast(3))
  }

  /// What stands behind the last slash of a path.
  static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// The socket over which a server talks to a client.
private enum ClientSocket {
  /// The inodes of the sockets of this user's clients of a name, on whatever server.
  static func inodes(client: String) -> [String] {
    let path = " /dev/shm/jack_\(client)_\(getuid())_0"
    guard let sockets = TextFile.read("/proc/net/unix") else { return [] }
    return sockets.split(separator: "\n").filter { $0.hasSuffix(path) }.compactMap { line in
      let fields = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
      return fields.count == 8 ? String(fields[6]) : nil
    }
  }

  /// Whether a process holds one of some sockets, named as its descriptors link to them.
  static func holds(pid: Int32, oneOf targets: Set<String>) -> Bool {
    let folder = "/proc/\(pid)/fd"
    return TextFile.names(in: folder).contains { name in
      TextFile.link("\(folder)/\(name)").map(targets.contains) ?? false
    }
  }

  /// The memory, by device and inode, that a process shares with servers.
  static func serverMemory(of process: String) -> Set<String> {
    let maps = TextFile.read("/proc/\(process)/maps") ?? ""
    // Range, rights, offset, device, inode, path.
    return Set(
      maps.split(separator: "\n").compactMap { line in
        let fields = line.split(separator: " ", omittingEmptySubsequences: true)
        guard fields.count > 5, fields[5].hasPrefix("/dev/shm/jack-"),
          fields[5] != "/dev/shm/jack-shm-registry"
        else { return nil }
        return "\(fields[3]) \(fields[4])"
      }
    )
  }
}
