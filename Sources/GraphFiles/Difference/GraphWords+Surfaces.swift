// SPDX-License-Identifier: MIT

/// The words of control surfaces and MIDI controllers. [any-thread]
extension GraphFile.Surfaces {
  /// The values of a surface; nil for one that is not served.
  func words(of surface: GraphChange.Surface) -> GraphWords? {
    var words = GraphWords()
    switch surface {
    case .osc:
      guard let osc else { return nil }
      words.add("port", "\(osc.port)")
      words.add("tcp", GraphWords.flag(osc.tcp))
      words.add("lan", GraphWords.flag(osc.lan))
    case .oscquery:
      guard let oscquery else { return nil }
      words.add("port", "\(oscquery.port)")
      words.add("lan", GraphWords.flag(oscquery.lan))
    case .mackie:
      guard !mackie.isEmpty else { return nil }
      for (index, unit) in mackie.enumerated() {
        words.add("unit \(index + 1)", unit.words.inBraces())
      }
    case .xair:
      guard let xair else { return nil }
      words.add("port", "\(xair.port)")
      words.add("lan", GraphWords.flag(xair.lan))
    case .web:
      guard let web else { return nil }
      words.add("port", "\(web.port)")
      words.add("lan", GraphWords.flag(web.lan))
      words.add("certificate", web.certificate?.path)
      words.add("key", web.certificate?.keyPath)
    }
    return words
  }
}

extension GraphFile.MackieUnit {
  /// All values. [any-thread]
  fileprivate var words: GraphWords {
    var words = GraphWords()
    words.add("device", device)
    words.add("model", model.rawValue)
    words.add("extender", GraphWords.flag(isExtender))
    words.add("colors", GraphWords.flag(hasColors))
    return words
  }
}

extension GraphFile.Controller {
  /// All values but the name and the mappings. [any-thread]
  var words: GraphWords {
    var words = GraphWords()
    words.add("device", device.description)
    words.add("mapping", mappingFile)
    words.add("feedback.perSecond", messagesPerSecond.map { "\($0)" })
    return words
  }

  /// The mappings that differ from those of an older version, each by its control. [any-thread]
  func mappingChanges(since old: GraphFile.Controller) -> [GraphChange.Value] {
    let changes = ListChanges(from: old.mappings.map(\.words), to: mappings.map(\.words)) {
      $0.entries.first
    }
    return changes.entries.map { entry in
      let control = (entry.new ?? entry.old)?.entries.first?.text ?? ""
      if entry.isMoved {
        return GraphChange.Value(
          "place of \(control) in map",
          from: entry.oldIndex.map { "\($0 + 1)" },
          to: entry.newIndex.map { "\($0 + 1)" },
        )
      }
      return GraphChange.Value(
        "map \(control)",
        from: entry.old?.inBraces(),
        to: entry.new?.inBraces(),
      )
    }
  }
}

extension ControlMapping {
  /// All values, the control first. [any-thread]
  fileprivate var words: GraphWords {
    var words = GraphWords()
    words.add("control", control.description)
    switch target {
    case .parameter(let path): words.add("parameter", path)
    case .scene(let name): words.add("scene", name)
    }
    words.add("mode", mode.rawValue)
    words.add("takeover", takeover.rawValue)
    words.add("from", from?.graphText)
    words.add("to", to?.graphText)
    words.add("steps", "\(steps)")
    words.add("touch", touch?.description)
    if let feedback {
      words.add(
        "feedback",
        "{control: \(feedback.control), off: \(feedback.off), on: \(feedback.on)}"
      )
    }
    return words
  }
}
