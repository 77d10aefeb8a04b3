// SPDX-License-Identifier: MIT

/// Everything in which two versions of a graph differ.
///
/// Two graphs without a difference are heard, shown and decided in the same way; the path of the file makes none. Pure value: [any-thread].
public struct GraphDifference: Sendable, Equatable {
  /// The differences in the order of the reference, `docs/graph-files.md`: of each section first those of the new graph.
  public let changes: [GraphChange]
  /// The older graph with the new names of sources and routes.
  public let before: GraphFile
  /// The sources that have another name, the old name to the new one.
  public let renamedSources: [String: String]
  /// The routes that have another name, the old name to the new one.
  public let renamedRoutes: [String: String]

  /// Whether nothing differs.
  public var isEmpty: Bool { changes.isEmpty }

  /// Whether the host must attach to the server anew: JACK cannot rename a client, and a server gets its settings when it starts.
  public var needsNewAttachment: Bool {
    changes.contains { change in
      switch (change.place, change.kind) {
      case (.name, _): true
      case (.server, .changed(let values)): values.contains { $0.key != "start" }
      default: false
      }
    }
  }

  /// Compares two versions.
  ///
  /// - Parameters:
  ///   - old: The graph in force.
  ///   - new: The graph that follows it; its keys `was` tell the renamed sources and routes.
  public init(from old: GraphFile, to new: GraphFile) {
    let renames = GraphRenames(from: old, to: new)
    renamedSources = renames.sources
    renamedRoutes = renames.routes
    before = old.renamed(renames)
    var comparison = GraphComparison(from: before, to: new, renames: renames)
    comparison.compare()
    changes = comparison.changes
  }
}

/// Compares the parts of two graphs whose sources and routes have the same names already.
///
/// Pure value: [any-thread].
private struct GraphComparison {
  let old: GraphFile
  let new: GraphFile
  let renames: GraphRenames
  private(set) var changes: [GraphChange] = []

  init(from old: GraphFile, to new: GraphFile, renames: GraphRenames) {
    self.old = old
    self.new = new
    self.renames = renames
  }

  mutating func compare() {
    compare(.name, old.nameWords, new.nameWords)
    compare(.session, old.session.words, new.session.words)
    compare(.server, old.server.words, new.server.words)
    compareRoot()
    compare(.tower, old.tower.words, new.tower.words)
    compare(.permissions, old.permissions?.words, new.permissions?.words)
    compareAdoptions()
    compareRoutes()
    compareSources()
    compareMix()
    comparePatches()
    compareControls()
    for surface in GraphChange.Surface.allCases {
      compare(
        .surface(surface),
        old.surfaces.words(of: surface),
        new.surfaces.words(of: surface),
      )
    }
  }

  private mutating func add(
    _ place: GraphChange.Place,
    _ kind: GraphChange.Kind,
    title: String? = nil,
  ) {
    changes.append(GraphChange(place: place, kind: kind, title: title ?? place.title))
  }

  /// Compares a part that each graph has or has not.
  private mutating func compare(
    _ place: GraphChange.Place,
    _ old: GraphWords?,
    _ new: GraphWords?,
    and more: [GraphChange.Value] = [],
  ) {
    switch (old, new) {
    case (nil, nil): break
    case (nil, _?): add(place, .added)
    case (_?, nil): add(place, .gone)
    case (let old?, let new?):
      let values = new.changes(since: old) + more
      if !values.isEmpty { add(place, .changed(values)) }
    }
  }

  /// The values of the file itself.
  private mutating func compareRoot() {
    let values: [(place: GraphChange.Place, key: String, old: String, new: String)] = [
      (.ramp, "ramp", old.rampDuration.graphText, new.rampDuration.graphText),
      (
        .align, "align", old.alignsRoutes ? "auto" : "free", new.alignsRoutes ? "auto" : "free"
      ),
      (
        .keepPatches, "keepPatches", GraphWords.flag(old.keepsPatches),
        GraphWords.flag(new.keepsPatches)
      ),
    ]
    for value in values where value.old != value.new {
      add(value.place, .changed([.init(value.key, from: value.old, to: value.new)]))
    }
  }

  private mutating func compareAdoptions() {
    compareRules(
      old.adoptions.map { Rule(words: $0.words, text: $0.selectorText) },
      new.adoptions.map { Rule(words: $0.words, text: $0.selectorText) },
      subject: ["client", "executable"],
      place: GraphChange.Place.adoption,
    )
  }

  private mutating func comparePatches() {
    compareRules(
      old.patches.map { Rule(words: $0.words, text: $0.selectorText) },
      new.patches.map { Rule(words: $0.words, text: $0.selectorText) },
      subject: GraphFile.PatchRule.Kind.allCases.map(\.rawValue) + ["to"],
      place: GraphChange.Place.patch,
    )
  }

