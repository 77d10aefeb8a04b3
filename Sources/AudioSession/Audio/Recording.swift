// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import Realtime

/// One recorder's share of the app's input.
@safe
final class Recording: @unchecked Sendable {
  let recorder: FileRecorder
  let entry: TapEntry

  init(_ recorder: FileRecorder, inputs: [Int]) {
    self.recorder = recorder
    let channels = recorder.tap.channels
    let map = UnsafeMutablePointer<Int32>.allocate(capacity: channels)
    let buffers = UnsafeMutablePointer<UnsafePointer<Float>?>.allocate(capacity: channels)
    let meters = UnsafeMutablePointer<MeterCell>.allocate(capacity: channels)
    for channel in 0..<channels {
      unsafe (map + channel).initialize(to: Int32(channel < inputs.count ? inputs[channel] : -1))
      unsafe (buffers + channel).initialize(to: nil)
      unsafe (meters + channel).initialize(to: MeterCell())
    }
    unsafe entry = TapEntry(tap: recorder.tap, inputs: map, buffers: buffers, meters: meters)
  }

  deinit {
    unsafe entry.inputs.deallocate()
    unsafe entry.buffers.deallocate()
    unsafe entry.meters.deinitialize(count: recorder.tap.channels)
    unsafe entry.meters.deallocate()
  }

  /// The levels of the channels since the last reading. [control-thread]
  var levels: [MeterReading] {
    (0..<recorder.tap.channels).map { unsafe entry.meters[$0].read() }
  }
}
