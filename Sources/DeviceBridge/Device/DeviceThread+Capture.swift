// SPDX-License-Identifier: MIT

internal import CALSA
internal import Glibc
internal import Realtime
internal import Synchronization

extension DeviceThread {
  /// Copies the captured frames of the device into the ring. [device-thread]
  mutating func capture(_ device: OpaquePointer, available: Int, nanoseconds: Int64) -> Int32 {
    let writer = link.ringWriter
    guard writer.writableFrames >= available else {
      // JACK stands still and the ring is full: drop all frames, and count anew.
      return unsafe drop(device, frames: available)
    }
    stamp(frames: writtenFrames + Int64(available), nanoseconds: nanoseconds)
    var left = available
    while left > 0 {
      let region = unsafe writer.regions(maximumFrames: left)
      let read = unsafe calsa_read(device, region.first, region.firstFrames)
      guard read >= 0 else { return Int32(read) }
      writer.commit(frames: read)
      writtenFrames += Int64(read)
      left -= read
      if unsafe read < region.firstFrames { break }
    }
    return 0
  }

  private mutating func drop(_ device: OpaquePointer, frames: Int) -> Int32 {
    let room = Int(geometry.buffer_frames)
    var left = frames
    while left > 0 {
      let read = unsafe buffer.withUnsafeMutableBufferPointer { buffer -> Int in
        guard let samples = buffer.baseAddress else { return 0 }
        return unsafe calsa_read(device, samples, min(left, room))
      }
      guard read > 0 else { return Int32(read) }
      left -= read
    }
    begin()
    return 0
  }
}
