// SPDX-License-Identifier: MIT

internal import JACK

/// Connecting ports, and effects between them.
extension InterAppHost {
  /// Connects ports channel by channel; a single one on a side goes with all of the other's.
  ///
  /// - Throws: ``InterAppAudioError`` `invalidFormat` where channels do not fit, or `jack`.
  public func patch(
    _ sources: [String],
    to destinations: [String],
  ) throws(InterAppAudioError) {
    let pairs = try PortPairs.pairs(sources, destinations)
    try InterAppAudioError.wrapping { () throws(JACKError) in
      for pair in pairs { try connection.connect(pair.source, to: pair.destination) }
    }
  }

  /// Puts effects, one after the other, between ports that may be connected now.
  ///
  /// The chain is patched first and the direct connections taken away last; JACK does that in
  /// steps, so that a live insert is heard: the running host does it behind its crossfade.
  ///
  /// - Throws: ``InterAppAudioError`` `unsupportedType` (a node takes no audio), `invalidFormat` or
  ///   `jack`.
  public func insert(
    _ effects: [NodeInstance],
    between sources: [String],
    and destinations: [String],
  ) throws(InterAppAudioError) {
    var from = sources
    for effect in effects {
      guard effect.node.description.kind.takesAudio else {
        throw InterAppAudioError(
          .unsupportedType,
          "node '\(effect.node.name)' is no effect: it takes no audio",
        )
      }
      try patch(from, to: effect.node.audioInputs)
      from = effect.node.audioOutputs
    }
    try patch(from, to: destinations)
    guard !effects.isEmpty else { return }
    for pair in try PortPairs.pairs(sources, destinations) {
      // Not connected before: nothing to take away.
      try? connection.disconnect(pair.source, from: pair.destination)
    }
  }
}
