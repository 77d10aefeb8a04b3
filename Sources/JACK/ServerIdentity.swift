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
    fatalError("unwritten")
  }

  static var defaultName: String {
    guard let name = unsafe getenv("JACK_DEFAULT_SERVER"), unsafe name.pointee != 0 else {
      return "default"
    }
    return unsafe String(cString: name)
  }
}

/// Which libjack this process uses.
public enum JACKLibrary {
  /// Its version, such as `1.9.21`. [any-thread]
  public static var version: String { fatalError("unwritten") }
  /// Whether it is PipeWire's. [any-thread]
  public static var isPipeWire: Bool { fatalError("unwritten") }
}
