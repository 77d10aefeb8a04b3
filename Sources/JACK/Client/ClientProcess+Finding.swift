// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemSupport

/// The process of a client, by the sockets between it and its server. [any-thread]
extension ClientProcess {
  /// Finds the process of a client of jackd or jackdbus.
  ///
  /// JACK does not report the process, but the server connects itself to a socket of each client, whose path contains the
  /// client's name. The kernel tells the server's end of that connection which process has called listen(2) for it. Where
  /// this process is no client, or may not look at the server's sockets, it is the oldest process that /proc shows with a
  /// descriptor of that socket. Takes a few milliseconds.
  ///
  /// - Parameter client: The client's name, as JACK gave it.
  /// - Returns: Nil for a client of another user, of the server itself or of PipeWire, for one that has gone, and for one that
  ///   two processes could be. Its program is nil for a process that hides it.
  ///
  /// [any-thread]
  public static func find(client: String) -> ClientProcess? {
    let path = socketPath(ofClient: client)
    var isServerSeen = false
    for server in ownServers() {
      guard let peers = Machine.this.peers(of: server) else { continue }
      isServerSeen = true
      let found = Set(peers.filter { $0.path == path }.map(\.pid))
      // JACK makes one path of the names `a/b` and `a_b`.
      guard found.count < 2 else { return nil }
      if let pid = found.first { return listener(pid, at: path) }
    }
    return isServerSeen ? nil : oldestHolder(ofSocketAt: path)
  }

  /// The oldest process of this server that /proc shows with a descriptor of a socket of this path.
  ///
  /// A child that inherited the socket is younger than its parent. A process that hides its descriptors is not seen.
  static func oldestHolder(ofSocketAt path: String) -> ClientProcess? {
    let sockets = Machine.this.sockets(at: path)
    guard !sockets.isEmpty else { return nil }
    let own = serverMemory(of: "self")
    let holders = Machine.this.processes().filter { pid in
      guard Machine.this.process(pid, holdsOneOf: sockets) else { return false }
      let memory = serverMemory(of: "\(pid)")
      return own.isEmpty ? !memory.isEmpty : !memory.isDisjoint(with: own)
    }
    // Ids are used again, so the lowest one need not be the oldest process.
    let oldest = holders.min { first, second in
      (Machine.this.startTicks(of: first) ?? .max, first)
        < (Machine.this.startTicks(of: second) ?? .max, second)
    }
    return oldest.flatMap(ClientProcess.init(pid:))
  }

  /// The path of the socket at which a client waits for its server: JACK replaces slashes.
  static func socketPath(ofClient client: String) -> String {
    let name = String(client.map { $0 == "/" || $0 == "\\" ? "_" : $0 })
    return "/dev/shm/jack_\(name)_\(getuid())_0"
  }

  /// The process that the server talks to; nil if it has passed its socket on and ended, so that its id may be another's.
  private static func listener(_ pid: Int32, at path: String) -> ClientProcess? {
    guard pid > 0, let process = ClientProcess(pid: pid) else { return nil }
    // A process that hides its program hides its descriptors and its memory as well.
    guard process.executable != nil else { return process }
    guard Machine.this.process(pid, holdsOneOf: Machine.this.sockets(at: path)),
      !serverMemory(of: "\(pid)").isDisjoint(with: serverMemory(of: "self"))
    else { return nil }
    return process
  }

  /// The servers that this process is a client of: those that listen where its sockets are connected to.
  private static func ownServers() -> [Int32] {
    let ending = "_\(getuid())_0"
    let peers = Machine.this.peers(of: getpid()) ?? []
    return Set(
      peers.filter { $0.path.hasPrefix("/dev/shm/jack_") && $0.path.hasSuffix(ending) }.map(\.pid)
    )
    .sorted()
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
