// SPDX-License-Identifier: MIT

internal import CALSA
internal import CRealtime
internal import Glibc
internal import JACK
internal import Realtime
internal import Synchronization
internal import SystemSupport

/// The thread that a device has to itself: opens it, moves audio, and opens it again when it is back.
///
/// Other threads never wait for this one. If the driver blocks, the control thread notices it by the missing
/// heartbeat, and JACK's thread by the missing stamps. Belongs to the device thread.
struct DeviceThread {
  let link: BridgeLink
  let deviceName: String
  /// The count of positions; a new one whenever they begin anew.
  var epoch: UInt32 = 0
  var geometry = calsa_geometry()
  /// Interleaved room for a whole buffer, and for a fade.
  var buffer: [Float] = []
  /// Playback: smooths the edges of gaps in the device's sound.
  var edges: EdgeSmoother
  /// The position of the device's frame counter.
  var writtenFrames: Int64 = 0
  var lastStampFrames: Int64 = 0
  var lastMoveNanoseconds: UInt64 = 0
  /// Whether its counter has moved since positions began.
  var hasMoved = false
  /// Playback: the position of the ring's frames in the device's count; nil without frames to play.
  var alignment: Alignment?

  init(link: BridgeLink, deviceName: String) {
    self.link = link
    self.deviceName = deviceName
    edges = EdgeSmoother(channels: link.channels)
  }

  /// Pause before a device that cannot be opened is tried again.
  static let retryMilliseconds = 200
  /// Time without a move of the device's counter after which the device is opened anew.
  static let stillNanoseconds: UInt64 = 2_000_000_000

  /// Starts the thread; it ends when the link's `shouldStop` is set.
  ///
  /// - Returns: Whether the system gave a thread.
  ///
  /// [control-thread]
  static func start(link: BridgeLink, deviceName: String) -> Bool {
    BackgroundThread.start(name: "bridge-device") {
      let priority = min(realtime_thread_max_fifo(), 75)
      if priority > 0 { _ = realtime_thread_set_fifo(Int32(priority)) }
      var thread = DeviceThread(link: link, deviceName: deviceName)
      thread.live()
    }
  }

  private mutating func live() {
    while !shouldStop {
      beat()
      guard let wanted = link.info.withLock({ $0.wanted }) else {
        usleep(10_000)
        continue
      }
      var device: OpaquePointer?
      if let fault = unsafe open(wanted, &device) {
        link.info.withLock { info in
          info.stage = .waiting
          info.fault = fault
        }
        pause(milliseconds: Self.retryMilliseconds)
      } else if let device = unsafe device {
        let fault = unsafe serve(device)
        link.info.withLock { info in
          let hasRun = info.stage == .open
          info.stage = .waiting
          info.fault = fault
          info.actual = nil
          guard fault != nil, hasRun else { return }
          info.losses += 1
          info.lastFault = fault
        }
        unsafe calsa_close(device)
      }
    }
    link.info.withLock { $0.stage = .ended }
  }

  /// - Returns: The fault, or nil when the device is open.
  private mutating func open(
    _ wanted: DeviceInfo.Geometry,
    _ device: inout OpaquePointer?,
  ) -> String? {
    link.info.withLock { $0.stage = .opening }
    geometry = calsa_geometry()
    geometry.is_capture = link.direction == .capture
    geometry.channels = UInt32(link.channels)
    geometry.rate_hz = UInt32(wanted.rateHz)
    geometry.period_frames = UInt32(wanted.periodFrames)
    geometry.periods = UInt32(wanted.periods)
    var step: UnsafePointer<CChar>?
    let result = unsafe calsa_open(deviceName, &geometry, &device, &step)
    beat()
    guard result >= 0 else {
      let subject = unsafe Self.subject(step.map { unsafe String(cString: $0) })
      return "\(fault(result)) (\(subject))"
    }
    let actual = DeviceInfo.Geometry(
      rateHz: Int(geometry.rate_hz),
      periodFrames: Int(geometry.period_frames),
      periods: Int(geometry.periods),
    )
    let room = max(Int(geometry.buffer_frames), EdgeSmoother.fadeFrames)
    buffer = [Float](repeating: 0, count: room * link.channels)
    link.info.withLock { info in
      info.actual = actual
      info.lastRateHz = actual.rateHz
    }
    return nil
  }

