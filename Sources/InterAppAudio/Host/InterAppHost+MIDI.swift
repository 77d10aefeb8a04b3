// SPDX-License-Identifier: MIT

internal import JACK

/// MIDI from the host to nodes.
extension InterAppHost {
  /// Makes a MIDI output of the host's own, to be patched to any client.
  ///
  /// - Parameter name: The short name of its port.
  /// - Returns: The output.
  /// - Throws: ``InterAppAudioError`` `tooManyInstances` (32 there are at most) or `jack`.
  public func midiOutput(named name: String) throws(InterAppAudioError) -> MIDIOutput {
    let output = MIDIOutput(portName: "\(connection.name):\(name)")
    let slot = try InterAppAudioError.wrapping { () throws(JACKError) in
      HostProcess.Slot(port: try connection.register(name), events: output.consumer)
    }
    guard client.add(slot) else {
      throw InterAppAudioError(
        .tooManyInstances,
        "a host can give MIDI to \(HostProcess.slotLimit) places",
      )
    }
    return output
  }

  /// How many MIDI messages were given too late for their frame.
  public var lateMIDICount: Int { client.lateMIDICount }

  /// The output whose port is connected with a node's MIDI input; nil for a node without one.
  func midiOutput(for node: Node) throws(InterAppAudioError) -> MIDIOutput? {
    guard let input = node.midiInputs.first else { return nil }
    if midi[node.name] == nil { midi[node.name] = try midiOutput(named: "to_\(node.name)") }
    guard let output = midi[node.name] else { return nil }
    try patch([output.portName], to: [input])
    return output
  }
}
