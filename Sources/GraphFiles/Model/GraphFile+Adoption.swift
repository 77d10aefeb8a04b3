// SPDX-License-Identifier: MIT

extension GraphFile {
  /// Which JACK clients are given a session, one entry of `adopt`.
  public struct Adoption: Sendable, Equatable {
    /// The clients' names.
    public var client: ClientSelector
    /// The session of each; nil leaves them alone.
    public var session: AppSession?
    /// The output routes they are heard on; empty for those of their category.
    public var routes: [String] = []
    /// The gain of each one's fader in dB, −∞…24.
    public var gainDB = 0.0
    /// How many channels each one's outputs are mixed to, 1…64.
    public var channels = 2
  }

  /// A JACK client by name, or every one that a pattern matches.
  public enum ClientSelector: Sendable, Equatable {
    /// The client of this name.
    case name(String)
    /// Every client whose whole name matches.
    case pattern(PortPattern)

    /// Whether the client of this name is meant.
    ///
    /// [any-thread]
    public func matches(_ client: String) -> Bool {
      switch self {
      case .name(let name): name == client
      case .pattern(let pattern): pattern.matches(client)
      }
    }
  }

  /// The rule for a JACK client: the first that matches.
  ///
  /// [any-thread]
  public func adoption(of client: String) -> Adoption? {
    adoptions.first { $0.client.matches(client) }
  }
}
