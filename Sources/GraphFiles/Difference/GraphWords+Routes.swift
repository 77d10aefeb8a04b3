// SPDX-License-Identifier: MIT

internal import Sessions

/// The words of routes and of their helper programs. [any-thread]
extension GraphFile.Route {
  /// All values but the name; the ports of a helper program follow from it.
  var words: GraphWords {
    var words = GraphWords()
    words.add("type", isTypeGuessed ? "guessed" : type.name, meaning: type.name)
    words.add("mirrored", GraphWords.flag(isMirrored))
    words.add("direction", direction.rawValue)
    if let helper {
      words.add(helper.key, helper.words)
    } else {
      words.add("ports", GraphWords.list(ports.map(\.description)))
    }
    words.add("align", alignment?.text)
    words.add("fallback", fallback)
    words.add("gain", GraphWords.gain(gainDB))
    words.add("mute", GraphWords.flag(isMuted))
    words.add("limiter", limiter?.words)
    words.add("label", label)
    words.add("color", color?.hex)
    words.add("inserts", GraphWords.listIfAny(inserts.map(\.text)))
    words.add("wet", wet.graphText)
    return words
  }
}

extension GraphFile.Route.Alignment {
  /// The value of `align`. [any-thread]
  fileprivate var text: String {
    switch self {
    case .free: "free"
    case .automatic: "auto"
    case .delay(let delay): delay.graphText
    }
  }
}

extension GraphFile.Route.Limiter {
  /// All values. [any-thread]
  fileprivate var words: GraphWords {
    var words = GraphWords()
    words.add("ceiling", GraphWords.gain(ceilingDB))
    words.add("release", releaseDuration.graphText)
    words.add("lookahead", lookaheadDuration.graphText)
    return words
  }
}

/// The words of helper programs. [any-thread]
extension GraphFile.Route.Helper {
  fileprivate var key: String {
    switch self {
    case .device: "device"
    case .njbridge: "njbridge"
    case .jacktrip: "jacktrip"
    }
  }

  fileprivate var words: GraphWords {
    var words = GraphWords()
    switch self {
    case .device(let device):
      words.add("name", device.name)
      words.add("channels", "\(device.channels)")
      words.add("sampleRate", device.sampleRateHz.map { GraphWords.rate(Double($0)) })
      words.add("frames", device.periodFrames.map { "\($0)" })
      words.add("periods", device.periods.map { "\($0)" })
      words.add("slack", device.slackDuration.graphText)
    case .njbridge(let bridge):
      words.add("address", bridge.address)
      words.add("port", "\(bridge.port)")
      words.add("channels", "\(bridge.channels)")
      words.add("samples", bridge.samples.rawValue)
      words.add("buffer", bridge.bufferDuration.graphText)
    case .jacktrip(let trip):
      words.add("address", trip.address)
      words.add("port", "\(trip.port)")
      words.add("peerPort", "\(trip.peerPort)")
      words.add("channels", "\(trip.channels)")
      words.add("queue", "\(trip.queuePackets)")
      words.add("redundancy", "\(trip.redundancy)")
      words.add("bits", "\(trip.bits)")
    }
    return words
  }
}
