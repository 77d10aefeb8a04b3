// SPDX-License-Identifier: MIT

/// What a node or host says about its session, as words.
struct NodeFlags: OptionSet, Sendable {
  let rawValue: Int

  static let entitlement = NodeFlags(rawValue: 1)
  static let mixWithOthers = NodeFlags(rawValue: 2)
  static let usesSystemAudio = NodeFlags(rawValue: 4)
  static let sessionActive = NodeFlags(rawValue: 8)

  private static let words: [(flag: NodeFlags, word: Substring)] = [
    (.entitlement, "entitlement"), (.mixWithOthers, "mixWithOthers"),
    (.usesSystemAudio, "usesSystemAudio"), (.sessionActive, "sessionActive"),
  ]

  init(rawValue: Int) { self.rawValue = rawValue }

  /// Reads words; those not known are passed over.
  init(text: String) {
    let found = text.split(separator: " ")
    self = Self.words.reduce(into: []) { if found.contains($1.word) { $0.insert($1.flag) } }
  }

  init(_ description: NodeDescription) {
    self = []
    if description.hasEntitlement { insert(.entitlement) }
    if description.mixesWithOthers { insert(.mixWithOthers) }
    if description.usesSystemAudio { insert(.usesSystemAudio) }
    if description.isSessionActive { insert(.sessionActive) }
  }

  var text: String {
    Self.words.filter { contains($0.flag) }.map(\.word).joined(separator: " ")
  }
}
