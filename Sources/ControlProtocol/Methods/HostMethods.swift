// SPDX-License-Identifier: MIT

internal import Sessions

/// Agrees on a protocol version, and exchanges descriptions.
///
/// It is optional: a connection that never says hello speaks the current version.
///
/// Pure value: [any-thread].
public enum Hello: ControlMethod {
  /// The name on the wire.
  public static let name = "hello"

  /// The client's description of itself.
  public struct Params: ControlParams {
    /// The program's name, for the log.
    public var client: String
    /// The protocol versions it can speak.
    public var versions: [Int]
    /// The role that it asks for; left out by a client that leaves it to the host.
    @NamedIfPresent public var role: ClientRole?

    /// Makes the parameters.
    public init(
      client: String,
      versions: [Int] = ProtocolVersion.supported,
      role: ClientRole? = nil,
    ) {
      self.client = client
      self.versions = versions
      self.role = role
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      ParamField("client", allowed: "the program's name, 1 to 128 bytes of UTF-8") {
        (1...128).contains($0.client.utf8.count) ? nil : "it has \($0.client.utf8.count) bytes"
      },
      ParamField("versions", allowed: "1 to 32 protocol versions, whole numbers", isWhole: true) {
        (1...32).contains($0.versions.count) ? nil : "there are \($0.versions.count)"
      },
      ParamField("role", allowed: ClientRole.allowed),
    ]
  }

  /// The host's description of itself.
  public struct Result: Codable, Sendable, Hashable {
    /// The highest version that both speak.
    public var version: Int
    /// The host's name, which is also its socket's.
    public var host: String
    /// The host's process id.
    public var pid: Int32
    /// The version of the host program.
    public var hostVersion: String
    /// The names of the methods it has, sorted.
    public var capabilities: [String]
    /// The role that the host gives the connection; nil from a host that knows no roles.
    public var role: ClientRole?

    /// Makes the result.
    public init(
      version: Int,
      host: String,
      pid: Int32,
      hostVersion: String,
      capabilities: [String],
      role: ClientRole? = nil,
    ) {
      self.version = version
      self.host = host
      self.pid = pid
      self.hostVersion = hostVersion
      self.capabilities = capabilities
      self.role = role
    }
  }
}

/// Returns the state of the whole host, read at one moment.
public enum GetStatus: ControlMethod {
  /// The name on the wire.
  public static let name = "status"
  /// It takes no parameters.
  public typealias Params = NoParams
  /// It answers everything.
  public typealias Result = HostStatus
}

/// Fades everything out and ends the host; the answer comes before the fade.
///
/// Pure value: [any-thread].
public enum Stop: ControlMethod {
  /// The name on the wire.
  public static let name = "stop"

  /// The end of the host is the end of everybody's sound.
  public static func access(of params: Params) -> MethodAccess { .users }

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The fade's length; the host's default when `nil`.
    public var fadeMilliseconds: Double?

    /// Makes the parameters.
    public init(fadeMilliseconds: Double? = nil) { self.fadeMilliseconds = fadeMilliseconds }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      .number("fadeMilliseconds", in: 0...60_000, "milliseconds (left out: the host's default)") {
        $0.fadeMilliseconds
      }
    ]
  }

  /// The empty result.
  public typealias Result = NoResult
}
