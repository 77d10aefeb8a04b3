// SPDX-License-Identifier: MIT

import CMixKernels
import Realtime

extension RenderCore {
  /// Takes the level of each input on the list that was not read in this cycle yet, and cleans those with faulty samples.
  ///
  /// The level tells whether an input is clean, so a clean one costs nothing more than its meter.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func readInputs(_ inputs: UnsafePointer<UnsafePointer<Float>?>, frames: Int) {
    var waiting = 0
    for index in unsafe 0..<plan.pointee.meteredCount {
      let metered = unsafe plan.pointee.metered[index]
      let place = Int(metered.input)
      guard metered.isRead, unsafe plan.pointee.sources[place].cycle != cycleCount else { continue }
      var source = unsafe plan.pointee.sources[place]
      unsafe source.samples = inputs[place]
      source.level = MixLevel(peak: 0, squares: 0)
      source.cycle = cycleCount
      unsafe plan.pointee.sources[place] = source
      guard let samples = unsafe source.samples else { continue }
      unsafe plan.pointee.fourInputs[waiting] = samples
      unsafe plan.pointee.fourPlaces[waiting] = Int32(index)
      waiting += 1
      if waiting == 4 {
        unsafe mix_levels_of_four(
          plan.pointee.fourInputs.baseAddress,
          frames,
          plan.pointee.fourLevels.baseAddress,
        )
        for one in 0..<4 { unsafe take(plan.pointee.fourLevels[one], of: one, frames: frames) }
        waiting = 0
      }
    }
    for one in 0..<waiting {
      unsafe take(mix_level(plan.pointee.fourInputs[one], frames), of: one, frames: frames)
    }
  }

  /// Notes the level of one of the inputs that are read together, and cleans it where it needs that.
  @_noLocks
  @_noAllocation
  private mutating func take(_ level: MixLevel, of one: Int, frames: Int) {
    let metered = unsafe plan.pointee.metered[Int(plan.pointee.fourPlaces[one])]
    let place = Int(metered.input)
    unsafe plan.pointee.sources[place].level = level
    guard mix_needs_cleaning(level) else { return }
    var source = unsafe plan.pointee.sources[place]
    unsafe clean(&source, of: metered.meter, frames: frames)
    unsafe plan.pointee.sources[place] = source
  }

  /// Replaces an input by a clean copy, or by silence where there is no room for one.
  @_noLocks
  @_noAllocation
  private mutating func clean(
    _ source: inout RenderPlan.InputSource,
    of meter: UnsafeMutablePointer<StripMeter>,
    frames: Int,
  ) {
    guard let samples = unsafe source.samples else { return }
    guard let copy = unsafe cleanRoom.take(frames: frames) else {
      unsafe source.samples = nil
      source.level = MixLevel(peak: 0, squares: 0)
      unsafe meter.pointee.faults.note(silenced: frames, clamped: 0)
      return
    }
    let faults = unsafe mix_clean_input(copy, samples, frames)
    unsafe meter.pointee.faults.note(silenced: faults.silenced, clamped: faults.clamped)
    unsafe source.samples = UnsafePointer(copy)
    source.level = unsafe mix_level(copy, frames)
  }
}

/// Memory for clean copies of inputs, taken anew in each cycle.
///
/// Made and freed by control: [control-thread]; used by the audio thread.
@safe
struct CleanRoom: BitwiseCopyable {
  /// Inputs of one cycle that can be cleaned; further ones are silent.
  private static let inputCount = 16
  /// Frames of a cycle that can be cleaned: JACK's longest period.
  private static let capacityFrames = 8192

  private let memory: UnsafeMutablePointer<Float>
  private let inputCount: Int
  private let capacityFrames: Int
  private var takenCount = 0

  /// Allocates the memory; `free` releases it.
  init() {
    inputCount = Self.inputCount
    capacityFrames = Self.capacityFrames
    unsafe memory = .allocate(capacity: inputCount * capacityFrames)
    // Touched now, so that the audio thread never waits for a page.
    unsafe memory.initialize(repeating: 0, count: inputCount * capacityFrames)
  }

  /// Releases the memory.
  func free() { unsafe memory.deallocate() }

  /// Takes back all copies. [audio-thread]
  @_noLocks
  @_noAllocation
  mutating func beginCycle() { takenCount = 0 }

  /// Room for one input; nil if the cycle is too long, or all room is taken. [audio-thread]
  @_noLocks
  @_noAllocation
  mutating func take(frames: Int) -> UnsafeMutablePointer<Float>? {
    guard takenCount < inputCount, frames <= capacityFrames else { return nil }
    defer { takenCount += 1 }
    return unsafe memory + takenCount * capacityFrames
  }
}
