// SPDX-License-Identifier: MIT

import Mixing
import Testing

@Suite("Planar buffers")
struct PlanarBufferTests {
  @Test func `channels of any length lie apart, whole cache lines from each other`() {
    for channels in 0...4 {
      for frames in [0, 1, 15, 16, 17, 31, 33, 65, 100] {
        let samples = (0..<channels).map { noise(UInt64($0 + 1), frames) }
        // Too few frames, too many, and a channel too many.
        for arrays in [samples, samples.map { $0 + [7] }, samples + [[7]]] {
          let buffer = PlanarBuffer(arrays, channels: channels, frames: frames)
          #expect(buffer.arrays == samples)
          let sources = unsafe buffer.readable(from: 0)
          let targets = unsafe buffer.writable(from: 0)
          for channel in 0..<channels {
            #expect(unsafe sources[channel] == UnsafePointer(targets[channel]))
            let address = unsafe UInt(bitPattern: sources[channel])
            #expect(address % 64 == 0)
          }
        }
        let short = PlanarBuffer(
          samples.map { Array($0.dropLast()) },
          channels: channels,
          frames: frames
        )
        #expect(short.arrays == samples.map { $0.dropLast() + (frames == 0 ? [] : [0]) })
      }
    }
  }

  @Test func `pointers from a frame on leave those before it out`() {
    let samples = [noise(1, 50), noise(2, 50)]
    let buffer = PlanarBuffer(samples, channels: 2, frames: 50)
    for frame in [0, 1, 49] {
      let sources = unsafe buffer.readable(from: frame)
      for channel in 0..<2 {
        #expect(unsafe sources[channel]?.pointee == samples[channel][frame])
      }
      let targets = unsafe buffer.writable(from: frame)
      for channel in 0..<2 {
        #expect(unsafe targets[channel]?.pointee == samples[channel][frame])
      }
    }
  }
}
