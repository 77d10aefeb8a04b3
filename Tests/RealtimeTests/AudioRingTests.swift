// SPDX-License-Identifier: MIT

import Foundation
import Realtime
import Testing

@Suite("AudioRing")
struct AudioRingTests {
  @Test("frames come out as they went in, across the end of the memory")
  func wrapping() {
    let ring = AudioRing(minimumFrames: 8, channels: 2)
    var next: Float = 0
    var expected: Float = 0
    for length in [3, 8, 5, 1, 8, 7, 1, 8] {
      let source = (0..<length * 2).map { next + Float($0) }
      #expect(unsafe ring.writer.write(source, frames: length) == length)
      next += Float(length * 2)
      var target = [Float](repeating: -1, count: length * 2)
      #expect(unsafe ring.reader.read(into: &target, frames: length) == length)
      #expect(target == (0..<length * 2).map { expected + Float($0) })
      expected += Float(length * 2)
    }
  }

  @Test("a full ring takes what fits, an empty one gives what it has")
  func partial() {
    let ring = AudioRing(minimumFrames: 4, channels: 1)
    #expect(unsafe ring.writer.write([1, 2, 3, 4, 5, 6], frames: 6) == 4)
    #expect(ring.writer.writableFrames == 0)
    var target = [Float](repeating: 0, count: 6)
    #expect(unsafe ring.reader.read(into: &target, frames: 6) == 4)
    #expect(target == [1, 2, 3, 4, 0, 0])
    #expect(unsafe ring.reader.read(into: &target, frames: 1) == 0)
  }

  @Test("regions are two parts where they wrap")
  func regions() {
    let ring = AudioRing(minimumFrames: 8, channels: 1)
    ring.writer.commit(frames: 6)
    ring.reader.discard(frames: 6)
    let regions = unsafe ring.writer.regions(maximumFrames: 5)
    #expect(unsafe regions.firstFrames == 2)
    #expect(unsafe regions.secondFrames == 3)
    #expect(unsafe regions.frames == 5)
  }

  @Test("planar blocks go in whole or not at all, with silence for missing channels")
  func planar() {
    let ring = AudioRing(minimumFrames: 4, channels: 2)
    let left: [Float] = [1, 2, 3]
    let isWritten = unsafe left.withUnsafeBufferPointer { left in
      let planes: [UnsafePointer<Float>?] = unsafe [left.baseAddress, nil]
      return unsafe ring.writer.writePlanar(planes, frames: 3)
        && !ring.writer.writePlanar(planes, frames: 3)
    }
    #expect(isWritten)
    var right: [Float] = [9, 9, 9]
    let count = unsafe right.withUnsafeMutableBufferPointer { right in
      let planes: [UnsafeMutablePointer<Float>?] = unsafe [nil, right.baseAddress]
      return unsafe ring.reader.readPlanar(into: planes, frames: 5)
    }
    #expect(count == 3)
    #expect(right == [0, 0, 0])
  }

  @Test("counts below 0 are none, and more than there is are all")
  func excess() {
    let ring = AudioRing(minimumFrames: 4, channels: 1)
    ring.writer.commit(frames: 3)
    ring.writer.commit(frames: -1)
    ring.reader.discard(frames: -1)
    #expect(ring.writer.position == 3)
    #expect(ring.reader.position == 0)
    #expect(ring.reader.readableFrames == 3)
    #expect(unsafe ring.writer.regions(maximumFrames: -1).frames == 0)
    #expect(unsafe ring.reader.regions(maximumFrames: -1).frames == 0)
    #expect(unsafe ring.reader.regions(maximumFrames: 9).frames == 3)
    let planes = unsafe [UnsafePointer<Float>?](repeating: nil, count: 1)
    #expect(unsafe ring.writer.writePlanar(planes, frames: -1))
    #expect(ring.writer.position == 3)
    let targets = unsafe [UnsafeMutablePointer<Float>?](repeating: nil, count: 1)
    #expect(unsafe ring.reader.readPlanar(into: targets, frames: -1) == 0)
    #expect(ring.reader.position == 0)
    ring.writer.commit(frames: 9)
    #expect(ring.writer.position == 4)
    ring.reader.discard(frames: 9)
    #expect(ring.reader.position == 4)
  }

