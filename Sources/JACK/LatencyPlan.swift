// SPDX-License-Identifier: MIT

internal import CJACK

/// What a client says about latencies when JACK asks.
struct LatencyPlan: Sendable {
  var paths: [LatencyPath] = []
  var own: [OwnLatency] = []

  /// Forgets a port that is about to go.
  mutating func remove(_ port: AnyClientPort) {
    paths.removeAll { $0.input == port || $0.output == port }
    own.removeAll { $0.port == port }
  }

  /// Sets the ranges of all ports that have a path or a statement of their own.
  ///
  /// Capture runs from inputs to outputs, playback the other way; a port with several paths gets
  /// the shortest and the longest of just these. In JACK's latency callback only.
  func apply(_ mode: LatencyMode) {
    var ranges: [AnyClientPort: LatencyRange] = [:]
    for path in paths {
      let (from, to) =
        mode == .capture ? (path.input, path.output) : (path.output, path.input)
      guard let range = LatencyRange(of: from, mode)?.delayed(by: path.frames) else { continue }
      ranges[to] = ranges[to]?.union(range) ?? range
    }
    for statement in own where statement.mode == mode {
      ranges[statement.port] = ranges[statement.port]?.union(statement.range) ?? statement.range
    }
    for (port, range) in ranges {
      guard let handle = unsafe port.handle else { continue }
      var range = jack_latency_range_t(min: range.minFrames, max: range.maxFrames)
      unsafe jack_port_set_latency_range(handle, mode.jack, &range)
    }
  }
}

extension LatencyRange {
  /// What JACK knows about a port now.
  init?(of port: AnyClientPort, _ mode: LatencyMode) {
    guard let handle = unsafe port.handle else { return nil }
    unsafe self.init(handle: handle, mode)
  }

  init(handle: OpaquePointer, _ mode: LatencyMode) {
    var range = jack_latency_range_t(min: 0, max: 0)
    unsafe jack_port_get_latency_range(handle, mode.jack, &range)
    self.init(minFrames: range.min, maxFrames: range.max)
  }
}

extension MetadataChange {
  init(_ change: jack_property_change_t) {
    switch change {
    case PropertyCreated: self = .created
    case PropertyDeleted: self = .deleted
    default: self = .changed
    }
  }
}
