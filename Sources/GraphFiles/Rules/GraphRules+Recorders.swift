// SPDX-License-Identifier: MIT

extension GraphRules {
  /// Recorders record something that is there, in files of their own, of a format that holds it.
  func checkRecorders() {
    var paths: [String: String] = [:]
    for recorder in graph.recorders {
      checkSubject(of: recorder)
      guard !recorder.resolvedPath.isEmpty else { continue }
      if let other = paths.updateValue(recorder.name, forKey: recorder.resolvedPath) {
        log.error(
          at: map.position("recorders", .key(recorder.name), "file"),
          "file: recorder '\(other)' writes to it already; each needs a file of its own",
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
