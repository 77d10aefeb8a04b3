// SPDX-License-Identifier: MIT

import Mixing

/// The mixes that are measured without JACK.
///
/// A plain value: [any-thread].
public enum EngineMix: String, Sendable, CaseIterable {
  /// 10 mono strips × 4 routes, all 40 sends live.
  case small
  /// The same 40 sends in a matrix of 256 × 32.
  case dense
  /// 40 sends spread over the matrix of 256 × 32.
  case scattered
  /// 8 stereo strips, each sent to each of 4 stereo routes.
  case callback

  /// The specification.
  var spec: MixSpec {
    var spec =
      switch self {
      case .small: MixSpec.grid(strips: 10, routes: 4, channels: 1)
      case .dense, .scattered: MixSpec.grid(strips: 256, routes: 32, channels: 1)
      case .callback: MixSpec.grid(strips: 8, routes: 4, channels: 2)
      }
    switch self {
    case .small, .dense:
      for send in 0..<40 { spec.addSend(strip: send % 10, route: send / 10) }
    case .scattered:
      // Steps that share no divisor with the size reach every part of the matrix.
      for send in 0..<40 { spec.addSend(strip: send * 77 % 256, route: send * 13 % 32) }
    case .callback:
      for send in 0..<32 { spec.addSend(strip: send % 8, route: send / 8) }
    }
    return spec
  }
}
