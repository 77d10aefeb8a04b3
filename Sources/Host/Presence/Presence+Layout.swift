// SPDX-License-Identifier: MIT

internal import JACK

/// Ports that are registered for another layout, by strip and route.
///
/// Belongs to the control thread.
struct NextPorts {
  var strips: [String: [AudioInputPort]] = [:]
  var routes: [String: [AudioOutputPort]] = [:]
}

/// Strips, routes and sources that come and go with a version of the graph.
extension Presence {
  /// Registers the ports that a layout needs beyond the present ones.
  ///
  /// - Returns: The full names of the new ports.
  /// - Throws: JACK's error; no new port stays then.
  func prepare(_ layout: PortLayout) throws(JACKError) -> Set<String> {
    var new: Set<String> = []
    do throws(JACKError) {
      var order = mixPorts.strips.reduce(0) { $0 + $1.ports.count }
      for group in layout.strips {
        let present = mixPorts.strips.first { $0.id == group.id }?.ports.count ?? 0
        guard group.channels > present else { continue }
        let names = (present..<group.channels).map { PortNames.strip(group.id, channel: $0) }
        new.formUnion(names.map { "\(mix.name):\($0)" })
        prepared.strips[group.id] = try mix.registerGroup(
          group.id,
          label: layout.labels[group.id],
          names: names,
          order: &order,
          isDescribed: false,
        )
      }
      for group in layout.routes {
        let present = mixPorts.routes.first { $0.id == group.id }?.ports.count ?? 0
        guard group.channels > present else { continue }
        let names = (present..<group.channels).map { PortNames.route(group.id, channel: $0) }
        new.formUnion(names.map { "\(mix.name):\($0)" })
        prepared.routes[group.id] = try mix.registerGroup(
          group.id,
          label: layout.labels[group.id],
          names: names,
          order: &order,
          isDescribed: false,
        )
      }
      if !layout.sources.isEmpty {
        if sources == nil { sources = try makeSourceClient() }
        if let sources {
          try sources.prepare(layout.sources, labels: layout.labels)
          new.formUnion(sources.preparedNames)
        }
      }
      return new
    } catch {
      discard()
      throw error
    }
  }

  /// Unregisters what ``prepare(_:)`` has registered.
  func discard() {
    // When the server has just gone, the ports went with it.
    for port in prepared.strips.values.joined() { try? mix.unregister(port) }
    for port in prepared.routes.values.joined() { try? mix.unregister(port) }
    prepared = NextPorts()
    sources?.discard()
    closeIdleSources()
  }

  /// Goes over to a prepared layout; ports that it does not have leave once the audio thread no longer uses them.
  ///
  /// - Returns: The tag of its arrangement, for the engine.
  func take(_ layout: PortLayout) -> UInt64 {
    labels = layout.labels
    var inputs = Dictionary(mixPorts.strips.map { ($0.id, $0.ports) }) { first, _ in first }
    var outputs = Dictionary(mixPorts.routes.map { ($0.id, $0.ports) }) { first, _ in first }
    mixPorts.strips = layout.strips.map { group in
      let ports =
        (inputs.removeValue(forKey: group.id) ?? []) + (prepared.strips[group.id] ?? [])
      if ports.count > group.channels { inputs[group.id] = Array(ports[group.channels...]) }
      return (group.id, Array(ports.prefix(group.channels)))
    }
    mixPorts.routes = layout.routes.map { group in
      let ports =
        (outputs.removeValue(forKey: group.id) ?? []) + (prepared.routes[group.id] ?? [])
      if ports.count > group.channels { outputs[group.id] = Array(ports[group.channels...]) }
      return (group.id, Array(ports.prefix(group.channels)))
    }
    prepared = NextPorts()
    let present = Set(layout.strips.map(\.id))
    let gone = inputs.filter { !present.contains($0.key) }
    let goneInserts = inserts.filter { mixPorts.channels(of: $0.place) == 0 }
    inserts.removeAll { mixPorts.channels(of: $0.place) == 0 }
    let tag = rearrange()
    for (strip, ports) in gone {
      leaving.append(
        LeavingPorts(
          tag: tag,
          strip: strip,
          inputs: ports,
          gates: gates.removeValue(forKey: strip) ?? [],
        )
      )
    }
    leaving.append(
      LeavingPorts(
        tag: tag,
        inputs: inputs.filter { present.contains($0.key) }.flatMap(\.value),
        outputs: outputs.flatMap(\.value),
        inserts: goneInserts,
      )
    )
    return tag
  }

  /// Gives the ports of strips, routes and sources other names, with their connections.
  ///
  /// - Returns: The new full name of each port, by the former one.
  /// - Throws: JACK's error, such as that of a name in use; all ports have their former names then.
  func rename(_ renames: PortRenames) throws(JACKError) -> [String: String] {
    var log = RenameLog()
    do throws(JACKError) {
      for (id, ports) in mixPorts.strips {
        guard let new = renames.strips[id] else { continue }
        for (channel, port) in ports.enumerated() {
          try log.rename(
            port,
            from: PortNames.strip(id, channel: channel),
            to: PortNames.strip(new, channel: channel),
            on: mix,
          )
        }
      }
      for (id, ports) in mixPorts.routes {
        guard let new = renames.routes[id] else { continue }
        for (channel, port) in ports.enumerated() {
          try log.rename(
            port,
            from: PortNames.route(id, channel: channel),
            to: PortNames.route(new, channel: channel),
            on: mix,
          )
        }
      }
      try sources?.rename(renames.strips, &log)
    } catch {
      log.undo()
      throw error
    }
    for index in mixPorts.strips.indices {
      let id = mixPorts.strips[index].id
      guard let new = renames.strips[id] else { continue }
      mixPorts.strips[index].id = new
      gates[new] = gates.removeValue(forKey: id)
    }
    for index in mixPorts.routes.indices {
      let id = mixPorts.routes[index].id
      mixPorts.routes[index].id = renames.routes[id] ?? id
    }
    sources?.takeNames(renames.strips)
    return log.names
  }

  /// Plays these sources from the next cycle on; others leave with their ports.
  func play(_ bank: SourceBank) { sources?.take(bank.playing) }

  /// Whether the audio thread uses the newest arrangement.
  var hasAdopted: Bool { leaving.isEmpty }

  /// Frees memory, ports and the source client, where the audio thread no longer uses them.
  ///
  /// - Returns: Whether everything that has been removed is gone.
  func collectRemoved() -> Bool {
    sources?.collect()
    closeIdleSources()
    return leaving.isEmpty && sources?.isSettled ?? true
  }

  /// Closes the source client once it has played its last source.
  private func closeIdleSources() {
    guard let client = sources, client.groups.isEmpty, client.isSettled else { return }
    client.close()
    sources = nil
  }

  /// Describes a route's ports in their metadata.
  func describeRoute(_ id: String) {
    guard let place = mixPorts.routes.firstIndex(where: { $0.id == id }) else { return }
    let order =
      mixPorts.strips.reduce(0) { $0 + $1.ports.count }
      + mixPorts.routes[..<place].reduce(0) { $0 + $1.ports.count }
    // When the server has just gone, the ports went with it.
    try? mix.describe(mixPorts.routes[place].ports, of: id, label: labels[id], order: order)
  }
}
