// SPDX-License-Identifier: MIT

extension GraphRules {
  /// Sends are there once and use channels that exist.
  func checkSends() {
    var seen: Set<[String]> = []
    for (index, send) in graph.sends.enumerated() {
      guard !send.source.isEmpty, !send.route.isEmpty else { continue }
      if !seen.insert([send.source, send.route]).inserted {
        log.error(
          at: map.position("mix", .index(index)),
          "mix: '\(send.source)' goes to '\(send.route)' already; one entry with 'channels' can "
            + "hold both",
        )
      }
      let sourceChannels = sources[send.source]?.channels
      let routeChannels = routes[send.route].flatMap { $0.ports.isEmpty ? nil : $0.channels }
      if send.pan != 0, let routeChannels, routeChannels != 2 {
        log.error(
          at: map.position("mix", .index(index), "pan"),
          "pan: route '\(send.route)' has \(routeChannels) channels; pan needs 2",
        )
      }
      checkCells(of: send, index, sourceChannels, routeChannels)
    }
  }

  private func checkCells(
    of send: GraphFile.Send,
    _ index: Int,
    _ sourceChannels: Int?,
    _ routeChannels: Int?,
  ) {
    var seen: Set<[Int]> = []
    for (cellIndex, cell) in (send.channels ?? []).enumerated() {
      func position(_ part: Int) -> SourcePosition {
        map.position("mix", .index(index), "channels", .index(cellIndex), .index(part))
      }
      if let sourceChannels, cell.sourceChannel > sourceChannels {
        log.error(
          at: position(0),
          "channels: source '\(send.source)' has no channel \(cell.sourceChannel); "
            + "channels: 1 … \(sourceChannels)",
        )
      }
      if let routeChannels, cell.routeChannel > routeChannels {
        log.error(
          at: position(1),
          "channels: route '\(send.route)' has no channel \(cell.routeChannel); "
            + "channels: 1 … \(routeChannels)",
        )
      }
      let pair = [cell.sourceChannel, cell.routeChannel]
      if !pair.contains(0), !seen.insert(pair).inserted {
        log.error(
          at: map.position("mix", .index(index), "channels", .index(cellIndex)),
          "channels: \(pair) is there already",
        )
      }
    }
  }

  /// Sines stay below half the sample rate, where one is asked for.
  func checkTones() {
    guard let rate = graph.session.preferred.sampleRateHz else { return }
    for source in graph.sources {
      guard case .tone(let tone) = source.kind, tone.wave == .sine else { continue }
      if tone.frequencyHz > Double(rate) / 2 {
        log.error(
          at: map.position("sources", .key(source.name), "tone", "frequency"),
          "frequency: \(tone.frequencyHz.graphText) Hz is above half the sample rate; "
            + "at \(rate) Hz at most \((Double(rate) / 2).graphText) Hz",
        )
      }
    }
  }
}
