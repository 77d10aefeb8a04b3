// SPDX-License-Identifier: MIT

/// The keys of one recorder.
enum RecorderKey: String, SectionKey {
  static let section = "recorder"
  case from, file, format, samples, splitAfter, splitSize, buffer, start
}

extension GraphFile.Recorder {
  init(name: Field, node: YAMLNode, media: MediaFiles) {
    self.init(name: name.name, subject: "", path: "", resolvedPath: "")
    guard let section = Section<RecorderKey>(node, at: name.position, log: name.log) else { return }
    subject = section.required(.from, example: "ROUTE")?.graphName() ?? ""
    path = section.required(.file, example: "set.wav")?.text(allowed: "a path") ?? ""
    resolvedPath = media.resolve(path)
    readFormat(section)
    if let duration = section[.splitAfter]?.duration(in: .seconds(1)...(.seconds(86_400))) {
      split = .duration(duration)
    }
    if let bytes = section[.splitSize]?.bytes(in: 1_000_000...1_000_000_000_000) {
      split = .bytes(bytes)
      if section[.splitAfter] != nil {
        section[.splitSize]?.error("'splitAfter' is there too; keep one of them")
      }
    }
    bufferDuration =
      section[.buffer]?.duration(in: .milliseconds(100)...(.seconds(60))) ?? bufferDuration
    startsWithHost = section[.start]?.flag() ?? startsWithHost
  }

  private mutating func readFormat(_ section: Section<RecorderKey>) {
    let isNamedFLAC = path.utf8.count > 5 && path.lowercased().hasSuffix(".flac")
    format = section[.format]?.choice() ?? (isNamedFLAC ? .flac : .wav)
    samples = section[.samples]?.choice() ?? (format == .flac ? .pcm24 : .float32)
    if format == .flac, samples == .float32 {
      section[.samples]?.error("FLAC holds no floats; allowed: pcm16, pcm24")
    }
  }
}
