// SPDX-License-Identifier: MIT

/// The words of the mix and of what is done with it. [any-thread]
extension GraphFile.Send {
  /// All values but the names of source and route.
  var words: GraphWords {
    var words = GraphWords()
    words.add("gain", GraphWords.gain(gainDB))
    words.add("pan", pan.graphText)
    words.add("mute", GraphWords.flag(isMuted))
    words.add("preFader", GraphWords.flag(isPreFader))
    words.add("channels", channels.map { GraphWords.list($0.map(\.text)) })
    return words
  }
}

extension GraphFile.Send.ChannelSend {
  /// The cell as a list. [any-thread]
  fileprivate var text: String {
    let pair = ["\(sourceChannel)", "\(routeChannel)"]
    return GraphWords.list(gainDB == 0 ? pair : pair + [GraphWords.gain(gainDB)])
  }
}

extension GraphFile.Recorder {
  /// All values but the name. [any-thread]
  var words: GraphWords {
    var words = GraphWords()
    words.add("from", subject)
    words.add("file", path, meaning: resolvedPath)
    words.add("format", format.rawValue)
    words.add("samples", samples.rawValue)
    switch split {
    case .duration(let duration): words.add("splitAfter", duration.graphText)
    case .bytes(let bytes): words.add("splitSize", "\((Double(bytes) / 1e6).graphText) MB")
    case nil: break
    }
    words.add("buffer", bufferDuration.graphText)
    words.add("start", GraphWords.flag(startsWithHost))
    return words
  }
}

extension GraphFile.Crossfader {
  /// All values. [any-thread]
  var words: GraphWords {
    var words = GraphWords()
    words.add("a", GraphWords.list(a))
    words.add("b", GraphWords.list(b))
    words.add("curve", curve.rawValue)
    words.add("position", position.graphText)
    return words
  }
}

extension GraphFile.Cue {
  /// All values. [any-thread]
  var words: GraphWords {
    var words = GraphWords()
    words.add("to", route)
    words.add("gain", GraphWords.gain(gainDB))
    words.add("sources", GraphWords.listIfAny(sources))
    return words
  }
}
