// SPDX-License-Identifier: MIT

internal import JACK

/// Ports that are registered for another layout, by strip and route.
///
/// Belongs to the control thread.
struct NextPorts {
  var strips: [String: [AudioInputPort]] = [:]
  var routes: [String: [AudioOutputPort]] = [:]
  var inserts: [InsertPorts] = []
  var lines: [ControllerLine] = []
}

/// Strips, routes and sources that come and go with a version of the graph.
extension Presence {
  /// Registers the ports that a layout needs beyond the present ones.
  ///
  /// - Returns: The full names of the new audio ports.
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
      for strip in layout.nodeStrips where inserts(at: .strip(strip.id)) == nil {
        let ports = try InsertPorts(
          .strip(strip.id),
          channels: strip.channels,
          label: layout.labels[strip.id],
          hasInlets: true,
          clients: clients,
          on: mix,
        )
        prepared.inserts.append(ports)
        new.formUnion(ports.inletNames)
      }
      for controller in layout.controllers where lines.line(to: controller.name) == nil {
        prepared.lines.append(try Self.line(to: controller, on: mix))
      }
      return new
    } catch {
      discard()
      throw error
    }
  }

  /// Unregisters what ``prepare(_:)`` has registered.
  func discard() {
    for port in prepared.strips.values.joined() { mix.leave(port) }
    for port in prepared.routes.values.joined() { mix.leave(port) }
    for insert in prepared.inserts { insert.close(isUsed: false) }
    for line in prepared.lines { close(line) }
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
      let ports: [AudioInputPort?] =
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
    lines.add(prepared.lines)
    let newInserts = prepared.inserts
    controllerNames = Set(layout.controllers.map(\.name))
    prepared = NextPorts()
    let present = Set(layout.strips.map(\.id))
    let gone = inputs.filter { !present.contains($0.key) }
    nodeStrips = Set(layout.nodeStrips.map(\.id))
    let nodePlaces = Set(nodeStrips.map { InsertPlace.strip($0) })
    let goneInserts = inserts.filter { insert in
      // A chain has as many channels as its strip or route, and ports for a node that feeds its strip.
      mixPorts.channels(of: insert.place) != insert.channels
        || insert.inletNames.isEmpty == nodePlaces.contains(insert.place)
    }
    inserts.removeAll { insert in goneInserts.contains { $0 === insert } }
    inserts += newInserts
    let tag = rearrange()
    for (strip, ports) in gone {
      leaving.append(
        LeavingPorts(
          tag: tag,
          strip: strip,
          inputs: ports.compactMap(\.self),
          gates: gates.removeValue(forKey: strip) ?? [],
        )
      )
    }
    leaving.append(
      LeavingPorts(
        tag: tag,
        inputs: inputs.filter { present.contains($0.key) }.flatMap(\.value).compactMap(\.self),
        outputs: outputs.flatMap(\.value),
        inserts: goneInserts,
      )
    )
    return tag
  }

  /// Leaves out the controllers that the layout in force does not have, and chains of effects; their ports leave once the audio
  /// thread no longer uses them.
  ///
  /// - Parameter chains: The places of those chains, which nobody hears.
  /// - Returns: The tag of the arrangement without them, for the engine; nil where all stay.
  func retire(chains: Set<InsertPlace>) -> UInt64? {
    let goneLines = lines.remove(allBut: controllerNames)
    let goneInserts = inserts.filter { chains.contains($0.place) }
    guard !goneLines.isEmpty || !goneInserts.isEmpty else { return nil }
    inserts.removeAll { chains.contains($0.place) }
    let tag = rearrange()
    leaving.append(LeavingPorts(tag: tag, inserts: goneInserts, lines: goneLines))
    return tag
  }

  /// Whether ports of a chain at this place are still being removed, so that there can be no new ones.
  func isLeaving(_ chain: InsertPlace) -> Bool {
    leaving.contains { $0.inserts.contains { $0.place == chain } }
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
          guard let port else { continue }
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
    nodeStrips = Set(nodeStrips.map { renames.strips[$0] ?? $0 })
    for insert in inserts { insert.rename(renames, client: mix.name) }
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
