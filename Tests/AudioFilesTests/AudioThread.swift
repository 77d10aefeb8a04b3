// SPDX-License-Identifier: MIT

import AudioFiles
import CRealtime

/// Stands in for the audio thread: calls the audio sides with planar buffers, as a cycle would.
///
/// Where RealtimeSanitizer is linked, it watches these calls.
struct AudioThread {
  /// Pulls frames out of a player, in cycles of these sizes by turns, and interleaves them.
  ///
  /// `beforeCycle` is called with the frames so far, such as to read ahead. Each cycle waits for the disk for `patience`.
  static func pull(
    _ source: FilePlayerSource,
    frames: Int,
    cycles: [Int],
    patienceNanoseconds patience: UInt64 = 0,
    beforeCycle: (Int) -> Void = { _ in },
  ) -> [Float] {
    unsafe render(channels: source.channels, frames: frames, cycles: cycles, beforeCycle) {
      let deadline = patience > 0 ? realtime_now_nanoseconds() + patience : 0
      unsafe source.read(into: $0, frames: $1, until: deadline)
    }
  }

  /// Pulls frames out of a tone.
  static func pull(_ source: ToneSource, channels: Int = 1, frames: Int, cycles: [Int]) -> [Float] {
    unsafe render(channels: channels, frames: frames, cycles: cycles, { _ in }) {
      unsafe source.read(into: $0, channels: channels, frames: $1)
    }
  }

  /// Gives interleaved frames to a tap, in cycles of these sizes by turns.
  ///
  /// Each cycle waits for the disk for `patience`.
  static func push(
    _ samples: [Float],
    into tap: RecorderTap,
    cycles: [Int],
    patienceNanoseconds patience: UInt64 = 0,
  ) {
    let channels = tap.channels
    let frames = samples.count / channels
    var done = 0
    var turn = 0
    while done < frames {
      let count = min(cycles[turn % cycles.count], frames - done)
      turn += 1
      let planar = UnsafeMutablePointer<Float>.allocate(capacity: max(1, count) * channels)
      let planes = UnsafeMutablePointer<UnsafePointer<Float>?>.allocate(capacity: channels)
      for channel in 0..<channels {
        unsafe (planes + channel).initialize(to: UnsafePointer(planar + channel * count))
        for frame in 0..<count {
          unsafe planar[channel * count + frame] = samples[(done + frame) * channels + channel]
        }
      }
      realtime_sanitizer_enter()
      let deadline = patience > 0 ? realtime_now_nanoseconds() + patience : 0
      unsafe tap.write(planes, frames: count, until: deadline)
      realtime_sanitizer_exit()
      unsafe planes.deallocate()
      unsafe planar.deallocate()
      done += count
    }
  }

  private static func render(
    channels: Int,
    frames: Int,
    cycles: [Int],
    _ beforeCycle: (Int) -> Void,
    _ cycle: (UnsafePointer<UnsafeMutablePointer<Float>?>, Int) -> Void,
  ) -> [Float] {
    let largest = cycles.max() ?? 1
    let planar = UnsafeMutablePointer<Float>.allocate(capacity: largest * channels)
    let planes = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: channels)
    for channel in 0..<channels {
      unsafe (planes + channel).initialize(to: planar + channel * largest)
    }
    defer {
      unsafe planes.deallocate()
      unsafe planar.deallocate()
    }
    var samples: [Float] = []
    samples.reserveCapacity(frames * channels)
    var turn = 0
    while samples.count < frames * channels {
      let count = min(cycles[turn % cycles.count], frames - samples.count / channels)
      turn += 1
      // Samples that stay unwritten show as not-a-number.
      unsafe planar.update(repeating: .nan, count: largest * channels)
      beforeCycle(samples.count / channels)
      realtime_sanitizer_enter()
      unsafe cycle(planes, count)
      realtime_sanitizer_exit()
      for frame in 0..<count {
        for channel in 0..<channels {
          samples.append(unsafe planar[channel * largest + frame])
        }
      }
    }
    return samples
  }
}
