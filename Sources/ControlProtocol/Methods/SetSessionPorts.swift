// SPDX-License-Identifier: MIT

/// Gives a session a strip fed by these ports, in place of the one it has; without ports, takes it away.
public enum SetSessionPorts: ControlMethod {
  /// The name on the wire.
  public static let name = "setSessionPorts"

  /// Which ports.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String
    /// The JACK output ports that sound through its strip: names, globs or `/patterns/`.
    public var ports: [String]
    /// How many channels the strip has; 2 when left out.
    ///
    /// With category `multiRoute` they are the flat channels of all output routes, one after the other.
    public var channels: Int?

    /// Makes the parameters.
    public init(session: String, ports: [String], channels: Int? = nil) {
      self.session = session
      self.ports = ports
      self.channels = channels
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      .session,
      SessionField.list("ports", "JACK port names, globs, or /patterns/", limit: 64) { $0.ports },
      .integer("channels", in: 1...64, "2 when left out") { $0.channels },
    ]
  }

  /// What came of it.
  public struct Result: Codable, Sendable, Hashable {
    /// The id of the strip, `null` without ports.
    @OrNull public var strip: String?

    /// Makes the result.
    public init(strip: String?) { self.strip = strip }
  }
}
