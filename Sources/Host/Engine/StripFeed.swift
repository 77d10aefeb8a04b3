// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import JACK
internal import Mixing
internal import Synchronization

/// A file that the host plays into a session's strip, heard in the cycle that plays it: it passes no port.
///
/// Belongs to the control thread.
final class StripFeed {
  /// The control side of the file.
  let player: FilePlayer
  /// The audio side.
  let cell: StripFeedCell

  /// Takes over an opened file, which waits for the gate of its strip.
  init(_ player: FilePlayer) {
    self.player = player
    cell = StripFeedCell(player.source)
  }

  // The last arrangement with the cell has let go of it.
  deinit { cell.free() }
}

/// The audio side of a ``StripFeed``: a pointer, valid while the feed lives.
///
/// Made by the control thread, and played by one callback.
@safe
struct StripFeedCell: BitwiseCopyable {
  @safe
  private struct Shared: ~Copyable {
    /// Whether the file begins even behind a closed gate.
    let beginsUnheard = Atomic(false)
    /// Whether the file has begun; the audio thread's own.
    var hasBegun = false
  }

  /// The channels of the strip.
  let channels: Int
  private let source: FilePlayerSource
  private let shared: UnsafeMutablePointer<Shared>
  private let memory: UnsafeMutablePointer<Float>
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  /// Allocates the buffers for the longest cycle; `free` releases them. [control-thread]
  init(_ source: FilePlayerSource) {
    self.source = source
    channels = source.channels
    let count = channels * CycleHandover.capacityFrames
    unsafe memory = .allocate(capacity: count)
    // Touched now, so that the first cycle takes no page fault.
    unsafe memory.initialize(repeating: 0, count: count)
    unsafe outputs = .allocate(capacity: channels)
    for channel in 0..<channels {
      unsafe (outputs + channel).initialize(to: memory + channel * CycleHandover.capacityFrames)
    }
    unsafe shared = .allocate(capacity: 1)
    unsafe shared.initialize(to: Shared())
  }

  /// Releases the buffers, once no callback uses them. [control-thread]
  func free() {
    unsafe shared.deinitialize(count: 1)
    unsafe shared.deallocate()
    unsafe outputs.deallocate()
    unsafe memory.deallocate()
  }

  /// Lets the file begin although its strip's gate is closed, as a muted one does. [control-thread]
  func beginUnheard() {
    unsafe shared.pointee.beginsUnheard.store(true, ordering: .relaxed)
  }

  /// Makes the file's next frames the strip's inputs, which have no ports.
  ///
  /// The file begins in the first cycle in which the gate of its strip is open, so that its first frame is heard.
  ///
  /// - Parameters:
  ///   - inputs: The inputs of the mix.
  ///   - first: The index of the strip's first input.
  ///   - renderer: The mix, whose cycle has begun.
  ///   - frames: Frames in the cycle.
  ///   - deadlineNanoseconds: The time until which the disk is waited for; 0 to wait never.
  /// [audio-thread] — never allocates.
  @_noLocks @_noAllocation
  func play(
    into inputs: UnsafeMutablePointer<UnsafePointer<Float>?>,
    first: Int,
    _ renderer: MixRenderer,
    frames: Int,
    until deadlineNanoseconds: UInt64 = 0,
  ) {
    guard frames <= CycleHandover.capacityFrames else { return }
    if unsafe !shared.pointee.hasBegun {
      let begins = unsafe shared.pointee.beginsUnheard.load(ordering: .relaxed)
      guard begins || renderer.isGateOpen(ofInput: first) else { return }
      unsafe shared.pointee.hasBegun = true
    }
    unsafe source.read(
      into: UnsafePointer(outputs),
      frames: frames,
      until: deadlineNanoseconds,
    )
    for channel in 0..<channels {
      unsafe inputs[first + channel] = UnsafePointer(outputs[channel])
    }
  }
}
