// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import Realtime
internal import Synchronization

/// A player's part of the app's output: its source, its outputs and its gains.
///
/// The control side owns it. The audio thread reads ``State`` through a pointer while a plan that has the voice is in use.
@safe
final class Voice: @unchecked Sendable {
  /// The part that the audio thread works on.
  @safe
  struct State: ~Copyable {
    let source: FilePlayerSource
    /// For each channel the index of the app's output; -1 for no output.
    let outputs: UnsafeMutablePointer<Int32>
    /// For each channel its gain now; belongs to the audio thread.
    let gains: UnsafeMutablePointer<Float>
    /// For each channel the gain that it fades to, as a bit pattern.
    let targets: UnsafeMutablePointer<Atomic<UInt32>>
    /// For each channel its level.
    let meters: UnsafeMutablePointer<MeterCell>
    let samples: UnsafeMutablePointer<Float>
    /// For each channel the memory that the source writes to.
    let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    /// The duration of a fade from 0 to 1, in frames.
    let fadeFrames = Atomic<Int>(240)
    /// The frame at which the source starts; 0 is at once.
    let startFrame = Atomic<UInt64>(0)
  }

  let player: FilePlayer
  let state: UnsafeMutablePointer<State>
  let channels: Int
  /// For each channel the index of the app's output; -1 for none.
  let outputs: [Int]

  /// Allocates all that the audio thread needs. [control-thread]
  ///
  /// - Parameters:
  ///   - player: The file.
  ///   - outputs: For each channel the index of the app's output; -1 for none.
  ///   - old: The player's voice that this one replaces: gains and start are taken over.
  init(player: FilePlayer, outputs: [Int], replacing old: Voice? = nil) {
    self.player = player
    self.outputs = outputs
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
    if let old { follow(old) }
  }

  /// Takes over the gains, and the start that may be still to come. [control-thread]
  private func follow(_ old: Voice) {
    for channel in 0..<min(channels, old.channels) {
      let gain = unsafe old.state.pointee.targets[channel].load(ordering: .relaxed)
      unsafe state.pointee.gains[channel] = Float(bitPattern: gain)
      unsafe state.pointee.targets[channel].store(gain, ordering: .relaxed)
    }
    let start = unsafe old.state.pointee.startFrame.load(ordering: .relaxed)
    unsafe state.pointee.startFrame.store(start, ordering: .relaxed)
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

  /// Fades the channels to new gains. [any-thread]
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

/// The audio thread's handle on a voice: a pointer that may be copied.
@safe
struct VoiceRenderer: BitwiseCopyable {
  let state: UnsafeMutablePointer<Voice.State>

  /// Adds the voice's samples of this cycle to the app's outputs.
  ///
  /// - Parameters:
  ///   - outputs: One pointer for each output of the app.
  ///   - outputCount: The number of outputs.
  ///   - frames: The cycle's length; frames above ``VoiceLimits/maximumFrames`` are skipped.
  ///   - cycleFrame: JACK's time at its first frame, unwrapped.
  /// - Complexity: O(frames × channels).
  /// [audio-thread] — never blocks, never allocates.
  @_noLocks @_noAllocation
  func render(
    into outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    outputCount: Int,
    frames: Int,
    cycleFrame: UInt64,
  ) {
    let start = unsafe state.pointee.startFrame.load(ordering: .relaxed)
    let offset = start > cycleFrame ? Int(min(start - cycleFrame, UInt64(frames))) : 0
    let count = min(frames - offset, VoiceLimits.maximumFrames)
    guard count > 0 else { return }
    let source = unsafe state.pointee.source
    unsafe source.read(into: UnsafePointer(state.pointee.buffers), frames: count)
    let step = unsafe 1 / Float(state.pointee.fadeFrames.load(ordering: .relaxed))
    for channel in 0..<source.channels {
      let target = unsafe Float(
        bitPattern: state.pointee.targets[channel].load(ordering: .relaxed)
      )
      var gain = unsafe state.pointee.gains[channel]
      let samples = unsafe state.pointee.samples + channel * VoiceLimits.maximumFrames
      let output = unsafe Int(state.pointee.outputs[channel])
      var peak: Float = 0
      var sum: Float = 0
      let destination =
        output >= 0 && output < outputCount
        ? unsafe outputs[output].map { unsafe $0 + offset } : nil
      for frame in 0..<count {
        if gain != target {
          gain = gain < target ? min(target, gain + step) : max(target, gain - step)
        }
        let sample = unsafe samples[frame] * gain
        peak = max(peak, sample.magnitude)
        sum += sample * sample
        if let destination = unsafe destination { unsafe destination[frame] += sample }
      }
      unsafe state.pointee.gains[channel] = gain
      unsafe state.pointee.meters[channel].update(
        peak: peak,
        meanSquare: sum / Float(count),
        smoothing: 0.05,
      )
    }
  }
}
