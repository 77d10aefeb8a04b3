// SPDX-License-Identifier: MIT

internal import Sessions

/// The words of the parts that a graph has once. [any-thread]
extension GraphFile {
  /// The names of the host and of its JACK client.
  var nameWords: GraphWords {
    var words = GraphWords()
    words.add("name", name)
    words.add("client", managedName)
    return words
  }
}

extension GraphFile.Session {
  /// All values. [any-thread]
  var words: GraphWords {
    var words = GraphWords()
    words.add("category", category.name)
    words.add("mode", mode.name)
    words.add("options", GraphWords.listIfAny(options.map(\.name)))
    switch preferred.ioBuffer {
    case .duration(let duration): words.add("preferred.ioBufferDuration", duration.graphText)
    case .frames(let frames): words.add("preferred.ioBufferFrames", "\(frames)")
    case nil: break
    }
    words.add("preferred.sampleRate", preferred.sampleRateHz.map { GraphWords.rate(Double($0)) })
    words.add("preferred.inputChannels", preferred.inputChannels.map { "\($0)" })
    words.add("preferred.outputChannels", preferred.outputChannels.map { "\($0)" })
    words.add("enforce", enforcement.rawValue)
    return words
  }
}

extension GraphFile.Server {
  /// All values. [any-thread]
  var words: GraphWords {
    var words = GraphWords()
    words.add("name", name)
    words.add("start", start.rawValue)
    words.add("driver", driver.rawValue)
    words.add("device", device)
    words.add("channels.capture", captureChannels.map { "\($0)" })
    words.add("channels.playback", playbackChannels.map { "\($0)" })
    words.add("periods", periods.map { "\($0)" })
    words.add("synchronous", GraphWords.flag(isSynchronous))
    words.add("realtime", GraphWords.flag(isRealtime))
    words.add("priority", realtimePriority.map { "\($0)" })
    words.add(
      "captures",
      captures.rawValue,
      meaning: captures.rawValue + (isPlaybackOnly ? ", by a bridge of the host" : "")
    )
    words.add("arguments", GraphWords.listIfAny(arguments))
    return words
  }
}

extension GraphFile.Tower {
  /// All values. [any-thread]
  var words: GraphWords {
    var words = GraphWords()
    words.add("fade", fadeDuration.graphText)
    words.add("silentAfter", silentAfterDuration.graphText)
    words.add("duck.gain", GraphWords.gain(duck.gainDB))
    words.add("duck.ramp", duck.rampDuration.graphText)
    words.add("duck.restore", duck.restoreDuration.graphText)
    for priorityClass in PriorityClass.allCases {
      let programs = classes.filter { $0.value == priorityClass }.keys.sorted()
      words.add("classes.\(priorityClass.rawValue)", GraphWords.listIfAny(programs))
    }
    words.add("appsMayChangePolicy", GraphWords.flag(letsAppsChangePolicy))
    words.add("appsMayChooseRoutes", GraphWords.flag(letsAppsChooseRoutes))
    words.add("appliesPreferencesAtOnce", GraphWords.flag(appliesPreferencesAtOnce))
    return words
  }
}

extension GraphFile.Permissions {
  /// All values. [any-thread]
  var words: GraphWords {
    var words = GraphWords()
    words.add("default", standard.rawValue)
    for permission in GraphFile.Permission.allCases {
      let own = programs.filter { $0.value == permission }.keys.sorted()
      words.add(permission.rawValue, GraphWords.listIfAny(own))
    }
    return words
  }
}

extension GraphFile.Adoption {
  /// The clients for which it is a rule, in words. [any-thread]
  var selectorText: String {
    let parts =
      [client.map { "client \($0.text)" }, executable.map { "executable \($0.text)" }]
    let text = parts.compactMap(\.self).joined(separator: ", ")
    return text.isEmpty ? "all other clients" : text
  }

  /// All values. [any-thread]
  var words: GraphWords {
    var words = GraphWords()
    words.add("client", client?.text)
    words.add("executable", executable?.text)
    words.add("session", session?.words)
    words.add("leave", session == nil ? "true" : nil)
    words.add("routes", GraphWords.listIfAny(routes))
    start.add(to: &words)
    words.add("channels", channels.map { "\($0)" })
    for strip in strips {
      words.add("strips.\(strip.name).ports", GraphWords.list(strip.ports))
      words.add("strips.\(strip.name).routes", GraphWords.list(strip.routes))
      words.add("strips.\(strip.name).meter", strip.meterTap.rawValue)
      strip.start.add(to: &words, prefix: "strips.\(strip.name).")
    }
    // The first strip that has a port counts, so that their order is a value too.
    words.add("strips", strips.count > 1 ? GraphWords.list(strips.map(\.name)) : nil)
    words.add("pause", pause.rawValue)
    words.add("meter", meterTap.rawValue)
    words.add("patch", patch.rawValue)
    return words
  }
}

extension GraphFile.NameSelector {
  /// The selector as a graph file writes it. [any-thread]
  fileprivate var text: String {
    switch self {
    case .name(let name): name
    case .pattern(let pattern): pattern.description
    }
  }
}

extension GraphFile.PatchRule {
  /// The ports of the rule, in words. [any-thread]
  var selectorText: String {
    "\(kind.rawValue) \(source)" + (destination.map { " to \($0.text)" } ?? "")
  }

  /// All values. [any-thread]
  var words: GraphWords {
    var words = GraphWords()
    words.add(kind.rawValue, source.description)
    words.add("to", destination?.text)
    words.add("keep", kind == .connect ? keep.rawValue : nil)
    words.add("exclusive", exclusive?.rawValue)
    return words
  }
}
