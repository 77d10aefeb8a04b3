// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemSupport

/// The process behind a JACK client, and the program that it runs.
///
/// Pure value: [any-thread].
public struct ClientProcess: Sendable, Hashable {
  /// The process.
  public let pid: Int32
  /// The path of its program's file.
  public let executable: String

  /// The file name of its program, which rules and permissions use.
  public var program: String { Self.fileName(executable) }

  /// Makes the value from its parts.
  public init(pid: Int32, executable: String) {
    self.pid = pid
    self.executable = executable
  }

  /// Finds the process of a client of jackd or jackdbus.
  ///
  /// JACK does not report the process, but each client has a socket whose path contains its name, and
  /// /proc lists the socket's holder. If clients of several servers have one name, the right one shares
  /// memory with this process, as clients of one server do. Takes a few milliseconds.
  ///
  /// - Parameter client: The client's name, as JACK gave it.
  /// - Returns: Nil for a client of another user, of the server itself or of PipeWire, and for one that has
  ///   gone.
  ///
  /// [any-thread]
  public static func find(client: String) -> ClientProcess? {
    let sockets = Machine.this.sockets(at: "/dev/shm/jack_\(client)_\(getuid())_0")
    guard !sockets.isEmpty else { return nil }
    var holders: [Int32] = []
    // The youngest first: mostly the client has just come. Another program that a client has started may have
    // inherited its socket, but not the server's memory.
    for pid in Machine.this.processes().reversed()
    where Machine.this.process(pid, holdsOneOf: sockets) && !serverMemory(of: "\(pid)").isEmpty {
      holders.append(pid)
      if holders.count == sockets.count { break }
    }
    if holders.count > 1 {
      let own = serverMemory(of: "self")
      holders.removeAll { serverMemory(of: "\($0)").isDisjoint(with: own) }
    }
    return holders.first.flatMap(ClientProcess.init(pid:))
  }

  /// The process of that number; nil where /proc does not show its program.
  ///
  /// - Parameter pid: The process.
  ///
  /// [any-thread]
  public init?(pid: Int32) {
    guard let path = Machine.this.executable(of: pid) else { return nil }
    self.init(pid: pid, executable: path)
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

  /// The part of a path after its last slash.
  static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The memory, by device and inode, that a process shares with servers.
  private static func serverMemory(of process: String) -> Set<String> {
    // Range, rights, offset, device, inode, path.
    Set(
      Machine.this.lines("/proc/\(process)/maps").compactMap { line in
        let fields = line.split(separator: " ", omittingEmptySubsequences: true)
        guard fields.count > 5, fields[5].hasPrefix("/dev/shm/jack-"),
          fields[5] != "/dev/shm/jack-shm-registry"
        else { return nil }
        return "\(fields[3]) \(fields[4])"
      }
    )
  }
}
