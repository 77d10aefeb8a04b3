// SPDX-License-Identifier: MIT

/// The values of a graph that users set by hand. [any-thread]
extension GraphFile {
  /// The values of a graph that a user can set by hand on a running host, but the controls of MIDI controllers.
  private var handValues: [GraphEdit] {
    var edits: [GraphEdit] = []
    for route in routes {
      let place = GraphEdit.Place.route(route.name)
      if route.direction == .output {
        edits += [.init(place, .gain(route.gainDB)), .init(place, .mute(route.isMuted))]
        if let alignment = route.alignment { edits.append(.init(place, .align(alignment))) }
      }
      edits += [.init(place, .inserts(route.inserts)), .init(place, .wet(route.wet))]
    }
    for source in sources {
      let place = GraphEdit.Place.source(source.name)
      edits += [.init(place, .gain(source.gainDB)), .init(place, .mute(source.isMuted))]
      if let pan = source.pan { edits.append(.init(place, .pan(pan))) }
      edits += [.init(place, .inserts(source.inserts)), .init(place, .wet(source.wet))]
    }
    for send in sends {
      let place = GraphEdit.Place.send(source: send.source, route: send.route)
      edits += [.init(place, .gain(send.gainDB)), .init(place, .mute(send.isMuted))]
      if let channels = send.channels { edits.append(.init(place, .channels(channels))) }
    }
    if let crossfader { edits.append(.init(.crossfader, .position(crossfader.position))) }
    if let cue {
      edits += [.init(.cue, .to(cue.route)), .init(.cue, .sources(cue.sources))]
    }
    for rule in adoptions {
      guard case .name(let client) = rule.client, rule.isOnly(forClient: client) else { continue }
      edits.append(.init(.adoption(client: client), .rule(rule)))
    }
    return edits
  }

  /// The edits that give this graph the values of another one with the same sources and routes.
  ///
  /// - Parameters:
  ///   - present: The graph with the present values of a running host; learned controls follow those of this graph.
  ///   - paths: Paths of values that are edits even where nothing differs, because they were edits before.
  /// - Returns: The edits in the order in which they can be made.
  public func edits(to present: GraphFile, always paths: Set<[String]> = []) -> [GraphEdit] {
    let own = Dictionary(handValues.map { ($0.path, $0.value) }) { first, _ in first }
    let values = present.handValues.filter { edit in
      if let value = own[edit.path] { return value != edit.value || paths.contains(edit.path) }
      return edit.value != .mute(false)
    }
    let learned = zip(controllers, present.controllers).flatMap { before, now in
      now.mappings.dropFirst(before.mappings.count).map {
        GraphEdit(.controller(now.name), .map($0))
      }
    }
    return values + learned
  }

  /// Whether the graph has the value of an edit already.
  func has(_ edit: GraphEdit) -> Bool {
    var changed = self
    return changed.apply(edit) && changed.rounded == rounded
  }

  /// The same graph with all values by hand as precise as edits have them.
  var rounded: GraphFile {
    var graph = self
    for edit in handValues { graph.apply(edit) }
    return graph
  }

  /// Gives the graph the value of an edit.
  ///
  /// - Returns: Whether the graph has the place of the edit.
  @discardableResult
  mutating func apply(_ edit: GraphEdit) -> Bool {
    switch edit.place {
    case .source(let name):
      guard let index = sources.firstIndex(where: { $0.name == name }) else { return false }
      return sources[index].apply(edit.value)
    case .route(let name):
      guard let index = routes.firstIndex(where: { $0.name == name }) else { return false }
      return routes[index].apply(edit.value)
    case .send(let source, let route):
      if !sends.contains(where: { $0.source == source && $0.route == route }) {
        guard case .gain = edit.value, self.source(named: source) != nil,
          self.route(named: route)?.direction == .output
        else { return false }
        sends.append(Send(source: source, route: route))
      }
      let index = sends.firstIndex { $0.source == source && $0.route == route }
      return index.map { sends[$0].apply(edit.value) } ?? false
    case .crossfader:
      guard case .position(let position) = edit.value, crossfader != nil else { return false }
      crossfader?.position = position
    case .cue:
      switch edit.value {
      case .to(let route):
        if cue == nil { cue = Cue(route: route) } else { cue?.route = route }
      case .sources(let names): cue?.sources = names
      default: return false
      }
      return cue != nil
    case .adoption(let client):
      guard case .rule(let rule) = edit.value, rule.isOnly(forClient: client) else { return false }
      take(rule, ofClient: client)
    case .patch(let source, let destination):
      guard case .patch(let state) = edit.value else { return false }
      setPatch(source, to: destination, state)
    case .controller(let name):
      guard case .map(let mapping) = edit.value,
        let index = controllers.firstIndex(where: { $0.name == name })
      else { return false }
      if !controllers[index].mappings.contains(mapping) {
        controllers[index].mappings.append(mapping)
      }
    }
    return true
  }
}

extension GraphFile.Send {
  /// Makes a send at 0 dB. [any-thread]
  public init(from source: String, to route: String) { self.init(source: source, route: route) }
}

extension GraphFile.Cue {
  /// Makes a cue bus at 0 dB without sources. [any-thread]
  public init(to route: String) { self.init(route: route) }
}

extension GraphFile.Source {
  fileprivate mutating func apply(_ value: GraphEdit.Value) -> Bool {
    switch value {
    case .gain(let gain): gainDB = gain
    case .mute(let isMuted): self.isMuted = isMuted
    case .pan(let pan): self.pan = pan
    case .inserts(let uses): inserts = uses
    case .wet(let share): wet = share
    default: return false
    }
    return true
  }
}

extension GraphFile.Route {
  fileprivate mutating func apply(_ value: GraphEdit.Value) -> Bool {
    switch value {
    case .gain(let gain): gainDB = gain
    case .mute(let isMuted): self.isMuted = isMuted
    case .align(let alignment): self.alignment = alignment
    case .inserts(let uses): inserts = uses
    case .wet(let share): wet = share
    default: return false
    }
    return true
  }
}

extension GraphFile.Send {
  fileprivate mutating func apply(_ value: GraphEdit.Value) -> Bool {
    switch value {
    case .gain(let gain): gainDB = gain
    case .mute(let isMuted): self.isMuted = isMuted
    case .channels(let cells): channels = cells
    default: return false
    }
    return true
  }
}
