// SPDX-License-Identifier: MIT

extension GraphFile {
  /// A rule for adopted clients, one entry of `adopt`.
  public struct Adoption: Sendable, Equatable {
    /// The names of the clients; nil matches any.
    public var client: NameSelector?
    /// Their programs, by path or by the name of the file; nil matches any.
    public var executable: NameSelector?
    /// The session of each client; nil leaves the clients alone.
    public var session: AppSession?
    /// The output routes on which they are heard; empty follows each client's own connections.
    public var routes: [String] = []
    /// The levels with which the strips of each client start.
    public var start = StartLevels()
    /// The strips of each client, where it has several; empty gives it one for all of its outputs.
    public var strips: [AdoptedStrip] = []
    /// The channels of each client's strip, 1…768; nil gives one to each output.
    public var channels: Int?
    /// The method for pausing a player together with its session.
    public var pause = PauseHandle.automatic
    /// The place at which displays show the level of each client's strip.
    public var meterTap = MeterTap.post
    /// The side that connects and disconnects the clients' outputs.
    public var patch = PatchSide.ours
    /// Whether it is a rule of a policy file that the graph file includes.
    public var isIncluded = false

    /// Whether it matches all clients that no other rule matches.
    public var isDefault: Bool { client == nil && executable == nil }
  }

  /// A strip for some outputs of an adopted client, one entry of `strips`.
  public struct AdoptedStrip: Sendable, Equatable {
    /// The strip's name; crossfader and cue of the graph file may name it.
    public var name: String
    /// The short names of the outputs that feed it, one for each channel.
    public var ports: [String] = []
    /// The output routes on which it is heard.
    public var routes: [String] = []
    /// The levels with which it starts.
    public var start = StartLevels()
    /// The place at which displays show its level.
    public var meterTap = MeterTap.post
  }

  /// A client or program by name, or all that a pattern matches.
  public enum NameSelector: Sendable, Equatable {
    /// The client or program of this name.
    case name(String)
    /// All clients or programs whose whole name matches.
    case pattern(PortPattern)

    /// Whether the client or program of this name matches.
    ///
    /// [any-thread]
    public func matches(_ name: String) -> Bool {
      switch self {
      case .name(let own): own == name
      case .pattern(let pattern): pattern.matches(name)
      }
    }
  }

  /// The method for pausing a player in addition to muting it; the raw value is the name in the
  /// file.
  public enum PauseHandle: String, Sendable, CaseIterable {
    /// Over MPRIS, if the player's program has it.
    case automatic = "auto"
    /// Over MPRIS.
    case mpris
    /// By stopping JACK's transport, which stops all clients that follow it.
    case transport
    /// The player is only muted.
    case none
  }

  /// The side that connects and disconnects the outputs of an adopted client; the raw value is the name in the file.
  public enum PatchSide: String, Sendable, CaseIterable {
    /// The host: it moves them from the hardware to the client's strip.
    case ours
    /// Others, such as a patch bay: the host leaves them alone.
    case theirs
  }

  /// The rule for a JACK client: the first that matches.
  ///
  /// - Parameters:
  ///   - client: The client's name.
  ///   - executable: Finds the path of its program; called only if a rule needs it.
  /// - Returns: The rule; nil if none matches.
  ///
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

/// The keys of one entry of `adopt`.
enum AdoptionKey: String, SectionKey {
  static let section = "adoption"
  case client, executable, session, routes, gain, mute, pan, levels, channels, strips, meter, pause,
    patch, leave
}

/// The keys of one entry of `strips` of an adoption.
enum AdoptedStripKey: String, SectionKey {
  static let section = "adopted strip"
  case ports, routes, gain, mute, pan, levels, meter
}

extension GraphFile.AdoptedStrip {
  /// Reads a strip.
  ///
  /// - Parameters:
  ///   - field: The entry of `strips`.
  ///   - rule: Its rule, which has the values that the strip leaves out.
  init(_ field: Field, of rule: GraphFile.Adoption) {
    self.init(name: field.name)
    meterTap = rule.meterTap
    start = rule.start
    guard let section: Section<AdoptedStripKey> = field.section() else { return }
    let allowed = "a list of short port names, such as [out_0, out_1]"
    for entry in section.required(.ports, example: "[out_0, out_1]")?.list(allowed: allowed) ?? [] {
      let port = entry.text(allowed: "the short name of an output, such as out_0") ?? ""
      if ports.contains(port) { entry.error("'\(port)' is in this list already") }
      ports.append(port)
    }
    for entry in section[.routes]?.list(allowed: "a list of output routes") ?? [] {
      routes.append(entry.graphName() ?? "")
    }
    if section[.routes] == nil { routes = rule.routes }
    start.read(section[.gain], section[.mute], section[.pan], section[.levels])
    meterTap = section[.meter]?.choice() ?? meterTap
    if routes.isEmpty {
      section.log.error(
        at: section.position,
        "adopted strip '\(name)': it has no 'routes', and neither has the rule; write 'routes: [ROUTE]'",
      )
    }
  }
}

extension GraphFile.Adoption {
  init(_ field: Field) {
    self.init()
    guard let section: Section<AdoptionKey> = field.section() else { return }
    client = section[.client]?.nameSelector(of: "a JACK client's name")
    executable = section[.executable]?.nameSelector(of: "the name or path of a program")
    if let keys: Section<AppSessionKey> = section[.session]?.section() {
      session = GraphFile.AppSession(keys)
    }
    for entry in section[.routes]?.list(allowed: "a list of output routes") ?? [] {
      routes.append(entry.graphName() ?? "")
    }
    start.read(section[.gain], section[.mute], section[.pan], section[.levels])
    channels = section[.channels]?.integer(in: 1...768)
    meterTap = section[.meter]?.choice() ?? meterTap
    for entry in section[.strips]?.namedEntries(noun: "strip", limit: 64) ?? [] {
      let field = Field(name: entry.name.name, node: entry.node, log: section.log)
      strips.append(GraphFile.AdoptedStrip(field, of: self))
    }
    if !strips.isEmpty {
      section[.channels]?.error("a rule with 'strips' has a channel for each of their ports")
    }
    pause = section[.pause]?.choice() ?? pause
    patch = section[.patch]?.choice() ?? patch
    let isLeft = section[.leave]?.flag() ?? false
    if isLeft {
      let others: [AdoptionKey] = [
        .session, .routes, .gain, .mute, .pan, .levels, .channels, .strips, .meter, .pause, .patch,
      ]
      for key in others {
        section[key]?.error("a rule with 'leave' has no such key; remove the key, or 'leave'")
      }
    } else if section[.session] == nil {
      section.log.error(
        at: section.position,
        "adoption: it has no 'session'; write 'session: {preset: player}', or 'leave: true'",
      )
    }
  }
}

extension Field {
  /// A name, or a pattern between slashes; a path has no slash at its end.
  ///
  /// A faulty selector matches no client, so that its rule does not match every client.
  fileprivate func nameSelector(of what: String) -> GraphFile.NameSelector {
    guard let text = text(allowed: "\(what) or a pattern between slashes") else { return .name("") }
    guard text.count > 1, text.hasPrefix("/"), text.hasSuffix("/") else { return .name(text) }
    do {
      return .pattern(try PortPattern(String(text.dropFirst().dropLast())))
    } catch {
      self.error("the pattern \(MessageText.quoted(text)) cannot be used: \(error.description)")
      return .name("")
    }
  }
}
