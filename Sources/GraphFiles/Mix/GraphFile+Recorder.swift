// SPDX-License-Identifier: MIT

internal import YAML

extension GraphFile {
  /// A recording of a source or an output route, one entry of `recorders`.
  public struct Recorder: Sendable, Equatable {
    /// The name for other programs.
    public var name: String
    /// The name of the source or output route that is recorded.
    public var subject: String
    /// The path as written in the graph file.
    public var path: String
    /// The path to open: `path`, from the graph file's folder if it was relative.
    public var resolvedPath: String
    /// The kind of file.
    public var format = Format.wav
    /// The format of a sample.
    public var samples = Samples.float32
    /// When a new file begins; nil for never.
    public var split: Split?
    /// The longest stall of the disk without a loss, 0.1…60 s.
    public var bufferDuration = Duration.seconds(4)
    /// Whether it begins with the host, and not on request only.
    public var startsWithHost = true

    /// Makes a recorder with all defaults.
    public init(name: String, subject: String, path: String, resolvedPath: String) {
      self.name = name
      self.subject = subject
      self.path = path
      self.resolvedPath = resolvedPath
    }
  }
}

extension GraphFile.Recorder {
  /// The most channels of a FLAC file.
  public static let flacChannelLimit = 8

  /// The kind of file; the raw value is the name in the file.
  public enum Format: String, Sendable, CaseIterable {
    /// WAV, or RF64 past 4 GiB.
    case wav
    /// Lossless, half the size, at most 8 channels.
    case flac
  }

  /// The format of a file with this name, where nothing else says it; nil for a name that promises another format.
  ///
  /// A name without an ending is a WAV file.
  public static func format(ofFile path: String) -> Format? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return .wav }
    switch name[name.index(after: dot)...].lowercased() {
    case "wav", "wave", "rf64": return .wav
    case "flac": return .flac
    default: return nil
    }
  }

  /// The advice for a name for which ``format(ofFile:)`` is nil.
  public static let formatAdvice =
    "a name that ends in .wav or .flac, or 'format: wav' or 'format: flac'"

  /// The format of a sample; the raw value is the name in the file.
  public enum Samples: String, Sendable, CaseIterable {
    /// 16 bit integers.
    case pcm16
    /// 24 bit integers.
    case pcm24
    /// 32 bit floats; WAV only.
    case float32
  }

  /// When a new file begins.
  public enum Split: Sendable, Equatable {
    /// After this time, 1 s…24 h.
    case duration(Duration)
    /// Before the uncompressed samples exceed this many bytes, 1 MB…1 TB.
    case bytes(Int)
  }
}

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
    let named = Self.format(ofFile: path)
    format = section[.format]?.choice() ?? named ?? .wav
    if named == nil, section[.format] == nil {
      section[.file]?.error(
        "a recorder cannot write the format of \(MessageText.quoted(path)); allowed: \(Self.formatAdvice)"
      )
    }
    samples = section[.samples]?.choice() ?? (format == .flac ? .pcm24 : .float32)
    if format == .flac, samples == .float32 {
      section[.samples]?.error("FLAC holds no floats; allowed: pcm16, pcm24")
    }
  }
}

extension GraphChecks {
  /// Checks that recorders record something that exists, in files of their own, in a format that can hold it.
  func checkRecorders() {
    var paths: [String: String] = [:]
    for recorder in graph.recorders {
      checkSubject(of: recorder)
      guard !recorder.resolvedPath.isEmpty else { continue }
      if let other = paths.updateValue(recorder.name, forKey: recorder.resolvedPath) {
        log.error(
          at: map.position("recorders", .key(recorder.name), "file"),
          "file: recorder '\(other)' writes to this file already; each recorder needs a file of its own",
        )
      }
    }
  }

  private func checkSubject(of recorder: GraphFile.Recorder) {
    let position = map.position("recorders", .key(recorder.name), "from")
    let route = routes[recorder.subject]
    let source = sources[recorder.subject]
    guard !recorder.subject.isEmpty else { return }
    guard route != nil || source != nil else {
      let outputs = graph.routes.filter { $0.direction == .output }
      let known = outputs.map(\.name) + graph.sources.map(\.name)
      log.error(at: position, unknown(recorder.subject, "source or output route", known, "from"))
      return
    }
    if let route, isSound(route), route.direction == .input {
      log.error(
        at: position,
        "from: '\(route.name)' is an input route; record a source that hears it "
          + "('input: \(route.name)')",
      )
    }
    let limit = GraphFile.Recorder.flacChannelLimit
    if recorder.format == .flac, let channels = route?.channels ?? source?.channels,
      channels > limit
    {
      log.error(
        at: map.keyPosition("recorders", .key(recorder.name)),
        "recorder '\(recorder.name)': FLAC holds at most \(limit) channels and "
          + "'\(recorder.subject)' has \(channels); write 'format: wav'",
      )
    }
  }
}
