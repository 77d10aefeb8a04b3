// SPDX-License-Identifier: MIT

internal import JACK

/// What the mix and the outlet of a route tell each other in every cycle.
struct OutletLink: BitwiseCopyable {
  /// From the mix: channel by channel what the effects are to replace, and how much of them is heard, 0 … 1.
  let share: CycleHandover
  /// From the outlet, without a sample: that it plays.
  let playing: CycleHandover

  /// Allocates it; `free` releases it. [control-thread]
  init(channels: Int) {
    share = CycleHandover(channels: channels + 1)
    playing = CycleHandover(channels: 0)
  }

  /// Releases it, once neither callback runs any more. [control-thread]
  func free() {
    share.free()
    playing.free()
  }
}
