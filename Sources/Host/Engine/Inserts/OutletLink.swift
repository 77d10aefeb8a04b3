// SPDX-License-Identifier: MIT

internal import JACK

/// The two hand-overs between the mix and the outlet of a route, one in each direction.
struct OutletLink: BitwiseCopyable {
  /// From the mix, channel by channel: the samples that the effects replace, and the share of the
  /// effects, 0 … 1.
  let share: CycleHandover
  /// From the outlet, without samples: a sign that it plays.
  let playing: CycleHandover

  /// Allocates it; `free` releases it. [control-thread]
  init(channels: Int) {
    share = CycleHandover(channels: channels + 1)
    playing = CycleHandover(channels: 0)
  }

  /// Releases it.
  ///
  /// Neither callback may run any more. [control-thread]
  func free() {
    share.free()
    playing.free()
  }
}
