// SPDX-License-Identifier: MIT

internal import CZitaResampler
internal import JACK
internal import Realtime
internal import Synchronization

extension BridgeCore {
  /// Resamples the samples of the ports into the ring. [audio-thread & active]
  @_noLocks @_noAllocation
  mutating func play(_ scope: borrowing ProcessScope) {
    var done = 0
    while done < jackPeriodFrames {
      let count = min(Self.pieceFrames, jackPeriodFrames - done)
      interleave(scope, from: done, frames: count)
      guard send(frames: count) else {
        // The device takes no frames: its time is measured anew when it does.
        controller.lose()
        return
      }
      done += count
    }
  }

  @_noLocks @_noAllocation
  private mutating func interleave(_ scope: borrowing ProcessScope, from start: Int, frames: Int) {
    for channel in 0..<channels {
      guard let port = inputs[channel] else { continue }
      let samples = unsafe scope.samples(of: port)
      for frame in 0..<min(frames, samples.count - start) {
        unsafe scratch[frame * channels + channel] = samples[start + frame]
      }
    }
    guard fadeFramesLeft > 0 else { return }
    for frame in 0..<frames {
      let gain = nextFadeGain()
      for channel in 0..<channels { unsafe scratch[frame * channels + channel] *= gain }
    }
  }

  /// - Returns: False when the ring is full.
  @_noLocks @_noAllocation
  private mutating func send(frames: Int) -> Bool {
    var used = 0
    while used < frames {
      let room = unsafe writer.regions(maximumFrames: .max)
      guard unsafe room.firstFrames > 0 else { return false }
      let counts = unsafe zita_resampler_process(
        resampler,
        scratch + used * channels,
        UInt32(frames - used),
        room.first,
        UInt32(room.firstFrames),
      )
      writer.commit(frames: Int(counts.output_frames))
      ringPosition += Int64(counts.output_frames)
      used += Int(counts.input_frames)
    }
    return true
  }
}
