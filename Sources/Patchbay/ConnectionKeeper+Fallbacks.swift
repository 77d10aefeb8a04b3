// SPDX-License-Identifier: MIT

/// Owners that are heard elsewhere while their own ports are away. [any-thread]
extension ConnectionKeeper {
  /// The owner that is heard instead of an owner now; nil while its own ports are there.
  package func fallback(of owner: String) -> String? {
    var next = owner
    var seen: Set<String> = []
    while !isSatisfied(next), seen.insert(next).inserted {
      guard let fallback = fallbacks[next] else { return nil }
      next = fallback
    }
    return next != owner && isSatisfied(next) ? next : nil
  }

  /// Computes the connections that fallbacks ask for now.
  ///
  /// - Returns: The connections to remove now; their removal is not taken for a user's.
  package mutating func settleFallbacks() -> [ConnectionPair] {
    guard !fallbacks.isEmpty else { return [] }
    let wanted = Set(fallbacks.keys.flatMap { fallbackPairs(of: $0) })
    guard wanted != fallbackPairs else { return [] }
    let changed = wanted.symmetricDifference(fallbackPairs)
    let stale = fallbackPairs.subtracting(wanted).filter(connections.contains)
    fallbackPairs = wanted
    releasing.formUnion(stale)
    review(changed)
    return stale.sorted()
  }

  /// Pairs channels in order, starting over where one side has fewer; a single channel goes to all.
  private func fallbackPairs(of owner: String) -> [ConnectionPair] {
    guard let fallback = fallback(of: owner) else { return [] }
    let own = rules.ownPorts(of: owner)
    let targets = foundPorts(of: fallback)
    guard !own.isEmpty, !targets.isEmpty else { return [] }
    return (0..<max(own.count, own.count == 1 ? targets.count : 0)).map { channel in
      ConnectionPair(
        source: own[channel % own.count],
        destination: targets[channel % targets.count],
      )
    }
  }
}