  /// A rule of a list whose order counts.
  private struct Rule: Equatable {
    /// All values.
    let words: GraphWords
    /// The rule's subject as a person names it.
    let text: String
  }

  /// Compares two lists of rules; rules for the same subject, by the keys that name it, are one change.
  private mutating func compareRules(
    _ oldRules: [Rule],
    _ newRules: [Rule],
    subject keys: [String],
    place: (Int) -> GraphChange.Place,
  ) {
    let differences = ListChanges(from: oldRules, to: newRules) { rule in
      rule.words.entries.filter { keys.contains($0.key) }
    }
    for entry in differences.entries {
      guard let index = entry.newIndex ?? entry.oldIndex, let rule = entry.new ?? entry.old else {
        continue
      }
      let kind: GraphChange.Kind
      switch (entry.old, entry.new) {
      case (let old?, let new?):
        let moved = GraphChange.Value(
          "place in the list",
          from: entry.oldIndex.map { "\($0 + 1)" },
          to: entry.newIndex.map { "\($0 + 1)" },
        )
        kind = .changed(entry.isMoved ? [moved] : new.words.changes(since: old.words))
      case (nil, _): kind = .added
      case (_, nil): kind = .gone
      }
      add(place(index), kind, title: "\(place(index).title) (\(rule.text))")
    }
  }

  private mutating func compareRoutes() {
    let before = renames.newRoutes
    compareEntries(
      of: .routes,
      old.routes.map { ($0.name, $0.words) },
      new.routes.map { ($0.name, $0.words) },
      before: before,
      place: GraphChange.Place.route,
    )
  }

  private mutating func compareSources() {
    let before = renames.newSources
    compareEntries(
      of: .sources,
      old.sources.map { ($0.name, $0.words) },
      new.sources.map { ($0.name, $0.words) },
      before: before,
      place: GraphChange.Place.source,
    )
  }

  private mutating func compareMix() {
    compareEntries(
      of: .mix,
      old.sends.map { (SendName($0), $0.words) },
      new.sends.map { (SendName($0), $0.words) },
      place: { .send(source: $0.source, route: $0.route) },
    )
    compareEntries(
      of: .recorders,
      old.recorders.map { ($0.name, $0.words) },
      new.recorders.map { ($0.name, $0.words) },
      place: GraphChange.Place.recorder,
    )
  }

  private mutating func compareControls() {
    compare(.crossfader, old.crossfader?.words, new.crossfader?.words)
    compare(.cue, old.cue?.words, new.cue?.words)
    if old.hearsControllers != new.hearsControllers {
      add(.midi, new.hearsControllers ? .added : .gone)
    }
    let before = Dictionary(old.controllers.map { ($0.name, $0) }) { first, _ in first }
    compareEntries(
      of: .midi,
      old.controllers.map { ($0.name, $0.words) },
      new.controllers.map { ($0.name, $0.words) },
      more: Dictionary(
        new.controllers.map { controller in
          (
            controller.name,
            before[controller.name].map { controller.mappingChanges(since: $0) } ?? []
          )
        }
      ) { first, _ in first },
      place: GraphChange.Place.controller,
    )
  }

  /// Compares the entries of a section, and the order of those that both graphs have.
  private mutating func compareEntries<Name: Hashable & CustomStringConvertible>(
    of section: GraphChange.Order,
    _ old: [(name: Name, words: GraphWords)],
    _ new: [(name: Name, words: GraphWords)],
    before: [Name: Name] = [:],
    more: [Name: [GraphChange.Value]] = [:],
    place: (Name) -> GraphChange.Place,
  ) {
    let oldWords = Dictionary(old.map { ($0.name, $0.words) }) { first, _ in first }
    let names = Set(new.map(\.name))
    for entry in new {
      if let name = before[entry.name] { add(place(entry.name), .renamed(from: "\(name)")) }
      compare(
        place(entry.name),
        oldWords[entry.name],
        entry.words,
        and: more[entry.name] ?? [],
      )
    }
    for entry in old where !names.contains(entry.name) { add(place(entry.name), .gone) }
    let oldOrder = old.map(\.name).filter(names.contains)
    let newOrder = new.map(\.name).filter { oldWords[$0] != nil }
    guard oldOrder != newOrder else { return }
    let value = GraphChange.Value(
      section.rawValue,
      from: GraphWords.list(oldOrder.map(\.description)),
      to: GraphWords.list(newOrder.map(\.description)),
    )
    add(.order(section), .changed([value]))
  }
}

/// The name of a send: both ends of it.
///
/// Pure value: [any-thread].
private struct SendName: Hashable, CustomStringConvertible {
  let source: String
  let route: String

  init(_ send: GraphFile.Send) {
    source = send.source
    route = send.route
  }

  var description: String { "\(source) to \(route)" }
}
