// SPDX-License-Identifier: MIT

extension GraphFile {
  /// The level of the way from a strip to a route.
  public struct SendLevel: Sendable, Equatable {
    /// The gain in dB, −∞…24.
    public var gainDB: Double
    /// Whether it is muted.
    public var isMuted: Bool

    /// Makes a level. [any-thread]
    ///
    /// - Parameters:
    ///   - gainDB: The gain in dB, −∞…24.
    ///   - isMuted: Whether it is muted.
    public init(gainDB: Double = 0, isMuted: Bool = false) {
      self.gainDB = gainDB
      self.isMuted = isMuted
    }
  }

  /// The levels with which the strip of an adopted client starts.
  public struct StartLevels: Sendable, Equatable {
    /// The gain of the fader in dB, −∞…24.
    public var gainDB = 0.0
    /// Whether it is muted.
    public var isMuted = false
    /// The pan, −1…1; nil for none.
    public var pan: Double?
    /// The levels of its ways to output routes, by route; 0 dB and not muted for all others.
    public var sends: [String: SendLevel] = [:]

    /// Makes the levels of a new strip: 0 dB, not muted. [any-thread]
    public init() {}
  }
}

/// The keys of one entry of `levels` of an adoption.
enum SendLevelKey: String, SectionKey {
  static let section = "level of an adoption"
  case gain, mute
}

extension GraphFile.StartLevels {
  /// Reads the values that a file has; the others stay.
  mutating func read(_ gain: Field?, _ mute: Field?, _ pan: Field?, _ levels: Field?) {
    gainDB = gain?.decibels() ?? gainDB
    isMuted = mute?.flag() ?? isMuted
    self.pan = pan?.balance() ?? self.pan
    guard let levels else { return }
    for entry in levels.namedEntries(noun: "route", limit: 64) {
      let field = Field(name: entry.name.name, node: entry.node, log: levels.log)
      guard let section: Section<SendLevelKey> = field.section() else { continue }
      var level = sends[entry.name.name] ?? GraphFile.SendLevel()
      level.gainDB = section[.gain]?.decibels() ?? level.gainDB
      level.isMuted = section[.mute]?.flag() ?? level.isMuted
      sends[entry.name.name] = level
    }
  }

  /// The same levels with other names of routes.
  func renamed(_ route: (String) -> String) -> Self {
    var levels = self
    levels.sends = Dictionary(sends.map { (route($0.key), $0.value) }) { first, _ in first }
    return levels
  }

  /// All values, in words, behind a prefix. [any-thread]
  func add(to words: inout GraphWords, prefix: String = "") {
    words.add("\(prefix)gain", GraphWords.gain(gainDB))
    words.add("\(prefix)mute", GraphWords.flag(isMuted))
    words.add("\(prefix)pan", pan.map(\.graphText))
    for (route, level) in sends.sorted(by: { $0.key < $1.key }) {
      words.add("\(prefix)levels.\(route).gain", GraphWords.gain(level.gainDB))
      words.add("\(prefix)levels.\(route).mute", GraphWords.flag(level.isMuted))
    }
  }
}
