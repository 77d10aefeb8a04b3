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
    for node in nodes {
      guard node.description.kind.takesAudio else {
        throw InterAppAudioError(
          .unsupportedType,
          "node '\(node.name)' is no effect: it takes no audio",
        )
      }
      pairs += try PortPairs.pairs(from, node.audioInputs).map(ConnectionPair.init)
      from = node.audioOutputs
    }
    return pairs + (try PortPairs.pairs(from, destinations).map(ConnectionPair.init))
  }
}
