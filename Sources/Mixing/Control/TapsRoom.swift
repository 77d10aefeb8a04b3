// SPDX-License-Identifier: MIT

import CMixKernels

/// Memory for the meters of channels, side by side: the audio thread works on all of them in each cycle, and so they take few
/// cache lines.
///
/// Belongs to control: [control-thread].
final class TapsRoom {
  private var slab = Slab(capacity: slabCapacity)

  /// Gives memory for the meters of some channels.
  ///
  /// - Parameter channels: Their number, 0 or more.
  /// - Returns: The meters, all silent; their memory is freed with the last ``ChannelTaps`` of its slab.
  ///
  /// [control-thread]
  func take(_ channels: Int) -> ChannelTaps {
    if channels > slab.room { slab = Slab(capacity: max(channels, Self.slabCapacity)) }
    return unsafe ChannelTaps(first: slab.take(channels), slab: slab)
  }

  /// Meters with one allocation: [control-thread].
  @safe
  fileprivate final class Slab {
    private let taps: UnsafeMutablePointer<MixTaps>
    private let capacity: Int
    private var used = 0

    init(capacity: Int) {
      self.capacity = capacity
      let bytes = UnsafeMutableRawPointer.allocate(
        byteCount: capacity * MemoryLayout<MixTaps>.stride,
        alignment: lineBytes,
      )
      unsafe taps = bytes.initializeMemory(as: MixTaps.self, repeating: MixTaps(), count: capacity)
    }

    deinit { unsafe taps.deallocate() }

    var room: Int { capacity - used }

    func take(_ channels: Int) -> UnsafeMutablePointer<MixTaps> {
      defer { used += channels }
      return unsafe taps + used
    }
  }

  private static let slabCapacity = 64
  private static let lineBytes = 64
}

/// The meters of some channels, in memory that lives as long as this.
///
/// Made by control; the audio thread works on the memory: [control-thread].
@safe
struct ChannelTaps {
  /// That of the first channel; the others follow it.
  let first: UnsafeMutablePointer<MixTaps>
  private let slab: TapsRoom.Slab

  fileprivate init(first: UnsafeMutablePointer<MixTaps>, slab: TapsRoom.Slab) {
    unsafe self.first = first
    self.slab = slab
  }
}
