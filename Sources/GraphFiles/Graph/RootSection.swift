// SPDX-License-Identifier: MIT

internal import YAML

/// The keys of the file itself.
enum RootKey: String, SectionKey {
  static let section = "graph file"
  case multiroute, name, include, session, server, ramp, align, keepPatches, tower, permissions,
    adopt, routes, sources, mix, patches, recorders, controls, surfaces
}

/// The facts about a graph file while it is read, beside the graph.
///
/// [any-thread]
struct GraphReading {
  /// Parts with faults of their own, from which no conclusions are drawn.
  var faulty = GraphChecks.FaultyParts()
  /// The policy files that the graph includes.
  var policies: PolicyReader
  /// The places of the graph's adoption rules, in the same order.
  var rules: [PlacedRule] = []

  init(graphPath: String) { policies = PolicyReader(graphPath: graphPath) }
}

extension GraphFile {
  /// Reads the document into a graph with each entry at its index of the file.
  ///
  /// Faulty values keep their defaults; a graph with faults is never returned to callers.
  init(
    root: YAMLNode,
    path: String,
    files: FileProbe,
    log: DiagnosticLog,
    reading: inout GraphReading,
  ) {
    self.path = path
    guard let section = Section<RootKey>(root, log: log) else { return }
    _ = section.required(.multiroute, example: "\(Self.formatVersion)")?.formatVersion()
    name = section[.name]?.graphName() ?? name
    var count = log.count
    if let keys: Section<SessionKey> = section[.session]?.section() { session = Session(keys) }
    reading.faulty.isSessionFaulty = log.count > count
    if let keys: Section<ServerKey> = section[.server]?.section() { server = Server(keys) }
    rampDuration = section[.ramp]?.duration(in: .zero...(.seconds(10))) ?? rampDuration
    alignsRoutes = section[.align]?.alignsRoutes() ?? alignsRoutes
    keepsPatches = section[.keepPatches]?.flag() ?? keepsPatches
    readPolicy(section, root: root, reading: &reading)
    for entry in section[.routes]?.namedEntries(noun: "route", limit: Self.portLimit) ?? [] {
      count = log.count
      routes.append(Route(name: entry.name, node: entry.node))
      if log.count > count { reading.faulty.routes.insert(entry.name.name) }
    }
    nameHelpers()
    let media = MediaFiles(graphPath: path, probe: files)
    for entry in section[.sources]?.namedEntries(noun: "source", limit: Self.portLimit) ?? [] {
      sources.append(Source(name: entry.name, node: entry.node, media: media))
    }
    for entry in section[.mix]?.list(allowed: "a list of sends") ?? [] {
      sends.append(Send(entry))
    }
    let allowed = "a list of patch rules"
    for entry in section[.patches]?.list(allowed: allowed, limit: PatchRule.limit) ?? [] {
      if let rule = PatchRule(entry) { patches.append(rule) }
    }
    for entry in section[.recorders]?.namedEntries(noun: "recorder", limit: Self.portLimit) ?? [] {
      recorders.append(Recorder(name: entry.name, node: entry.node, media: media))
    }
    fillInputChannels()
    if let keys: Section<ControlsKey> = section[.controls]?.section() {
      crossfader = keys[.crossfader]?.section().map { Crossfader($0) }
      cue = keys[.cue]?.section().map { Cue($0) }
      let entries = keys[.midi]?.namedEntries(noun: "controller", limit: Controller.limit)
      hearsControllers = entries != nil
      for entry in entries ?? [] {
        controllers.append(Controller(name: entry.name, node: entry.node, media: media))
      }
    }
    if let keys: Section<SurfacesKey> = section[.surfaces]?.section() {
      surfaces = Surfaces(keys, media: media)
    }
  }

  /// Reads what the file and its policy files say about programs: the file's own values count more.
  private mutating func readPolicy(
    _ section: Section<RootKey>,
    root: YAMLNode,
    reading: inout GraphReading,
  ) {
    reading.policies.read(section[.include])
    let files = reading.policies.files
    policyPaths = files.map(\.path)
    let towers = files.reversed().map(\.tower) + [section[.tower]?.section()]
    for keys in towers.compactMap({ $0 }) { tower.read(keys) }
    let permissionLists =
      files.reversed().map(\.permissions) + [section[.permissions]?.section()]
    for keys in permissionLists.compactMap({ $0 }) {
      permissions = permissions ?? Permissions()
      permissions?.read(keys)
    }
    let own = section[.adopt]?.adoptionRules(root: root) ?? []
    reading.rules = own.merged(with: files.map(\.rules))
    adoptions = reading.rules.map(\.adoption)
  }

  /// Gives sources that read an input route the channels of that route.
  private mutating func fillInputChannels() {
    let channels = Dictionary(routes.map { ($0.name, $0.channels) }) { first, _ in first }
    for index in sources.indices {
      guard case .inputRoute(let name) = sources[index].kind else { continue }
      sources[index].channels = channels[name]
    }
  }

  /// The most ports that JACK gives one client.
  static let portLimit = 768
}

extension Field {
  /// The version of the format, which this program must know.
  func formatVersion() -> Int? {
    let known = GraphFile.formatVersion
    guard let text = scalar(allowed: "the format version \(known)") else { return nil }
    guard text == "\(known)" else {
      error("format version \(MessageText.quoted(text)) is not known; this program reads \(known)")
      return nil
    }
    return known
  }
}
