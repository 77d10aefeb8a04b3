// SPDX-License-Identifier: MIT

extension GraphFile {
  /// Which JACK clients are given a session, one entry of `adopt`.
  public struct Adoption: Sendable, Equatable {
    /// The clients' names; nil for any.
    public var client: NameSelector?
    /// Their programs, by path or by the name of the file; nil for any.
    public var executable: NameSelector?
    /// The session of each; nil leaves them alone.
    public var session: AppSession?
    /// The output routes they are heard on; empty for where each connects itself.
    public var routes: [String] = []
    /// The gain of each one's fader in dB, −∞…24.
    public var gainDB = 0.0
    /// How many channels each one's outputs are mixed to, 1…64; nil for one for each output.
    public var channels: Int?
    /// How a player is really paused where its session pauses it.
    public var pause = PauseHandle.automatic

    /// Whether it is for all clients that no other rule matches.
    public var isDefault: Bool { client == nil && executable == nil }
  }

  /// A client or program by name, or every one that a pattern matches.
  public enum NameSelector: Sendable, Equatable {
    /// The one of this name.
    case name(String)
    /// Every one whose whole name matches.
    case pattern(PortPattern)

    /// Whether the one of this name is meant.
    ///
    /// [any-thread]
    public func matches(_ name: String) -> Bool {
      switch self {
      case .name(let own): own == name
      case .pattern(let pattern): pattern.matches(name)
      }
    }
  }

  /// How a player is really paused, beside being muted; the raw value is the name in the file.
  public enum PauseHandle: String, Sendable, CaseIterable {
    /// Over MPRIS, where the player's program has it.
    case automatic = "auto"
    /// Over MPRIS.
    case mpris
    /// By stopping JACK's transport, which stops all that follow it.
    case transport
    /// Not at all.
    case none
  }

  /// The rule for a JACK client: the first that matches.
  ///
  /// - Parameters:
  ///   - client: The client's name.
  ///   - executable: Finds the path of its program; called only where a rule asks for it.
  /// - Returns: Nil where no rule matches.
  ///
  /// [any-thread]
  public func adoption(of client: String, executable: () -> String?) -> Adoption? {
    var path: String??
    return adoptions.first { rule in
      if let selector = rule.client, !selector.matches(client) { return false }
      guard let selector = rule.executable else { return true }
      let known = path ?? executable()
      path = .some(known)
      guard let known else { return false }
      let file = known.split(separator: "/").last.map(String.init) ?? known
      return selector.matches(file) || selector.matches(known)
    }
  }
}