  @Test(
    "there is room for at least 2 frames of 1 channel",
    arguments: [(0, 0, 2, 1), (1, 1, 2, 1), (2, 1, 2, 1), (3, 2, 4, 2), (4, -1, 4, 1)]
  )
  func size(frames: Int, channels: Int, capacity: Int, expectedChannels: Int) {
    let ring = AudioRing(minimumFrames: frames, channels: channels)
    #expect(ring.capacityFrames == capacity)
    #expect(ring.channels == expectedChannels)
    #expect(ring.writer.channels == expectedChannels)
    #expect(ring.reader.channels == expectedChannels)
    #expect(ring.writer.writableFrames == capacity)
  }

  @Test("planar blocks keep their channels apart across the end of the memory")
  func planarWrapping() {
    let ring = AudioRing(minimumFrames: 4, channels: 2)
    for lap in 0..<5 {
      let left = (0..<3).map { Float(10 * lap + $0) }
      let right = left.map { -$0 - 100 }
      let isWritten = unsafe left.withUnsafeBufferPointer { left in
        unsafe right.withUnsafeBufferPointer { right in
          let planes: [UnsafePointer<Float>?] = unsafe [left.baseAddress, right.baseAddress]
          return unsafe ring.writer.writePlanar(planes, frames: 3)
        }
      }
      #expect(isWritten)
      var leftOut = [Float](repeating: .nan, count: 3)
      var rightOut = leftOut
      let count = unsafe leftOut.withUnsafeMutableBufferPointer { left in
        unsafe rightOut.withUnsafeMutableBufferPointer { right in
          let planes: [UnsafeMutablePointer<Float>?] = unsafe [left.baseAddress, right.baseAddress]
          return unsafe ring.reader.readPlanar(into: planes, frames: 3)
        }
      }
      #expect(count == 3)
      #expect(leftOut == left)
      #expect(rightOut == right)
    }
  }

  @Test("a block that just fits goes in")
  func exactFit() {
    let ring = AudioRing(minimumFrames: 4, channels: 1)
    let samples: [Float] = [1, 2, 3, 4]
    let isWritten = unsafe samples.withUnsafeBufferPointer { samples in
      let planes: [UnsafePointer<Float>?] = unsafe [samples.baseAddress]
      return unsafe ring.writer.writePlanar(planes, frames: 4)
    }
    #expect(isWritten)
    let silence = unsafe [UnsafePointer<Float>?](repeating: nil, count: 1)
    #expect(unsafe !ring.writer.writePlanar(silence, frames: 1))
    // No frames change nothing, in a full ring either.
    #expect(unsafe ring.writer.writePlanar(silence, frames: 0))
    #expect(unsafe ring.writer.writePlanar(silence, frames: -1))
    var target = [Float](repeating: 0, count: 4)
    #expect(unsafe ring.reader.read(into: &target, frames: 4) == 4)
    #expect(target == samples)
  }

  @Test("a million frames cross threads in order")
  func stress() {
    let ring = AudioRing(minimumFrames: 1024, channels: 2)
    let writer = ring.writer
    let reader = ring.reader
    let total = 1_000_000
    let thread = Thread {
      var written = 0
      while written < total {
        let block = (0..<min(97, total - written)).flatMap { frame in
          [Float(written + frame), -Float(written + frame)]
        }
        let count = unsafe writer.write(block, frames: block.count / 2)
        written += count
        if count == 0 { sched_yield() }
      }
    }
    thread.start()
    var read = 0
    var faults = 0
    var block = [Float](repeating: 0, count: 2 * 61)
    while read < total {
      let count = unsafe reader.read(into: &block, frames: 61)
      for frame in 0..<count {
        let expected = Float(read + frame)
        if block[2 * frame] != expected || block[2 * frame + 1] != -expected { faults += 1 }
      }
      read += count
      if count == 0 { sched_yield() }
    }
    #expect(faults == 0)
    withExtendedLifetime(thread) {}
  }
}
