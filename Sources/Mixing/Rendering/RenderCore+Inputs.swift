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
    let isAnyUnclean = unsafe mix_read_inputs(
      inputs,
      plan.pointee.readPlaces.baseAddress,
      Int32(plan.pointee.readCount),
      frames,
      cycleCount,
      plan.pointee.inputs.baseAddress,
    )
    guard isAnyUnclean else { return }
    for index in unsafe 0..<plan.pointee.strips.count {
      let strip = unsafe plan.pointee.strips[index]
      for channel in 0..<Int(strip.channels) {
        let place = Int(strip.firstInput) + channel
        let input = unsafe plan.pointee.inputs[place]
        // One that was not read in this cycle keeps a level that was cleaned earlier.
        guard unsafe mix_needs_cleaning(input.level) else { continue }
        unsafe clean(place, noting: strip.faults + channel, frames: frames)
      }
    }
  }

  /// Replaces an input by a clean copy, or by silence where there is no room for one.
  @_noLocks
  @_noAllocation
  private mutating func clean(
    _ place: Int,
    noting noted: UnsafeMutablePointer<FaultCell>,
    frames: Int,
  ) {
    guard let samples = unsafe plan.pointee.inputs[place].samples else { return }
    guard let copy = unsafe cleanRoom.take(frames: frames) else {
      unsafe plan.pointee.inputs[place].samples = nil
      unsafe plan.pointee.inputs[place].level = MixLevel(peak: 0, squares: 0)
      unsafe noted.pointee.note(silenced: frames, clamped: 0)
      return
    }
    let faults = unsafe mix_clean_input(copy, samples, frames)
    unsafe noted.pointee.note(silenced: faults.silenced, clamped: faults.clamped)
    unsafe plan.pointee.inputs[place].samples = UnsafePointer(copy)
    unsafe plan.pointee.inputs[place].level = mix_level(copy, frames)
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
