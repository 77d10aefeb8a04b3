// SPDX-License-Identifier: MIT

internal import CRealtime
internal import ControlProtocol
internal import JACK
internal import Synchronization

extension Bridge {
  /// A call into a driver that takes longer than this is stuck.
  static let stuckNanoseconds: UInt64 = 2_000_000_000

  /// Reads the state, reports changes as events, and outputs the status when it is due. [control-thread]
  func tick() {
    let report = makeReport()
    let isNews = tellChanges(report.status)
    if let delay = report.delayFrames {
      client?.state(delayFrames: UInt32(max(0, delay.rounded())))
    }
    let now = realtime_now_nanoseconds()
    publish(report, at: now)
    if isNews || now - told.statusNanoseconds >= configuration.statusInterval.nanoseconds {
      told.statusNanoseconds = now
      show(report)
    }
  }

  private func makeReport() -> BridgeReport {
    let info = link.info.withLock { $0 }
    let telemetry = unsafe link.telemetry
    let lock =
      unsafe client == nil
      ? LockState.lost
      : LockState(code: telemetry.pointee.lock.load(ordering: .relaxed)) ?? .lost
    let isKnown = lock == .coarse || lock == .locked
    let delay = unsafe isKnown ? telemetry.pointee.load(telemetry.pointee.delayFrames) : nil
    let device = deviceState(info)
    let status = unsafe BridgeStatus(
      lock: lock.reported,
      device: device,
      reason: lock == .locked ? nil : reason(lock, device, info),
      ppm: isKnown ? telemetry.pointee.load(telemetry.pointee.offsetPPM).places(3) : nil,
      delayMilliseconds: client.flatMap { client in
        delay.map { ($0 * 1000 / Double(client.jackRateHz)).places(3) }
      },
      errorFrames: isKnown ? telemetry.pointee.load(telemetry.pointee.errorFrames).places(4) : nil,
      fillFrames: Double(telemetry.pointee.fillFrames.load(ordering: .relaxed)),
      resyncs: Int(telemetry.pointee.resyncs.load(ordering: .relaxed)),
      xruns: Int(
        telemetry.pointee.jackXruns.load(ordering: .relaxed)
          + telemetry.pointee.deviceXruns.load(ordering: .relaxed)
      ),
      deviceLosses: info.losses,
    )
    return unsafe BridgeReport(
      status: status,
      name: client?.connection.name ?? configuration.clientName,
      deviceName: configuration.deviceName,
      direction: configuration.direction,
      server: client == nil ? .waiting : .connected,
      channels: configuration.channels,
      deviceRateHz: info.actual?.rateHz,
      devicePeriodFrames: info.actual?.periodFrames,
      devicePeriods: info.actual?.periods,
      jackRateHz: client?.jackRateHz,
      jackPeriodFrames: jackPeriodFrames,
      delayFrames: delay?.places(2),
      missedCycles: Int(telemetry.pointee.missedCycles.load(ordering: .relaxed)),
      jackSteps: Int(telemetry.pointee.jackSteps.load(ordering: .relaxed)),
      deviceSteps: Int(telemetry.pointee.deviceSteps.load(ordering: .relaxed)),
      serverLosses: serverLosses,
      uptimeSeconds: (Double(realtime_now_nanoseconds() - startNanoseconds) * 1e-9).places(3),
    )
  }

  private func deviceState(_ info: DeviceInfo) -> BridgeStatus.Device {
    let beat = unsafe link.telemetry.pointee.heartbeatNanoseconds.load(ordering: .relaxed)
    let now = realtime_now_nanoseconds()
    if info.stage != .ended, beat > 0, now > beat, now - beat > Self.stuckNanoseconds {
      return .stuck
    }
    return switch info.stage {
    case .opening: .opening
    case .open: .open
    case .waiting, .ended: .waiting
    }
  }

  private func reason(_ lock: LockState, _ device: BridgeStatus.Device, _ info: DeviceInfo)
    -> String
  {
    if client == nil { return serverFault ?? "no JACK server yet" }
    switch device {
    case .stuck: return "a call into the device's driver has not come back for 2 s"
    case .open: break
    case .opening, .waiting: return info.fault ?? "the device is being opened"
    }
    if unsafe link.telemetry.pointee.isFreewheeling.load(ordering: .relaxed) {
      return "JACK freewheels"
    }
    switch lock {
    case .starting: return "the clocks are being timed"
    case .coarse:
      let error = unsafe link.telemetry.pointee.load(link.telemetry.pointee.errorFrames)
      return abs(error) >= 2
        ? "the delay is \(error.places(1)) frames off"
        : "the rates are being timed to 3 ppm"
    case .locked, .lost: return "the device gives no sign of life"
    }
  }

