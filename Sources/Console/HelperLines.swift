// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// What routes have beside ports: bridges and network engines, delays, fallbacks, recorders.
enum HelperLines {
  /// A line for each route with something to tell, and for each recorder.
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
        "\(route.name): delayed by \(route.delayFrames) frames (\(route.alignment.rawValue))\(error)"
      )
    }
    return lines
  }

  private static func text(of helper: HelperStatus) -> String {
    let times = helper.restarts == 1 ? "once" : "\(helper.restarts) times"
    let restarts = helper.restarts > 0 ? ", started again \(times)" : ""
    let reason = helper.reason.map { ": \($0)" } ?? ""
    guard let bridge = helper.bridge else {
      return "\(helper.program) \(helper.state.rawValue)\(reason)\(restarts)"
    }
    let figures = [
      bridge.ppm.map { "\(Figures.plain($0, decimals: 2)) ppm" },
      bridge.delayMilliseconds.map { "\(Figures.plain($0, decimals: 2)) ms late" },
      bridge.fillFrames.map { "fill \(Figures.plain($0, decimals: 0)) frames" },
      "\(bridge.resyncs) resync\(bridge.resyncs == 1 ? "" : "s")",
      "\(bridge.xruns) xrun\(bridge.xruns == 1 ? "" : "s")",
    ]
    let why = bridge.reason.map { " (\($0))" } ?? ""
    return "bridge \(bridge.lock)\(why), device \(bridge.device), "
      + figures.compactMap { $0 }.joined(separator: ", ") + restarts
  }

  private static func line(of recorder: RecorderStatus) -> String {
    let state = recorder.recording ? "records \(recorder.from)" : "stands still"
    let lost = recorder.framesLost > 0 ? ", \(recorder.framesLost) lost" : ""
    let fault = recorder.fault.map { "; \($0)" } ?? ""
    return "recorder \(recorder.name): \(state), \(recorder.framesWritten) frames\(lost)\(fault)"
  }
}
