// SPDX-License-Identifier: MIT

internal import YAML

/// The keys of one source: one for its kind, the others for all or some kinds.
enum SourceKey: String, SectionKey {
  static let section = "source"
  case file, tone, input, ports, node, loop, start, resume, channels, gain, mute, pan, label,
    color, session
  case inserts, wet, meter, was

  /// The keys of which a source has exactly one.
  static let kinds: [SourceKey] = [.file, .tone, .input, .ports, .node]
}

extension GraphFile.Source {
  init(name: Field, node: YAMLNode, media: MediaFiles) {
    self.init(name: name.name, kind: .ports([]))
    guard let section = Section<SourceKey>(node, at: name.position, log: name.log) else { return }
    gainDB = section[.gain]?.decibels() ?? gainDB
    isMuted = section[.mute]?.flag() ?? isMuted
    pan = section[.pan]?.balance()
    meterTap = section[.meter]?.choice() ?? meterTap
    was = section[.was]?.graphName()
    label = section[.label]?.text(allowed: "a name for people")
    color = section[.color]?.color()
    if let keys: Section<AppSessionKey> = section[.session]?.section() {
      session = GraphFile.AppSession(keys)
    }

    inserts = section[.inserts]?.inserts() ?? inserts
    wet = section[.wet]?.share() ?? wet

    let kinds = SourceKey.kinds.filter { section[$0] != nil }
    guard let key = kinds.first else {
      let allowed = SourceKey.kinds.map(\.rawValue).joined(separator: ", ")
      section.log.error(
        at: section.position,
        "source '\(self.name)' has no kind; write one of: \(allowed)",
      )
      return
    }
    for other in kinds.dropFirst() {
      section[other]?.error("source '\(self.name)' has '\(key.rawValue)' already; keep one")
    }
    readKind(key, section, media)
    rejectForeignKeys(key, section)
  }

  private mutating func readKind(
    _ key: SourceKey,
    _ section: Section<SourceKey>,
    _ media: MediaFiles,
  ) {
    guard let field = section[key] else { return }
    let written = section[.channels]?.integer(in: 1...GraphFile.portLimit)
    switch key {
    case .file:
      (kind, channels) = field.mediaFile(section, media)
    case .tone:
      guard let keys: Section<ToneKey> = field.section() else { return }
      (kind, channels) = (.tone(Tone(keys)), written ?? 1)
    case .input:
      guard let input = field.inputKind() else { return }
      // An input route takes its channels from its ports; `fillInputChannels` sets them.
      (kind, channels) = (input, input == .systemInput ? written ?? 2 : nil)
      if input != .systemInput, let field = section[.channels] {
        field.error("an input route has the channels of its ports; remove this key")
      }
    case .node:
      guard let use = field.nodeUse(isEffect: false) else { return }
      (kind, channels) = (.node(use), written ?? 2)
    default:
      let ports = field.portSelectors()
      (kind, channels) = (.ports(ports), ports.count)
    }
  }

  /// Reports keys that do not belong to this kind of source.
  private func rejectForeignKeys(_ kind: SourceKey, _ section: Section<SourceKey>) {
    let owners: [(key: SourceKey, kinds: [SourceKey])] = [
      (.loop, [.file]), (.start, [.file]), (.resume, [.file]),
      (.channels, [.tone, .input, .node]),
    ]
    for (key, kinds) in owners where !kinds.contains(kind) {
      section[key]?.error(
        "does not belong to a source with '\(kind.rawValue)'; only to one with "
          + kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      )
    }
  }
}

extension Field {
  /// A file source, and its channels if the probe knows them.
  fileprivate func mediaFile(
    _ section: Section<SourceKey>,
    _ media: MediaFiles,
  ) -> (GraphFile.Source.Kind, channels: Int?) {
    guard let path = text(allowed: "the path of an audio file") else { return (.ports([]), nil) }
    var file = GraphFile.Source.File(path: path, resolvedPath: media.resolve(path))
    file.isLooping = section[.loop]?.flag() ?? file.isLooping
    file.startOffset =
      section[.start]?.duration(in: .zero...(.seconds(24 * 3_600))) ?? file.startOffset
    file.isResuming = section[.resume]?.flag() ?? file.isResuming
    switch media.probe.examine(file.resolvedPath) {
    case .readable(let channels, let length):
      if let length, file.startOffset > length {
        section[.start]?.error(
          "\(file.startOffset.graphText) is after the end of the file; allowed: 0 ms … "
            + "\(length.wholeMilliseconds.graphText)"
        )
      }
      return (.file(file), channels)
    case .unusable(let reason):
      error("\(MessageText.quoted(file.resolvedPath, limit: 400)): \(reason)")
      return (.file(file), nil)
    }
  }

  /// `true` for the server's capture ports, else the name of an input route.
  fileprivate func inputKind() -> GraphFile.Source.Kind? {
    let allowed = "the name of an input route, or true for the server's capture ports"
    guard let text = scalar(allowed: allowed) else { return nil }
    if case .scalar("true", isPlain: true) = node.content { return .systemInput }
    guard GraphName.isValid(text), text != "false" else {
      error("\(MessageText.quoted(text)) is not \(allowed)")
      return nil
    }
    return .inputRoute(text)
  }
}

/// The keys of a source's `tone`.
enum ToneKey: String, SectionKey {
  static let section = "tone"
  case wave, frequency, level
}

extension GraphFile.Source.Tone {
  init(_ section: Section<ToneKey>) {
    wave = section[.wave]?.choice() ?? wave
    frequencyHz = section[.frequency]?.frequencyHz(in: 0.1...96_000) ?? frequencyHz
    levelDB = section[.level]?.decibels(in: -.infinity...0) ?? levelDB
    if wave == .pinkNoise {
      section[.frequency]?.error("does not belong to 'pinkNoise'; remove it")
    }
  }
}
