// SPDX-License-Identifier: MIT

internal import CALSA
internal import CRealtime
internal import Glibc

/// The measure of the bridge benchmark's own floor: plays to the card itself, with no bridge between.
///
/// It shows the lateness of the stand-in card and its ALSA plug-in, which every bridge has too.
///
/// Runs on the task of its command: [control-thread].
public enum CardPlayer {
  /// Plays the tone and the impulses, and writes down when each frame was due.
  ///
  /// - Parameters:
  ///   - deviceName: ALSA's name of the device.
  ///   - rateHz: Its rate.
  ///   - periodFrames: Its period.
  ///   - seconds: The duration.
  ///   - path: The file to write: a recording of no frames, with the stamps of the device's wake-ups.
  /// - Throws: ``LabError`` `tool` when the device cannot be opened or fails; `badFile`.
  public static func run(
    deviceName: String,
    rateHz: Int,
    periodFrames: Int,
    seconds: Double,
    path: String,
  ) throws(LabError) {
    var geometry = calsa_geometry()
    geometry.channels = 2
    geometry.rate_hz = UInt32(rateHz)
    geometry.period_frames = UInt32(periodFrames)
    geometry.periods = 3
    var opened: OpaquePointer?
    var step: UnsafePointer<CChar>?
    try check(unsafe calsa_open(deviceName, &geometry, &opened, &step), deviceName)
    guard let device = unsafe opened else { return }
    defer { unsafe calsa_close(device) }
    _ = realtime_thread_set_fifo(Int32(min(realtime_thread_max_fifo(), 75)))
    let stamps = try unsafe play(
      device,
      deviceName,
      bufferFrames: Int(geometry.buffer_frames),
      loop: BridgeStimulus(rateHz: rateHz).interleaved,
      frames: Int(seconds * Double(rateHz)),
    )
    let recording = BridgeRecording(
      sampleRateHz: Double(rateHz),
      channels: [[], []],
      stamps: stamps,
    )
    try recording.write(to: path)
  }

  private static func play(
    _ device: OpaquePointer,
    _ deviceName: String,
    bufferFrames: Int,
    loop: [Float],
    frames: Int,
  ) throws(LabError) -> [CycleStamp] {
    var stamps: [CycleStamp] = []
    // Frame 0 is the first one behind the silence that the buffer holds.
    var written = 0
    try check(unsafe calsa_start(device), deviceName)
    while written < frames {
      var ageNanoseconds: Int64 = 0
      var available = Int(unsafe calsa_wait(device, 1000))
      if available >= 0 { available = unsafe calsa_available(device, &ageNanoseconds) }
      if available == -Int(EPIPE) || available > bufferFrames {
        // It has run empty. When started again, it plays a buffer of silence first, and continues.
        available = Int(unsafe calsa_recover(device))
      }
      try check(Int32(clamping: available), deviceName)
      let played = written - (bufferFrames - available)
      if played > stamps.last?.frame ?? Int.min {
        let now = realtime_now_nanoseconds() &- UInt64(ageNanoseconds)
        stamps.append(CycleStamp(frame: played, nanoseconds: now))
      }
      var left = available
      while left > 0 {
        let start = written % (loop.count / 2)
        let count = min(left, loop.count / 2 - start)
        let done = unsafe loop.withUnsafeBufferPointer { samples in
          unsafe calsa_write(device, samples.baseAddress.map { unsafe $0 + 2 * start }, count)
        }
        // The next wait says so, too.
        if done == -Int(EPIPE) { break }
        try check(Int32(clamping: done), deviceName)
        written += done
        left -= done
        if done < count { break }
      }
    }
    return stamps
  }

  private static func check(_ result: Int32, _ deviceName: String) throws(LabError) {
    guard result < 0 else { return }
    throw LabError(.tool, "\(deviceName): \(unsafe String(cString: calsa_error(result)))")
  }
}
