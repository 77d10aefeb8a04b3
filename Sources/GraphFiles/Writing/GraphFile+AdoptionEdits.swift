// SPDX-License-Identifier: MIT

internal import Sessions
internal import YAML

/// The levels of adopted clients, which rules for one client have. [any-thread]
extension GraphFile {
  /// Whether the rules can have levels of this client alone; a name between slashes would be read as a pattern.
  public static func canName(client: String) -> Bool {
    !client.isEmpty && !(client.count > 1 && client.hasPrefix("/") && client.hasSuffix("/"))
  }

  /// The index of the file's own rule for just this client.
  func ruleIndex(ofClient client: String) -> Int? {
    adoptions.firstIndex(where: { $0.isOnly(forClient: client) })
  }

  /// Gives the rule for a client the levels of another one; where there is none for just this client, that one is put before all
  /// others.
  ///
  /// - Parameters:
  ///   - rule: A rule for just this client.
  ///   - client: The client's name.
  public mutating func take(_ rule: Adoption, ofClient client: String) {
    guard let index = ruleIndex(ofClient: client) else { return adoptions.insert(rule, at: 0) }
    guard !rule.strips.isEmpty else { return adoptions[index].start = rule.start }
    for place in adoptions[index].strips.indices {
      let name = adoptions[index].strips[place].name
      guard let strip = rule.strips.first(where: { $0.name == name }) else { continue }
      adoptions[index].strips[place].start = strip.start
    }
  }
}

extension GraphFile.Adoption {
  /// The same rule for just one client.
  ///
  /// - Parameters:
  ///   - client: The client's name.
  ///   - starts: The levels with which its strips start, one for each.
  /// - Returns: The rule. [any-thread]
  public func only(forClient client: String, starts: [GraphFile.StartLevels]) -> Self {
    var rule = self
    rule.client = .name(client)
    rule.executable = nil
    rule.isIncluded = false
    if strips.isEmpty {
      rule.start = starts.first ?? start
    } else {
      rule.start = GraphFile.StartLevels()
      for (index, start) in zip(rule.strips.indices, starts) { rule.strips[index].start = start }
    }
    return rule
  }

  /// Whether it is a rule of the file itself for just this client. [any-thread]
  public func isOnly(forClient name: String) -> Bool {
    client == .name(name) && executable == nil && session != nil && !isIncluded
  }

  /// Whether a client that goes from another rule to this one gets nothing but other levels. [any-thread]
  public func differsInLevelsOnly(from other: Self) -> Bool {
    func plain(_ rule: Self) -> Self {
      rule.only(
        forClient: "",
        starts: rule.strips.isEmpty ? [.init()] : rule.strips.map { _ in .init() }
      )
    }
    return plain(self) == plain(other)
  }

  /// The rule in flow style.
  var node: YAMLValue {
    var keys = YAMLKeys()
    if case .name(let name)? = client { keys.add("client", .word(name)) }
    keys.add("session", session?.node)
    if !routes.isEmpty { keys.add("routes", .list(routes.map(YAMLValue.word))) }
    keys.add(start, unlike: GraphFile.StartLevels())
    keys.add("channels", channels.map { YAMLValue("\($0)") })
    if !strips.isEmpty {
      keys.add("strips", .keys(strips.map { (YAMLValue.word($0.name), $0.node(in: self)) }))
    }
    keys.add("meter", meterTap.rawValue, unless: GraphFile.MeterTap.post.rawValue)
    keys.add("pause", pause.rawValue, unless: GraphFile.PauseHandle.automatic.rawValue)
    keys.add("patch", patch.rawValue, unless: GraphFile.PatchSide.ours.rawValue)
    return keys.node
  }

  /// The same rule with its levels as precise as edits have them.
  var rounded: Self {
    var rule = self
    rule.start = start.rounded
    for index in strips.indices { rule.strips[index].start = strips[index].start.rounded }
    return rule
  }
}

extension GraphFile.AdoptedStrip {
  fileprivate func node(in rule: GraphFile.Adoption) -> YAMLValue {
    var keys = YAMLKeys()
    keys.add("ports", .list(ports.map(YAMLValue.word)))
    if routes != rule.routes { keys.add("routes", .list(routes.map(YAMLValue.word))) }
    keys.add(start, unlike: rule.start)
    keys.add("meter", meterTap.rawValue, unless: rule.meterTap.rawValue)
    return keys.node
  }
}

extension GraphFile.AppSession {
  fileprivate var node: YAMLValue {
    var keys = YAMLKeys()
    keys.add("preset", preset.map { YAMLValue($0.rawValue) })
    keys.add("category", category.map { YAMLValue($0.name) })
    keys.add("mode", mode.name, unless: Mode.default.name)
    if !options.isEmpty { keys.add("options", .list(options.map { YAMLValue($0.name) })) }
    keys.add("class", priorityClass.rawValue, unless: PriorityClass.app.rawValue)
    keys.add("music", music.map { YAMLValue($0.rawValue) })
    return keys.node
  }
}

/// The keys of a mapping that a file is to have, in their order.
private struct YAMLKeys {
  private var keys: [(YAMLValue, YAMLValue)] = []

  var node: YAMLValue { .keys(keys) }

  mutating func add(_ key: String, _ value: YAMLValue?) {
    if let value { keys.append((YAMLValue(key), value)) }
  }

  mutating func add(_ key: String, _ word: String, unless standard: String) {
    if word != standard { add(key, YAMLValue(word)) }
  }

  /// Adds the levels that differ from those that the strip has anyway.
  mutating func add(_ start: GraphFile.StartLevels, unlike standard: GraphFile.StartLevels) {
    for (key, value) in start.values(unlike: standard) { add(key, value.node) }
    let sends = start.sends.filter { $0.value != standard.sends[$0.key] }
    guard !sends.isEmpty else { return }
    let nodes = sends.sorted { $0.key < $1.key }.map { route, level in
      var keys = YAMLKeys()
      for (key, value) in level.values { keys.add(key, value.node) }
      return (YAMLValue.word(route), keys.node)
    }
    add("levels", .keys(nodes))
  }
}

extension GraphFile.StartLevels {
  /// The same levels as precise as edits have them.
  fileprivate var rounded: Self {
    func gain(_ decibels: Double) -> Double {
      if case .gain(let gain) = GraphEdit.Value.gain(decibels).rounded { gain } else { decibels }
    }
    var levels = self
    levels.gainDB = gain(gainDB)
    if let pan, case .pan(let pan) = GraphEdit.Value.pan(pan).rounded { levels.pan = pan }
    levels.sends = sends.mapValues {
      GraphFile.SendLevel(gainDB: gain($0.gainDB), isMuted: $0.isMuted)
    }
    return levels
  }
}
