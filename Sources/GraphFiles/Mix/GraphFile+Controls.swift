// SPDX-License-Identifier: MIT

internal import YAML

extension GraphFile {
  /// A crossfader between two groups of sources.
  public struct Crossfader: Sendable, Equatable {
    /// The names of the sources heard at position −1.
    public var a: [String]
    /// The names of the sources heard at position 1.
    public var b: [String]
    /// The curve of the two sides.
    public var curve = Curve.equalPower
    /// The first position, −1…1.
    public var position = 0.0
  }

  /// A cue bus: chosen sources heard on one route before their faders.
  public struct Cue: Sendable, Equatable {
    /// The name of the output route for listening.
    public var route: String
    /// The gain of the bus in dB, −∞…24.
    public var gainDB = 0.0
    /// The names of the sources that start cued.
    public var sources: [String] = []
  }
}

extension GraphFile.Crossfader {
  /// The curve of a crossfader; the raw value is the name in the file.
  public enum Curve: String, Sendable, CaseIterable {
    /// The same power everywhere, −3 dB in the middle.
    case equalPower
    /// The same amplitude everywhere, −6 dB in the middle.
    case linear
    /// Both sides full except at the very ends.
    case cut
  }
}

/// The keys of `controls`.
enum ControlsKey: String, SectionKey {
  static let section = "controls"
  case crossfader, cue, midi
}

/// The keys of `controls.crossfader`.
enum CrossfaderKey: String, SectionKey {
  static let section = "crossfader"
  case a, b, curve, position
}

/// The keys of `controls.cue`.
enum CueKey: String, SectionKey {
  static let section = "cue"
  case to, gain, sources
}

extension GraphFile.Crossfader {
  init(_ section: Section<CrossfaderKey>) {
    a = section.required(.a, example: "SOURCE")?.sourceNames() ?? []
    b = section.required(.b, example: "SOURCE")?.sourceNames() ?? []
    curve = section[.curve]?.choice() ?? curve
    position = section[.position]?.balance() ?? position
  }
}

extension GraphFile.Cue {
  init(_ section: Section<CueKey>) {
    route = section.required(.to, example: "ROUTE")?.graphName() ?? ""
    gainDB = section[.gain]?.decibels() ?? gainDB
    sources = section[.sources]?.sourceNames() ?? []
  }
}

extension Field {
  /// One source's name or a list of them.
  ///
  /// Faulty names stay as empty ones to keep the order.
  func sourceNames() -> [String] {
    if case .scalar = node.content { return [graphName() ?? ""] }
    let entries = list(allowed: "a source or a list of sources", limit: GraphFile.portLimit)
    return entries?.map { $0.graphName() ?? "" } ?? []
  }
}
