// SPDX-License-Identifier: MIT

/// A ring of interleaved Float frames between exactly one writing and one reading thread.
///
/// For a disk thread that reads ahead, and for recorder taps. Frames are written and read in bulk
/// through regions of the ring itself, so that frames are copied only once. The owner frees the
/// memory, so it must outlive both endpoints.
@safe
public struct AudioRing: ~Copyable {
  let header: UnsafeMutablePointer<SPSCPositions>
  let samples: UnsafeMutablePointer<Float>

  /// Samples in a frame.
  public let channels: Int

  /// The number of frames that fit: a power of two.
  public let capacityFrames: Int

  /// Allocates an empty ring.
  ///
  /// - Parameters:
  ///   - minimumFrames: Frames that must fit; rounded up to a power of two.
  ///   - channels: Samples in a frame; values below 1 count as 1.
  ///
  /// [control-thread]
  public init(minimumFrames: Int, channels: Int) {
    self.channels = max(1, channels)
    capacityFrames = powerOfTwo(atLeast: max(2, minimumFrames))
    unsafe header = .allocate(capacity: 1)
    unsafe header.initialize(to: SPSCPositions())
    unsafe samples = .allocate(capacity: capacityFrames * self.channels)
    // Touched now, so that the first lap on the audio thread takes no page fault.
    unsafe samples.initialize(repeating: 0, count: capacityFrames * self.channels)
  }

  deinit {
    unsafe header.deinitialize(count: 1)
    unsafe header.deallocate()
    unsafe samples.deallocate()
  }

  /// The writing end; to be used by one thread at a time.
  public var writer: AudioRingWriter {
    unsafe AudioRingWriter(
      header: header,
      samples: samples,
      channels: channels,
      mask: capacityFrames - 1,
    )
  }

  /// The reading end; to be used by one thread at a time.
  public var reader: AudioRingReader {
    unsafe AudioRingReader(
      header: header,
      samples: samples,
      channels: channels,
      mask: capacityFrames - 1,
    )
  }
}
