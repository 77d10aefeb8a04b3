// SPDX-License-Identifier: MIT

import CMixKernels

/// Owns a limiter.
@safe
final class LimiterBlock {
  let pointer: OpaquePointer
  private(set) var values: LimiterValues

  /// Makes a limiter; the audio thread does not have it yet.
  init(channels: Int, values: LimiterValues) {
    guard
      let pointer = unsafe mix_limiter_create(Int32(channels), Int32(values.lookaheadFrames))
    else { preconditionFailure("no memory for a limiter") }
    unsafe self.pointer = pointer
    self.values = values
    unsafe mix_limiter_set(pointer, values.ceiling, values.release)
  }

  deinit {
    unsafe mix_limiter_destroy(pointer)
  }

  /// Sets the limiter by a command that is still to be delivered.
  func set(_ values: LimiterValues) -> Command {
    self.values = values
    return unsafe Command(
      target: UnsafeMutableRawPointer(pointer),
      value: values.ceiling,
      extra: values.release,
      kind: .limiter,
    )
  }
}
