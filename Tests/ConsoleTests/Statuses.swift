// SPDX-License-Identifier: MIT

import ControlProtocol
import Sessions

/// The state of a host with something of everything.
enum Statuses {
  static func value(
    _ preferred: Double?,
    _ actual: Double?,
    _ unit: HardwareStatus.Unit,
    _ reason: String? = nil,
  ) -> HardwareStatus.Value {
    HardwareStatus.Value(preferred: preferred, actual: actual, reason: reason, unit: unit)
  }

  static let hardware = HardwareStatus(
    sampleRate: value(
      48_000,
      44_100,
      .hertz,
      "the host does not restart another program's server at 48000 Hz"
    ),
    ioBufferDuration: value(0.005, 221.0 / 44_100, .seconds, "as preferred"),
    ioBufferFrames: value(221, 221, .frames, "as preferred"),
    inputLatency: value(nil, nil, .seconds, "not connected"),
    outputLatency: value(nil, 442.0 / 44_100, .seconds),
    inputChannels: value(nil, 2, .channels),
    outputChannels: value(4, 2, .channels, "the server offers no more"),
  )

  static func route(_ name: String, available: Bool, input: Bool = false) -> RouteStatus {
    RouteStatus(
      name: name,
      type: input ? .lineIn : .lineOut,
      direction: input ? .input : .output,
      ports: available ? ["system:\(name)_1", "system:\(name)_2"] : [],
      available: available,
      gainDB: -3,
      muted: false,
      latencyFrames: available ? 441 : nil,
    )
  }

  static func server(synchronous: Bool?, owned: Bool = false, pid: Int32? = 77) -> ServerStatus {
    ServerStatus(
      name: "studio",
      pid: pid,
      owned: owned,
      driver: pid == nil ? nil : "alsa",
      restarts: 0,
      synchronous: synchronous,
      state: .running,
    )
  }

  static func host(
    routes: [RouteStatus] = [],
    strips: [StripStatus] = [],
    sends: [SendStatus] = [],
    inserts: [InsertStatus] = [],
    crossfader: CrossfaderStatus? = nil,
    sessions: [SessionStatus] = [],
    callback: Percentiles? = nil,
    handovers: [HandoverStatus] = [],
    alarms: [AlarmStatus] = [],
  ) -> HostStatus {
    HostStatus(
      host: HostProcessStatus(name: "dj", pid: 7, version: "1", uptimeSeconds: 3, graph: "g.yaml"),
      server: server(synchronous: false),
      hardware: hardware,
      routes: routes,
      strips: strips,
      sends: sends,
      inserts: inserts,
      crossfader: crossfader,
      sessions: sessions,
      engine: EngineStatus(
        cycles: 1234,
        xruns: 5,
        loadPercent: 2.25,
        callbackMicroseconds: callback,
        lastXrun: nil,
      ),
      handovers: handovers,
      alarms: alarms,
    )
  }
}
