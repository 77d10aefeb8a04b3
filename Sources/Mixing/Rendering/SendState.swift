// SPDX-License-Identifier: MIT

/// One cell of the matrix: from one input channel to one output channel.
///
/// Its one ramp is the coefficient: gain of the send × pan × cell of the matrix.
@safe
struct SendState {
  let ramps: RampGroup
  /// The product of all factors, as heard at the present frame.
  var gain: Float = 0
  /// The product of all factors at the end of the cell that is being rendered.
  var endGain: Float = 0
}
