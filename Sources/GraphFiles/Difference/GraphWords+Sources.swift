// SPDX-License-Identifier: MIT

internal import Sessions
internal import YAML

/// The words of sources and of their sessions. [any-thread]
extension GraphFile.Source {
  /// All values but the name.
  var words: GraphWords {
    var words = GraphWords()
    add(kind, to: &words)
    words.add("channels", channels.map { "\($0)" })
    words.add("gain", GraphWords.gain(gainDB))
    words.add("mute", GraphWords.flag(isMuted))
    words.add("pan", pan?.graphText)
    words.add("meter", meterTap.rawValue)
    words.add("label", label)
    words.add("color", color?.hex)
    words.add("session", session?.words)
    words.add("inserts", GraphWords.listIfAny(inserts.map(\.text)))
    words.add("wet", wet.graphText)
    return words
  }

  private func add(_ kind: Kind, to words: inout GraphWords) {
    switch kind {
    case .file(let file):
      words.add("file", file.path, meaning: file.resolvedPath)
      words.add("loop", GraphWords.flag(file.isLooping))
      words.add("start", file.startOffset.graphText)
      words.add("resume", GraphWords.flag(file.isResuming))
    case .tone(let tone):
      words.add("tone.wave", tone.wave.rawValue)
      words.add("tone.frequency", "\(tone.frequencyHz.graphText) Hz")
      words.add("tone.level", GraphWords.gain(tone.levelDB))
    case .inputRoute(let route): words.add("input", route, meaning: "route \(route)")
    case .systemInput: words.add("input", "true", meaning: "system")
    case .ports(let ports): words.add("ports", GraphWords.list(ports.map(\.description)))
    case .node(let use): words.add("node", use.text)
    }
  }
}

extension GraphFile.NodeUse {
  /// The use of a node in one line. [any-thread]
  var text: String { node.line }
}

extension GraphFile.AppSession {
  /// All values. [any-thread]
  var words: GraphWords {
    var words = GraphWords()
    words.add("preset", preset?.rawValue)
    words.add("category", category?.name)
    words.add("mode", mode.name)
    words.add("options", GraphWords.listIfAny(options.map(\.name)))
    words.add("class", priorityClass.rawValue)
    words.add("music", music?.rawValue)
    return words
  }
}
