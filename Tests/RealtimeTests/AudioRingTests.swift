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
    for length in [3, 8, 5, 7, 1, 8] {
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