  /// It counts as open once its counter moves: a device that hangs can be opened as well as any.
  private func tellOpen() {
    link.info.withLock { info in
      guard info.stage != .open else { return }
      info.stage = .open
      info.fault = nil
      info.openings += 1
    }
  }

  /// The property whose setting failed, as text.
  private static func subject(_ step: String?) -> String {
    guard let step else { return "open" }
    for (mark, word) in [
      ("snd_pcm_open", "open"), ("_channels", "number of channels"), ("_rate", "sample rate"),
      ("_period", "period"), ("_buffer", "buffer"), ("format", "sample format"),
    ] where step.contains(mark) {
      return word
    }
    return String(step.prefix { $0 != "(" })
  }

  /// Moves audio until the device fails or all is to end.
  ///
  /// - Returns: The fault; nil at the end.
  private mutating func serve(_ device: OpaquePointer) -> String? {
    begin()
    lastMoveNanoseconds = realtime_now_nanoseconds()
    var result = unsafe calsa_start(device)
    while !shouldStop {
      if result == -EPIPE || result == -ESTRPIPE { result = unsafe recover(device) }
      guard result >= 0 else { return fault(result) }
      beat()
      if realtime_now_nanoseconds() - lastMoveNanoseconds > Self.stillNanoseconds {
        return "\(deviceName): its counter stands still"
      }
      result = unsafe calsa_wait(device, 50)
      guard result >= 0 else { continue }
      var age: Int64 = 0
      let available = unsafe calsa_available(device, &age)
      let now = Int64(ClientConnection.nowMicroseconds) * 1000
      guard available >= 0 else {
        result = Int32(available)
        continue
      }
      result = unsafe move(device, available: available, nanoseconds: now - age)
    }
    return nil
  }

  /// Starts a device again that has run empty or full.
  private mutating func recover(_ device: OpaquePointer) -> Int32 {
    if hasMoved {
      unsafe link.telemetry.pointee.deviceXruns.wrappingAdd(1, ordering: .relaxed)
    } else {
      // It was started just now and has not moved: some fail like that for as long as they are gone.
      usleep(20_000)
    }
    let result = unsafe calsa_recover(device)
    begin()
    return result
  }

  /// Resets the positions.
  mutating func begin() {
    epoch &+= 1
    alignment = nil
    edges = EdgeSmoother(channels: link.channels)
    switch link.direction {
    case .playback: writtenFrames = Int64(geometry.buffer_frames)
    case .capture: writtenFrames = Int64(link.ringWriter.position)
    }
    lastStampFrames = link.direction.isPlayback ? 0 : writtenFrames
    hasMoved = false
  }

  private mutating func move(
    _ device: OpaquePointer,
    available: Int,
    nanoseconds: Int64,
  ) -> Int32 {
    switch link.direction {
    case .playback: unsafe play(device, available: available, nanoseconds: nanoseconds)
    case .capture: unsafe capture(device, available: available, nanoseconds: nanoseconds)
    }
  }

  /// Sends the device's position to JACK's thread.
  mutating func stamp(frames: Int64, nanoseconds: Int64) {
    guard frames > lastStampFrames else { return }
    lastStampFrames = frames
    if !hasMoved { tellOpen() }
    hasMoved = true
    lastMoveNanoseconds = realtime_now_nanoseconds()
    // A full queue means that JACK's thread does not run; the stamp is not needed.
    _ = link.stampSender.push(
      DeviceStamp(
        frames: frames,
        nanoseconds: nanoseconds,
        epoch: epoch,
        periodFrames: geometry.period_frames,
      )
    )
  }

  private func fault(_ result: Int32) -> String {
    "\(deviceName): \(unsafe String(cString: calsa_error(result)))"
  }

  private var shouldStop: Bool {
    unsafe link.telemetry.pointee.shouldStop.load(ordering: .relaxed)
  }

  private func beat() {
    unsafe link.telemetry.pointee.heartbeatNanoseconds.store(
      realtime_now_nanoseconds(),
      ordering: .relaxed,
    )
  }

  private func pause(milliseconds: Int) {
    for _ in 0..<(milliseconds / 20) where !shouldStop {
      usleep(20_000)
      beat()
    }
  }
}
