// SPDX-License-Identifier: MIT

/// What stands in for ports that are away.
extension ConnectionKeeper {
  /// The owner whose ports stand in for those of an owner now; nil where its own are there.
  func fallback(of owner: String) -> String? {
    let satisfied = satisfiedOwners()
    var next = owner
    var seen: Set<String> = []
    while !satisfied.contains(next), seen.insert(next).inserted {
      guard let fallback = fallbacks[next] else { return nil }
      next = fallback
    }
    return next != owner && satisfied.contains(next) ? next : nil
  }

  /// Works out anew which connections stand in for others.
  ///
  /// - Returns: Those to take away now; nobody takes them for a user's will.
  mutating func settleFallbacks() -> [ConnectionPair] {
    guard !fallbacks.isEmpty else { return [] }
    let wanted = Set(fallbacks.keys.flatMap { fallbackPairs(of: $0) })
    let stale = fallbackPairs.subtracting(wanted).intersection(connections)
    fallbackPairs = wanted
    releasing.formUnion(stale)
    return stale.sorted()
  }

  /// Channel to channel, and round where there are not as many; one channel goes to all.
  private func fallbackPairs(of owner: String) -> [ConnectionPair] {
    guard let fallback = fallback(of: owner) else { return [] }
    let own = rules.filter { $0.owner == owner }.flatMap(\.channels).map(\.ownPort)
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
