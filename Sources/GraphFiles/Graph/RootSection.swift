// SPDX-License-Identifier: MIT

/// The keys of the file itself.
enum RootKey: String, SectionKey {
  static let section = "graph file"
  case multiroute, name, session, server, ramp, align, keepPatches, tower, permissions, adopt,
    routes, sources, mix, patches, recorders, controls, surfaces
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
    faulty: inout GraphChecks.FaultyParts,
  ) {
    self.path = path
    guard let section = Section<RootKey>(root, log: log) else { return }
    _ = section.required(.multiroute, example: "\(Self.formatVersion)")?.formatVersion()
    name = section[.name]?.graphName() ?? name
    var count = log.count
    if let keys: Section<SessionKey> = section[.session]?.section() { session = Session(keys) }
    faulty.isSessionFaulty = log.count > count
    if let keys: Section<ServerKey> = section[.server]?.section() { server = Server(keys) }
    rampDuration = section[.ramp]?.duration(in: .zero...(.seconds(10))) ?? rampDuration
    alignsRoutes = section[.align]?.alignsRoutes() ?? alignsRoutes
    keepsPatches = section[.keepPatches]?.flag() ?? keepsPatches
    if let keys: Section<TowerKey> = section[.tower]?.section() { tower = Tower(keys) }
    if let keys: Section<PermissionsKey> = section[.permissions]?.section() {
      permissions = Permissions(keys)
    }
    for entry in section[.adopt]?.list(allowed: "a list of rules", limit: 1_024) ?? [] {
      adoptions.append(Adoption(entry))
    }
    for entry in section[.routes]?.namedEntries(noun: "route", limit: Self.portLimit) ?? [] {
      count = log.count
      routes.append(Route(name: entry.name, node: entry.node))
      if log.count > count { faulty.routes.insert(entry.name.name) }
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
