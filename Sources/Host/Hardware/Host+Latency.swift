// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles

extension Host {
  /// Says so when the way between a route and its device has become longer or shorter (HW-6).
  ///
  /// JACK finds that out some time after what has caused it, such as another buffer size: who reads a
  /// latency at that event reads the old one.
  func tellLatencies() {
    let now = configuration.graph.routes.reduce(into: [String: UInt32]()) { frames, route in
      frames[route.name] = latencyFrames(of: route)
    }
    let changed = now.filter { toldLatencies[$0.key] != $0.value }
    toldLatencies = now
    guard !changed.isEmpty else { return }
    let words = changed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value) frames" }
    publish(
      .latencyChanged,
      "latency now: \(words.joined(separator: ", "))",
      details: changed.mapValues { .integer(Int64($0)) },
    )
  }
}
