// SPDX-License-Identifier: MIT

/// A way by which a change reaches the host.
///
/// A plain value: [any-thread].
public enum ControlFace: String, CaseIterable, Sendable {
  /// The method `setGain` of the control socket. The other faces are compared with it.
  case setGain
  /// The method `set` of the control socket, with the path of the same gain.
  case set
  /// An OSC message to the address of the same gain, by UDP.
  case osc
  /// A MIDI control change that is mapped to the same gain.
  case midi
  /// A MIDI control change that is mapped to the crossfader, which the audio thread moves.
  case crossfader
}

extension ControlFace {
  /// The beginning of the names of its metrics.
  var metric: String { "control.\(rawValue)" }

  /// The bar for its 99th percentile: a millisecond, and one period for MIDI or two for messages of programs.
  ///
  /// - Parameter periodMicroseconds: The length of a period.
  /// - Returns: The bar.
  func bar(periodMicroseconds: Double) -> BenchBar {
    let limit = (controlNumber == nil ? 2 : 1) * periodMicroseconds + 1_000
    return BenchBar("\(metric).p99.microseconds", .atMost, limit.rounded())
  }

  /// The number of its control change on channel 1; nil for the faces without MIDI.
  var controlNumber: UInt8? {
    switch self {
    case .setGain, .set, .osc: nil
    case .midi: 7
    case .crossfader: 8
    }
  }
}