  // MARK: - What changed

  /// - Returns: Whether the lock, the device or the server changed.
  private func tellChanges(_ status: BridgeStatus) -> Bool {
    let info = link.info.withLock { $0 }
    var isNews = false
    if let lock = status.lock, lock != told.lock {
      let words =
        "\(told.lock.rawValue) → \(lock.rawValue)" + (status.reason.map { ": \($0)" } ?? "")
      tell(.lockChanged, words, from: told.lock, to: lock)
      told.lock = lock
      isNews = true
    }
    if status.device != told.device {
      if status.device == .stuck { tell(.deviceStuck, status.reason ?? "stuck") }
      told.device = status.device
      isNews = true
    }
    let fault = info.losses > told.losses ? info.lastFault : info.fault
    if let fault, fault != told.fault || info.losses > told.losses {
      told.fault = fault
      told.losses = info.losses
      tell(.deviceLost, fault)
    }
    if info.openings != told.openings, let actual = info.actual {
      told.openings = info.openings
      told.fault = nil
      tell(
        .deviceOpened,
        "\(configuration.deviceName) at \(actual.rateHz) Hz, "
          + "\(actual.periods) × \(actual.periodFrames) frames",
      )
    }
    if status.resyncs > told.resyncs { tell(.resync, "the read pointer was moved") }
    if status.xruns > told.xruns {
      let what = configuration.direction.isPlayback ? "ran empty" : "was late"
      tell(.xrun, "the device \(what) \(Self.often(status.xruns - told.xruns))")
    }
    told.resyncs = status.resyncs
    told.xruns = status.xruns
    return isNews
  }

  /// Reports all late cycles since the last report in one line; a server in trouble has many a second.
  private func tellJACKXruns(_ client: BridgeClient, missedCycles: Int) {
    let xruns = client.connection.xruns
    var words: [String] = []
    if xruns.count > told.jackXruns {
      let times = Int(xruns.count - told.jackXruns)
      let delay = "\(Int(xruns.lastDelayMicroseconds)) µs"
      words.append(
        "JACK was late \(Self.often(times))"
          + (times == 1 ? " by \(delay)" : ", at last by \(delay)")
      )
    }
    if missedCycles > told.missedCycles {
      words.append(
        "JACK did not wait for the bridge \(Self.often(missedCycles - told.missedCycles))"
      )
    }
    if !words.isEmpty { tell(.jackXrun, words.joined(separator: "; ")) }
    told.jackXruns = xruns.count
    told.missedCycles = missedCycles
  }

  private static func often(_ times: Int) -> String { times == 1 ? "once" : "\(times) times" }

  /// Writes what changed to the client's properties, at most once a second.
  private func publish(_ report: BridgeReport, at now: UInt64) {
    guard let client else {
      told.properties = [:]
      return
    }
    guard now - told.propertiesNanoseconds >= 1_000_000_000 else { return }
    told.propertiesNanoseconds = now
    tellJACKXruns(client, missedCycles: report.missedCycles)
    let status = report.status
    let properties = [
      "lock": status.$lock,
      "device": status.$device,
      "ppm": status.ppm.map { "\($0.places(1))" } ?? "unknown",
      "delay-ms": status.delayMilliseconds.map { "\($0.places(2))" } ?? "unknown",
      // In steps, or it would be written every second.
      "fill": "\(Int(status.fillFrames ?? 0) / 64 * 64)",
      "resyncs": "\(status.resyncs)",
      "xruns": "\(status.xruns)",
    ]
    let changed = properties.filter { told.properties[$0.key] != $0.value }
    client.publish(changed.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    told.properties = properties
  }
}

extension Duration {
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
  }
}

extension Double {
  /// Rounded to some decimal places. [any-thread]
  func places(_ count: Int) -> Double {
    var factor = 1.0
    for _ in 0..<count { factor *= 10 }
    return (self * factor).rounded() / factor
  }
}
