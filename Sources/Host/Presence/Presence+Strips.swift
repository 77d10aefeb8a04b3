// SPDX-License-Identifier: MIT

internal import JACK
internal import Patchbay

/// Strips that come and go while the audio thread runs.
extension Presence {
  /// Registers the ports of a new strip; one that plays a file needs none, and is heard without waiting for the server.
  ///
  /// - Parameters:
  ///   - id: The strip.
  ///   - channels: The number of its channels.
  ///   - feed: The file that the host plays into it; nil for none.
  /// - Returns: The tag of the arrangement with the strip at its end, for the engine, and the
  ///   connections that were removed from reused ports.
  /// - Throws: JACK's error.
  func addStrip(
    _ id: String,
    channels: Int,
    feed: StripFeed?,
  ) throws(JACKError) -> (tag: UInt64, released: [ConnectionPair]) {
    let ports: [AudioInputPort?]
    var released: [ConnectionPair] = []
    if feed != nil {
      ports = MixPorts.noPorts(channels)
    } else if let place = leaving.firstIndex(where: {
      $0.strip == id && $0.inputs.count == channels
    }) {
      // A strip of that name is just being removed: its ports are reused, without their
      // connections.
      let returning = leaving.remove(at: place)
      ports = returning.inputs
      gates[id] = returning.gates
      for gate in returning.gates { gate.release() }
      for (channel, port) in returning.inputs.enumerated() {
        let name = "\(mix.name):\(PortNames.strip(id, channel: channel))"
        let others = try mix.connections(ofPort: name)
        released += others.map { ConnectionPair(source: $0, destination: name) }
        try mix.disconnectAll(from: port)
      }
    } else {
      ports = try registerPorts(id, channels: 0..<channels)
    }
    mixPorts.strips.append((id, ports))
    feeds[id] = feed
    return (rearrange(), released)
  }

  /// Registers further ports for a strip.
  ///
  /// - Parameters:
  ///   - id: The strip.
  ///   - channels: The new number of channels; at least the present one.
  /// - Returns: The tag of the arrangement with the wider strip, for the engine.
  /// - Throws: JACK's error.
  func growStrip(_ id: String, channels: Int) throws(JACKError) -> UInt64 {
    if let place = mixPorts.strips.firstIndex(where: { $0.id == id }) {
      let count = mixPorts.strips[place].ports.count
      mixPorts.strips[place].ports += try registerPorts(id, channels: count..<channels)
    }
    return rearrange()
  }

  /// Describes a strip's ports in their metadata.
  func describeStrip(_ id: String) {
    guard let place = mixPorts.strips.firstIndex(where: { $0.id == id }) else { return }
    let order = mixPorts.strips[..<place].reduce(0) { $0 + $1.ports.count }
    // When the server has just gone, the ports went with it.
    let ports = mixPorts.strips[place].ports.compactMap(\.self)
    try? mix.describe(ports, of: id, label: labels[id], order: order)
  }

  /// Whether a strip of that name is still being removed and has another number of ports.
  func isInTheWay(of id: String, channels: Int) -> Bool {
    leaving.contains { $0.strip == id && ![0, channels].contains($0.inputs.count) }
  }

  /// Removes a strip from the arrangement; its ports are unregistered once the audio thread no
  /// longer uses them.
  ///
  /// - Returns: The tag of the arrangement without the strip, for the engine.
  func removeStrip(_ id: String) -> UInt64 {
    let gone = mixPorts.strips.filter { $0.id == id }.flatMap(\.ports).compactMap(\.self)
    mixPorts.strips.removeAll { $0.id == id }
    feeds[id] = nil
    let tag = rearrange()
    leaving.append(
      LeavingPorts(
        tag: tag,
        strip: id,
        inputs: gone,
        gates: gates.removeValue(forKey: id) ?? [],
      )
    )
    return tag
  }

  /// Frees memory and ports that the audio thread no longer uses, now that it has adopted the
  /// arrangement of this tag.
  func adopted(tag: UInt64) {
    let done = arrangements.adopted(tag: tag)
    for entry in leaving where done.contains(entry.tag) {
      for port in entry.inputs { mix.leave(port) }
      for port in entry.outputs { mix.leave(port) }
      for line in entry.lines { close(line) }
      for gate in entry.gates { gate.free() }
      for insert in entry.inserts {
        for port in insert.sends { mix.leave(port) }
        insert.close(isUsed: false)
      }
    }
    leaving.removeAll { done.contains($0.tag) }
  }

  /// Replaces the list of running recordings.
  ///
  /// - Returns: The tag of the arrangement with the taps, for the engine.
  func setTaps(_ taps: [RecordingTap]) -> UInt64 {
    self.taps = taps
    return rearrange()
  }

  /// The gate that keeps a channel of a strip, counted from 0, silent at times; nil for a strip of
  /// the graph.
  func gate(ofStrip strip: String, channel: Int) -> InputGateCell? {
    guard let gates = gates[strip], gates.indices.contains(channel) else { return nil }
    return gates[channel]
  }

  /// Frees all gates.
  ///
  /// Callbacks may not run any more.
  func freeGates() {
    for gate in gates.values.joined() { gate.free() }
    for gate in leaving.flatMap(\.gates) { gate.free() }
    gates.removeAll()
    leaving.removeAll()
  }

  private func registerPorts(
    _ id: String,
    channels: Range<Int>,
  ) throws(JACKError) -> [AudioInputPort] {
    var order = mixPorts.strips.reduce(0) { $0 + $1.ports.count }
    let ports: [AudioInputPort] = try mix.registerGroup(
      id,
      label: nil,
      names: channels.map { PortNames.strip(id, channel: $0) },
      order: &order,
      isDescribed: false,
    )
    gates[id, default: []] += ports.map { _ in InputGateCell() }
    return ports
  }

  /// Makes an arrangement of the present ports.
  ///
  /// - Returns: Its tag, for the engine.
  func rearrange() -> UInt64 {
    let inputGates = mixPorts.strips.flatMap { strip in
      strip.ports.indices.map { gate(ofStrip: strip.id, channel: $0) }
    }
    return arrangements.add(
      mixPorts.contents(
        gates: inputGates,
        feeds: feeds,
        taps: taps,
        inserts: inserts,
        controllers: lines,
      ),
      recordings: taps,
      feeds: Array(feeds.values),
    )
  }
}

/// Ports that the audio thread may still use, to free with their gates after that.
struct LeavingPorts {
  /// The arrangement without them; once the audio thread uses it, they can be freed.
  let tag: UInt64
  /// The strip that has been removed; nil for other ports.
  var strip: String?
  var inputs: [AudioInputPort] = []
  var outputs: [AudioOutputPort] = []
  var gates: [InputGateCell] = []
  var inserts: [InsertPorts] = []
  var lines: [ControllerLine] = []
}
