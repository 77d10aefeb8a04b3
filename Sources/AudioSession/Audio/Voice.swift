// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import Realtime
internal import Synchronization

/// One player's share of the app's output: its source, where its channels go, and how loud.
///
/// Owned by the control side; the audio thread reads ``State`` through a pointer, for as long as a plan that has
/// it is in force.
@safe
final class Voice: @unchecked Sendable {
  /// What the audio thread works on.
  @safe
  struct State: ~Copyable {
    let source: FilePlayerSource
    /// For each channel the app's output that it goes to, -1 for none.
    let outputs: UnsafeMutablePointer<Int32>
    /// For each channel the gain it has reached; the audio thread's own.
    let gains: UnsafeMutablePointer<Float>
    /// For each channel the gain it goes to, as a bit pattern.
    let targets: UnsafeMutablePointer<Atomic<UInt32>>
    /// For each channel its level.
    let meters: UnsafeMutablePointer<MeterCell>
    let samples: UnsafeMutablePointer<Float>
    /// For each channel where the source writes.
    let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    /// How much a gain of 1 takes, in frames.
    let fadeFrames = Atomic<Int>(240)
    /// The frame at which the source starts, 0 for at once.
    let startFrame = Atomic<UInt64>(0)
  }

  let player: FilePlayer
  let state: UnsafeMutablePointer<State>
  let channels: Int

  /// Allocates all that the audio thread needs. [control-thread]
  init(player: FilePlayer, outputs: [Int]) {
    self.player = player
    let channels = player.source.channels
    self.channels = channels
    let map = UnsafeMutablePointer<Int32>.allocate(capacity: channels)
    let gains = UnsafeMutablePointer<Float>.allocate(capacity: channels)
    let targets = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: channels)
    let meters = UnsafeMutablePointer<MeterCell>.allocate(capacity: channels)
    let samples = UnsafeMutablePointer<Float>.allocate(
      capacity: channels * VoiceLimits.maximumFrames
    )
    let buffers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: channels)
    unsafe samples.initialize(repeating: 0, count: channels * VoiceLimits.maximumFrames)
    for channel in 0..<channels {
      unsafe (map + channel).initialize(to: Int32(channel < outputs.count ? outputs[channel] : -1))
      unsafe (gains + channel).initialize(to: 1)
      unsafe (targets + channel).initialize(to: Atomic(Float(1).bitPattern))
      unsafe (meters + channel).initialize(to: MeterCell())
      unsafe (buffers + channel).initialize(to: samples + channel * VoiceLimits.maximumFrames)
    }
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: State(
        source: player.source,
        outputs: map,
        gains: gains,
        targets: targets,
        meters: meters,
        samples: samples,
        buffers: buffers,
      )
    )
  }

  deinit {
    unsafe state.pointee.outputs.deallocate()
    unsafe state.pointee.gains.deallocate()
    unsafe state.pointee.targets.deinitialize(count: channels)
    unsafe state.pointee.targets.deallocate()
    unsafe state.pointee.meters.deinitialize(count: channels)
    unsafe state.pointee.meters.deallocate()
    unsafe state.pointee.samples.deallocate()
    unsafe state.pointee.buffers.deallocate()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Sends the channels to other gains. [any-thread]
  func setGains(_ gains: [Float], fadeFrames: Int) {
    unsafe state.pointee.fadeFrames.store(max(1, fadeFrames), ordering: .relaxed)
    for (channel, gain) in gains.prefix(channels).enumerated() {
      unsafe state.pointee.targets[channel].store(gain.bitPattern, ordering: .relaxed)
    }
  }

  /// Starts at a frame of JACK's time, unwrapped; 0 is at once. [any-thread]
  func setStart(frame: UInt64) {
    unsafe state.pointee.startFrame.store(frame, ordering: .relaxed)
  }

  /// The level of a channel since the last reading. [control-thread]
  func level(ofChannel channel: Int) -> MeterReading {
    guard (0..<channels).contains(channel) else { return MeterReading(peakLinear: 0, rmsLinear: 0) }
    return unsafe state.pointee.meters[channel].read()
  }
}

/// Bounds of a voice's memory.
enum VoiceLimits {
  /// The most frames that are rendered at once.
  static var maximumFrames: Int { @_noLocks @_noAllocation get { 8_192 } }
}
