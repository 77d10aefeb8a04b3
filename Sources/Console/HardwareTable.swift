// SPDX-License-Identifier: MIT

public import ControlProtocol
internal import Sessions

/// The table of preferred and actual values (HW-3), and the routes under it.
///
/// Pure value: [any-thread].
public enum HardwareTable {
  /// The lines of the table.
  ///
  /// - Parameters:
  ///   - status: The state of the host.
  ///   - width: The columns of the terminal; nil for any.
  /// - Returns: Lines without their ends.
  public static func lines(_ status: HostStatus, width: Int? = nil) -> [String] {
    WrappedText.lines(serverLine(status.server), indent: 2, width: width)
      + valueTable(status).lines(width: width) + [""] + routeTable(status).lines(width: width)
  }

  /// The preferred and actual values.
  static func valueTable(_ status: HostStatus) -> Table {
    var values = Table(["", "preferred", "actual", "reason"], alignments: [.left, .right, .right])
    for (name, value) in named(status.hardware) {
      values.add([
        name,
        Figures.quantity(value.preferred, unit: value.unit),
        Figures.quantity(value.actual, unit: value.unit),
        value.reason ?? "",
      ])
    }
    return values
  }

  private static func named(_ hardware: HardwareStatus) -> [(String, HardwareStatus.Value)] {
    [
      ("sample rate", hardware.sampleRate),
      ("I/O buffer duration", hardware.ioBufferDuration),
      ("I/O buffer", hardware.ioBufferFrames),
      ("input latency", hardware.inputLatency),
      ("output latency", hardware.outputLatency),
      ("input channels", hardware.inputChannels),
      ("output channels", hardware.outputChannels),
    ]
  }

  /// The server in a line, with its owner, and whether it adds a period.
  static func serverLine(_ server: ServerStatus) -> String {
    var parts = ["server \"\(server.name)\"", server.$state]
    if let driver = server.driver { parts.append("driver \(driver)") }
    parts.append(server.owned ? "started by the host" : "started by another program")
    if let pid = server.pid { parts.append("pid \(pid)") }
    switch server.synchronous {
    case true?: parts.append("synchronous")
    case false?: parts.append("asynchronous: one period more at the output")
    case nil: break
    }
    if let fault = server.fault { parts.append("no sound: \(fault)") }
    return parts.joined(separator: ", ")
  }

  /// The routes.
  static func routeTable(_ status: HostStatus) -> Table {
    let rate = status.hardware.sampleRate.actual
    var routes = Table(
      ["route", "type", "direction", "latency", "gain", "ports"],
      alignments: [.left, .left, .left, .right, .right],
    )
    for route in status.routes {
      let latency = route.latencyFrames.map { frames -> String in
        guard let rate, rate > 0 else { return "\(frames) frames" }
        return Figures.quantity(Double(frames) / rate, unit: .seconds)
      }
      routes.add([
        route.name,
        route.$type,
        route.$direction,
        latency ?? "–",
        route.direction == .input ? "–" : Figures.decibels(route.gainDB),
        route.available ? route.ports.joined(separator: " ") : "not available",
      ])
    }
    return routes
  }
}

/// The lines below the routes: bridges and network engines, delays, fallbacks, recorders.
///
/// [any-thread]
enum HelperLines {
  /// A line for each route with further facts, and for each recorder.
  static func lines(_ status: HostStatus) -> [String] {
    let all = status.routes.flatMap { routeLines($0) } + status.recorders.map { line(of: $0) }
    return all.isEmpty ? [] : all + [""]
  }

  private static func routeLines(_ route: RouteStatus) -> [String] {
    var lines: [String] = []
    if let helper = route.helper { lines.append("\(route.name): \(text(of: helper))") }
    if let fallback = route.fallback {
      lines.append("\(route.name): heard on \(fallback) meanwhile")
    }
    if route.delayFrames > 0 || route.alignmentErrorFrames ?? 0 != 0 {
      let error = route.alignmentErrorFrames.map { ", remaining error \($0) frames" } ?? ""
      lines.append(
        "\(route.name): delayed by \(route.delayFrames) frames (\(route.$alignment))\(error)"
      )
    }
    return lines
  }

  private static func text(of helper: HelperStatus) -> String {
    let times = helper.restarts == 1 ? "once" : "\(helper.restarts) times"
    let restarts = helper.restarts > 0 ? ", started again \(times)" : ""
    let reason = helper.reason.map { ": \($0)" } ?? ""
    guard let bridge = helper.bridge else {
      return "\(helper.program) \(helper.$state)\(reason)\(restarts)"
    }
    let figures = [
      bridge.ppm.map { "\(Figures.plain($0, decimals: 2)) ppm" },
      bridge.delayMilliseconds.map { "\(Figures.plain($0, decimals: 2)) ms late" },
      bridge.fillFrames.map { "fill \(Figures.plain($0, decimals: 0)) frames" },
      "\(bridge.resyncs) resync\(bridge.resyncs == 1 ? "" : "s")",
      "\(bridge.xruns) xrun\(bridge.xruns == 1 ? "" : "s")",
    ]
    let why = bridge.reason.map { " (\($0))" } ?? ""
    return "bridge \(bridge.$lock)\(why), device \(bridge.$device), "
      + figures.compactMap { $0 }.joined(separator: ", ") + restarts
  }

  private static func line(of recorder: RecorderStatus) -> String {
    let state = recorder.recording ? "records \(recorder.from)" : "stands still"
    let lost = recorder.framesLost > 0 ? ", \(recorder.framesLost) lost" : ""
    let fault = recorder.fault.map { "; \($0)" } ?? ""
    return "recorder \(recorder.name): \(state), \(recorder.framesWritten) frames\(lost)\(fault)"
  }
}
