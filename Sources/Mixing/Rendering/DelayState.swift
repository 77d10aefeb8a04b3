// SPDX-License-Identifier: MIT

/// A delay of all channels of a route, in whole frames.
///
/// Every sample is written. A new delay begins once enough samples have been written, with a crossfade,
/// so that a change makes neither a click nor a gap.
///
/// Made by control: [control-thread]; its functions run on the audio thread.
@safe
struct DelayState {
  /// Frames that are written in one go before they are read back.
  static var pieceFrames: Int {
    @_noLocks @_noAllocation
    get { 1024 }
  }

  /// Channel behind channel, each a ring of ``capacityFrames``.
  let samples: UnsafeMutablePointer<Float>
  let channels: Int
  /// A power of two: the longest delay and a piece fit.
  let capacityFrames: Int
  let fadeFrames: Int

  /// The delay that is heard, or faded to.
  private(set) var frames: Int
  /// The delay that is asked for.
  var wantedFrames: Int
  /// The delay that is faded from.
  private var formerFrames = 0
  private var fadeRemaining = 0
  /// Frames written since the start.
  private var position = 0
  /// Number of frames in the ring that this route has written.
  private var historyFrames: Int
  /// Frames of exact silence written last.
  private var silentFrames: Int

  /// Starts with a delay, behind silence.
  ///
  /// - Parameters:
  ///   - samples: Room for all channels' rings.
  ///   - channels: Of the route.
  ///   - capacityFrames: Of one ring, a power of two.
  ///   - fadeFrames: Length of the fade to another delay.
  ///   - frames: The delay.
  ///   - isNew: Whether the route has played no samples yet, so that its past is silence.
  init(
    samples: UnsafeMutablePointer<Float>,
    channels: Int,
    capacityFrames: Int,
    fadeFrames: Int,
    frames: Int,
    isNew: Bool,
  ) {
    unsafe self.samples = samples
    self.channels = channels
    self.capacityFrames = capacityFrames
    self.fadeFrames = fadeFrames
    self.frames = isNew ? frames : 0
    wantedFrames = frames
    historyFrames = isNew ? capacityFrames : 0
    silentFrames = isNew ? capacityFrames : 0
  }

  /// Whether the line contains only silence.
  var isAtRest: Bool {
    @_noLocks @_noAllocation
    get { silentFrames >= capacityFrames }
  }

  /// Delays a block in place.
  ///
  /// - Parameters:
  ///   - outputs: A pointer for each channel; nil is silence and stays it.
  ///   - frames: Frames in the block.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func process(_ outputs: UnsafePointer<UnsafeMutablePointer<Float>?>, frames: Int) {
    var done = 0
    while done < frames {
      let count = min(Self.pieceFrames, frames - done)
      unsafe write(outputs, from: done, frames: count)
      if fadeRemaining == 0, wantedFrames != self.frames, wantedFrames <= historyFrames {
        formerFrames = self.frames
        self.frames = wantedFrames
        fadeRemaining = fadeFrames
      }
      unsafe read(outputs, from: done, frames: count)
      fadeRemaining -= min(fadeRemaining, count)
      position &+= count
      historyFrames = min(historyFrames + count, capacityFrames - Self.pieceFrames)
      done += count
    }
  }

  @_noLocks
  @_noAllocation
  private mutating func write(
    _ outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    from offset: Int,
    frames count: Int,
  ) {
    let mask = capacityFrames - 1
    var sum: Float = 0
    for channel in 0..<channels {
      let ring = unsafe samples + channel * capacityFrames
      if let source = unsafe outputs[channel] {
        for index in 0..<count {
          let sample = unsafe source[offset + index]
          sum += abs(sample)
          unsafe ring[(position &+ index) & mask] = sample
        }
      } else {
        for index in 0..<count { unsafe ring[(position &+ index) & mask] = 0 }
      }
    }
    silentFrames = sum == 0 ? min(silentFrames + count, capacityFrames) : 0
  }

  @_noLocks
  @_noAllocation
  private func read(
    _ outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    from offset: Int,
    frames count: Int,
  ) {
    let mask = capacityFrames - 1
    let faded = min(fadeRemaining, count)
    let step = 1 / Float(fadeFrames)
    for channel in 0..<channels {
      guard let target = unsafe outputs[channel] else { continue }
      let ring = unsafe samples + channel * capacityFrames
      for index in 0..<faded {
        let former = Float(fadeRemaining - index) * step
        let old = unsafe ring[(position &+ index &- formerFrames) & mask]
        let new = unsafe ring[(position &+ index &- frames) & mask]
        unsafe target[offset + index] = old * former + new * (1 - former)
      }
      for index in faded..<count {
        unsafe target[offset + index] = ring[(position &+ index &- frames) & mask]
      }
    }
  }
}
