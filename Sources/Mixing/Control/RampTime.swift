// SPDX-License-Identifier: MIT

import Realtime

/// A ``Fade`` in the engine's own frames.
struct RampTime {
  var frames: UInt32
  var shape: Ramp.Shape
}
