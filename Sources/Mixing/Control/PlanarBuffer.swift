// SPDX-License-Identifier: MIT

/// Channels of samples, and lists of pointers to them as the renderer wants them.
///
/// Used by one thread at a time: [control-thread].
@safe
package final class PlanarBuffer {
  package let channels: Int
  package let frames: Int
  private let memory: UnsafeMutableRawPointer
  private let samples: UnsafeMutablePointer<Float>
  private let sources: UnsafeMutablePointer<UnsafePointer<Float>?>
  private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  /// Samples from one channel to the next: apart by whole cache lines, but not by a power of two,
  /// which would put all channels into the same few places of the cache.
  private let stride: Int

  /// Copies channels in; missing samples become silence.
  ///
  /// - Parameters:
  ///   - arrays: The samples of each channel.
  ///   - channels: The number of channels.
  ///   - frames: The frames of each.
  ///   - line: The cache line of the memory at which the first channel begins, for a benchmark that must not depend on where
  ///     its data lie.
  package init(_ arrays: [[Float]], channels: Int, frames: Int, line: Int = 0) {
    self.channels = channels
    self.frames = frames
    stride = (frames + 15) / 16 * 16 + 16
    let count = max(1, channels * stride)
    let lineBytes = 64
    unsafe memory = .allocate(
      byteCount: line * lineBytes + count * MemoryLayout<Float>.stride,
      alignment: lineBytes,
    )
    unsafe samples = (memory + line * lineBytes).bindMemory(to: Float.self, capacity: count)
    unsafe samples.initialize(repeating: 0, count: count)
    unsafe sources = .allocate(capacity: max(1, channels))
    unsafe targets = .allocate(capacity: max(1, channels))
    for (channel, array) in arrays.prefix(channels).enumerated() {
      for (frame, sample) in array.prefix(frames).enumerated() {
        unsafe samples[channel * stride + frame] = sample
      }
    }
  }

  deinit {
    unsafe memory.deallocate()
    unsafe sources.deallocate()
    unsafe targets.deallocate()
  }

  /// Pointers for reading, from a frame on; good until the next call.
  package func readable(from frame: Int) -> UnsafePointer<UnsafePointer<Float>?> {
    for channel in 0..<channels {
      unsafe sources[channel] = UnsafePointer(samples + channel * stride + frame)
    }
    return unsafe UnsafePointer(sources)
  }

  /// Pointers for writing, from a frame on; good until the next call.
  package func writable(from frame: Int) -> UnsafePointer<UnsafeMutablePointer<Float>?> {
    for channel in 0..<channels {
      unsafe targets[channel] = samples + channel * stride + frame
    }
    return unsafe UnsafePointer(targets)
  }

  /// A copy of all channels.
  package var arrays: [[Float]] {
    (0..<channels).map { channel in
      (0..<frames).map { unsafe samples[channel * stride + $0] }
    }
  }
}
