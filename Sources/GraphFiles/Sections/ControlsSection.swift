// SPDX-License-Identifier: MIT

/// The keys of `controls`.
enum ControlsKey: String, SectionKey {
  static let section = "controls"
  case crossfader, cue
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
  /// One source's name or a list of them; faulty names stay in as empty ones to keep the order.
  fileprivate func sourceNames() -> [String] {
    if case .scalar = node.content { return [graphName() ?? ""] }
    let entries = list(allowed: "a source or a list of sources", limit: GraphFile.portLimit)
    return entries?.map { $0.graphName() ?? "" } ?? []
  }
}
