// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles

extension Host {
  /// Says so when the way between a route and its device has become longer or shorter (HW-6).
  ///
  /// JACK finds that out some time after what has caused it, such as another buffer size: who reads a
  /// latency at that event reads the old one.
  func tellLatencies() {
    var changed: [String: UInt32] = [:]
    for route in configuration.graph.routes where helpers[route.name]?.isTimed != false {
      // JACK's 0 for a bridge that has not timed its card is no latency, but no word yet.
      guard let frames = latencyFrames(of: route), toldLatencies[route.name] != frames else {
        continue
      }
      changed[route.name] = frames
      toldLatencies[route.name] = frames
    }
    guard !changed.isEmpty else { return }
    let words = changed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value) frames" }
    publish(
      .latencyChanged,
      "latency now: \(words.joined(separator: ", "))",
      details: changed.mapValues { .integer(Int64($0)) },
    )
  }
}
