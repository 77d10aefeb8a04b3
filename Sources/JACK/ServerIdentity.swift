// SPDX-License-Identifier: MIT

internal import Glibc

/// Which server answers under a name.
public struct ServerIdentity: Sendable, Hashable {
  /// Which program serves.
  public enum Kind: String, Sendable, Hashable {
    /// The plain server.
    case jackd
    /// The server with a D-Bus interface.
    case jackdbus
    /// PipeWire.
    case pipewire
    /// Another program, or nothing could be found out.
    case unknown
  }

  /// The server's name.
  public let name: String
  /// Which program serves.
  public let kind: Kind
  /// Its process id, where it can be found.
  public let pid: Int32?
  /// Its driver, such as `alsa`, where its command line tells.
  public let driver: String?
  /// Whether it waits for all clients in each cycle; nil where that cannot be found out.
  public let isSynchronous: Bool?

  /// What can be found out about the server of a name. [any-thread]
  ///
  /// - Parameter name: Nil stands for $JACK_DEFAULT_SERVER, or `default`.
  /// - Returns: What was found, with `unknown` and nil for the rest.
  public static func find(name: String? = nil) -> ServerIdentity {
    let name = name ?? defaultName
    if JACKLibrary.isPipeWire {
      return ServerIdentity(
        name: name,
        kind: .pipewire,
        pid: nil,
        driver: nil,
        isSynchronous: nil,
      )
    }
    guard let pid = ServerSocket.inode(server: name).flatMap(ServerSocket.pid(inode:)) else {
      return ServerIdentity(name: name, kind: .unknown, pid: nil, driver: nil, isSynchronous: nil)
    }
    let arguments = (TextFile.read("/proc/\(pid)/cmdline") ?? "").split(separator: "\0")
      .map(String.init)
    return ServerIdentity(name: name, pid: pid, commandLine: arguments)
  }

  static var defaultName: String {
    guard let name = unsafe getenv("JACK_DEFAULT_SERVER"), unsafe name.pointee != 0 else {
      return "default"
    }
    return unsafe String(cString: name)
  }
}

extension ServerIdentity {
  /// Reads a server's command line, the program first.
  init(name: String, pid: Int32, commandLine: [String]) {
    let program = commandLine.first?.split(separator: "/").last.map(String.init) ?? ""
    let kind: Kind =
      switch program {
      case "jackd", "jackdmp": .jackd
      case "jackdbus": .jackdbus
      default: .unknown
      }
    // Before the driver's name come the server's own arguments, after it the driver's.
    let driverFlag = commandLine.firstIndex { $0.hasPrefix("-d") || $0 == "--driver" }
    let serverArguments = commandLine[..<(driverFlag ?? commandLine.endIndex)]
    let driver: String? = driverFlag.flatMap { index in
      let flag = commandLine[index]
      if flag != "-d", flag != "--driver" { return String(flag.dropFirst(2)) }
      return index + 1 < commandLine.count ? commandLine[index + 1] : nil
    }
    self.init(
      name: name,
      kind: kind,
      pid: pid,
      driver: driver,
      isSynchronous: kind == .jackd
        ? serverArguments.contains("-S") || serverArguments.contains("--sync") : nil,
    )
  }
}
