// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemSupport

/// Program, process and driver behind a server's name.
///
/// Pure value: [any-thread].
public struct ServerIdentity: Sendable, Hashable {
  /// The serving program.
  public enum Kind: String, Sendable, Hashable {
    /// The plain server.
    case jackd
    /// The server with a D-Bus interface.
    case jackdbus
    /// PipeWire.
    case pipewire
    /// Another program, or one that cannot be found out.
    case unknown
  }

  /// The server's name.
  public let name: String
  /// The serving program.
  public let kind: Kind
  /// Its process id, where it can be found.
  public let pid: Int32?
  /// Its driver, such as `alsa`, where its command line shows it.
  public let driver: String?
  /// Whether it waits for all clients in each cycle; nil where that cannot be found out.
  public let isSynchronous: Bool?

  /// Program, process and driver of the server of a name, as far as the system shows them. [any-thread]
  ///
  /// - Parameter name: Nil stands for $JACK_DEFAULT_SERVER, or `default`.
  /// - Returns: The findings, with `unknown` and nil for the rest.
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
    guard let pid = ServerSocket.find(server: name).flatMap(ServerSocket.pid) else {
      return ServerIdentity(name: name, kind: .unknown, pid: nil, driver: nil, isSynchronous: nil)
    }
    return ServerIdentity(name: name, pid: pid, commandLine: Machine.this.commandLine(of: pid))
  }

  /// Whether a server of a name waits for clients; true for PipeWire, of which that is not seen. [any-thread]
  public static func isListening(name: String) -> Bool {
    JACKLibrary.isPipeWire || ServerSocket.find(server: name) != nil
  }

  /// $JACK_DEFAULT_SERVER, or `default`.
  static var defaultName: String { Machine.variable("JACK_DEFAULT_SERVER") ?? "default" }
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

/// The socket at which jackd and jackdbus wait for clients. [any-thread]
enum ServerSocket {
  /// The listening socket of this user's server; nil without one.
  static func find(server: String) -> Machine.Socket? {
    Machine.this.sockets(at: "/dev/shm/jack_\(server)_\(getuid())_0").first(where: \.isListening)
  }

  /// The process that holds a socket; only this user's processes are seen, and those of all as root.
  static func pid(of socket: Machine.Socket) -> Int32? {
    Machine.this.processes().first { pid in
      Machine.this.name(of: pid)?.hasPrefix("jack") == true
        && Machine.this.process(pid, holdsOneOf: [socket])
    }
  }
}
