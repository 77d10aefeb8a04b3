// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import InterAppAudio

/// A chain of effects as the host wants it and as it is now.
///
/// Belongs to the control thread.
struct InsertChain: Sendable {
  /// One effect.
  struct Slot: Sendable {
    let use: GraphFile.NodeUse
    var isBypassed: Bool
    /// Why it is left out; nil where nothing is wrong.
    var fault: String?

    init(_ use: GraphFile.NodeUse) {
      self.use = use
      isBypassed = use.isBypassed
    }
  }

  /// Links that somebody else has taken away; why, shows later.
  struct LostLinks: Sendable {
    let sinceNanoseconds: UInt64
    var pairs: Set<ConnectionPair>
  }

  let place: InsertPlace
  var slots: [Slot]
  /// How much of the effects is to be heard, 0 … 1.
  var wet: Double
  /// The connections that are made now.
  var links: [ConnectionPair] = []
  /// Whether the patch is being changed.
  var isSettling = false
  /// What was taken away by somebody else: by hand, or because a node is going.
  var lost: LostLinks?
  /// Whether a user has taken the patch apart; left so until the chain is set anew.
  var isLeftAlone = false

  /// The nodes that are to be in the patch, of those that run.
  ///
  /// Effects that run and have no fault are heard although others of the chain are missing.
  func present(_ find: (String) -> Node?) -> [Node] {
    guard !isLeftAlone else { return [] }
    return slots.compactMap { slot in
      slot.isBypassed || slot.fault != nil ? nil : find(slot.use.name)
    }
  }

  /// Forgets the links of a port that is gone: nobody has taken them away.
  mutating func forgetLinks(with port: String) {
    links.removeAll { $0.contains(port) }
    guard var lost else { return }
    lost.pairs = lost.pairs.filter { !$0.contains(port) }
    self.lost = lost.pairs.isEmpty ? nil : lost
  }

  /// The connections from the sound to where it goes on, through nodes.
  ///
  /// - Throws: `invalidFormat` or `unsupportedType`, with the node it is about.
  static func links(
    from sources: [String],
    through nodes: [Node],
    to destinations: [String],
  ) throws(InterAppAudioError) -> [ConnectionPair] {
    guard !nodes.isEmpty, !sources.isEmpty, !destinations.isEmpty else { return [] }
    var from = sources
    var pairs: [ConnectionPair] = []
    func connect(to inputs: [String]) throws(InterAppAudioError) {
      pairs += try PortPairs.pairs(from, inputs).map(ConnectionPair.init)
    }
    for (index, node) in nodes.enumerated() {
      guard node.description.kind.takesAudio else {
        throw InterAppAudioError(
          .unsupportedType,
          "node '\(node.name)' is no effect: it takes no audio",
        )
      }
      try connect(to: node.audioInputs)
      let next = index + 1 < nodes.count ? nodes[index + 1].audioInputs : destinations
      // JACK adds what is connected with one port: both sides of a stereo effect would be twice as loud there.
      from = next.count == 1 ? Array(node.audioOutputs.prefix(1)) : node.audioOutputs
    }
    try connect(to: destinations)
    return pairs
  }
}
