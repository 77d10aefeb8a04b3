// SPDX-License-Identifier: MIT

internal import CALSA
internal import CRealtime
internal import Glibc
internal import Realtime
internal import Synchronization

extension DeviceThread {
  /// Refills the part of the device's buffer that has been played. [device-thread]
  mutating func play(_ device: OpaquePointer, available: Int, nanoseconds: Int64) -> Int32 {
    let bufferFrames = Int(geometry.buffer_frames)
    let period = Int(geometry.period_frames)
    // More than a buffer is free: it has run empty, and the driver does not call it so.
    guard available <= bufferFrames else { return -EPIPE }
    stamp(frames: writtenFrames - Int64(bufferFrames - available), nanoseconds: nanoseconds)
    takeAlignments()
    var left = available
    let result = unsafe feed(device, &left)
    guard result >= 0, left > 0 else { return result }

    let filled = bufferFrames - left
    let elapsed = realtime_now_nanoseconds() - lastMoveNanoseconds
    let periodNanoseconds = UInt64(period) * 1_000_000_000 / UInt64(geometry.rate_hz)
    // JACK is late. The device can wait until little is left; silence is the last resort.
    let isUrgent = filled < period / 4 || (filled < period && elapsed > periodNanoseconds * 6 / 10)
    if isUrgent {
      if unsafe link.telemetry.pointee.isSending.load(ordering: .relaxed) {
        unsafe link.telemetry.pointee.deviceXruns.wrappingAdd(1, ordering: .relaxed)
      }
      return unsafe playSilence(device, frames: period - filled)
    }
    if left >= period { usleep(UInt32(min(1000, periodNanoseconds / 8000))) }
    return 0
  }

  private mutating func takeAlignments() {
    while let next = link.alignmentReceiver.pop() {
      alignment = next.epoch == epoch ? next : nil
    }
    if unsafe !link.telemetry.pointee.isSending.load(ordering: .relaxed),
      link.ringReader.readableFrames == 0
    {
      alignment = nil
    }
  }

  /// Plays from the ring what belongs to this moment.
  ///
  /// `left` comes as the frames to play, and goes back as those that the ring does not have yet.
  private mutating func feed(_ device: OpaquePointer, _ left: inout Int) -> Int32 {
    let reader = link.ringReader
    while left > 0 {
      guard let alignment else {
        reader.discard(frames: reader.readableFrames)
        let silence = left
        left = 0
        return unsafe playSilence(device, frames: silence)
      }
      let due = writtenFrames - alignment.offsetFrames
      let behind = due - Int64(reader.position)
      if behind > 0 {
        // These came too late, or the pointer was moved.
        let gone = min(Int(behind), reader.readableFrames)
        reader.discard(frames: gone)
        if gone > 0 { edges.breakOff() }
        if gone < Int(behind) { return 0 }
      } else if behind < 0 {
        let silence = min(left, Int(-behind))
        left -= silence
        let result = unsafe playSilence(device, frames: silence)
        if result < 0 { return result }
      }
      guard left > 0 else { return 0 }
      let region = unsafe reader.regions(maximumFrames: left)
      let frames = unsafe region.firstFrames
      guard frames > 0 else { return 0 }
      let written = unsafe write(device, region.first, frames: frames)
      guard written >= 0 else { return Int32(written) }
      reader.discard(frames: written)
      writtenFrames += Int64(written)
      left -= written
      // The device takes less than it said: it will say more at the next wake-up.
      if written < frames { return 0 }
    }
    return 0
  }

  private mutating func playSilence(_ device: OpaquePointer, frames: Int) -> Int32 {
    guard frames > 0 else { return 0 }
    let written = unsafe write(device, nil, frames: frames)
    guard written >= 0 else { return Int32(written) }
    writtenFrames += Int64(written)
    return 0
  }

  /// Writes frames, nil for silence, with the edges taken off.
  ///
  /// - Returns: The number of frames that the device took, or a negative errno.
  private mutating func write(
    _ device: OpaquePointer,
    _ samples: UnsafePointer<Float>?,
    frames: Int,
  ) -> Int {
    typealias Smoothed = (made: Int, taken: Int)
    let smoothed = unsafe buffer.withUnsafeMutableBufferPointer { buffer -> Smoothed in
      guard let room = buffer.baseAddress else { return (0, 0) }
      let made = unsafe edges.prepare(samples, frames: frames, in: room)
      guard made > 0 else { return (0, 0) }
      let taken = unsafe calsa_write(device, room, made)
      if taken > 0 { unsafe edges.use(room, frames: taken) }
      return (made, taken)
    }
    guard smoothed.taken == smoothed.made, smoothed.made < frames else { return smoothed.taken }
    let left = frames - smoothed.made
    let rest = unsafe samples.map { unsafe $0 + smoothed.made * link.channels }
    let taken = unsafe calsa_write(device, rest, left)
    if taken > 0 { unsafe edges.use(rest, frames: taken) }
    return taken < 0 && smoothed.made == 0 ? taken : smoothed.made + max(0, taken)
  }
}
