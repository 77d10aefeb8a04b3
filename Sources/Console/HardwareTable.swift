// SPDX-License-Identifier: MIT

public import ControlProtocol

/// The table of preferred and actual values (HW-3), and the routes under it.
public enum HardwareTable {
  /// The lines of the table.
  ///
  /// - Parameter status: The state of the host.
  /// - Returns: Lines without their ends.
  public static func lines(_ status: HostStatus) -> [String] {
    var values = Table(["", "preferred", "actual", "reason"], alignments: [.left, .right, .right])
    for (name, value) in named(status.hardware) {
      values.add([
        name,
        Figures.quantity(value.preferred, unit: value.unit),
        Figures.quantity(value.actual, unit: value.unit),
        value.reason ?? "",
      ])
    }
    return [serverLine(status.server)] + values.lines() + [""] + routeLines(status)
  }

  private static func named(_ hardware: HardwareStatus) -> [(String, HardwareValue)] {
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

  /// The server in a line: whose it is and whether it adds a period.
  static func serverLine(_ server: ServerStatus) -> String {
    var parts = ["server \"\(server.name)\"", server.state.rawValue]
    if let driver = server.driver { parts.append("driver \(driver)") }
    parts.append(server.owned ? "ours" : "not ours")
    if let pid = server.pid { parts.append("pid \(pid)") }
    switch server.synchronous {
    case true?: parts.append("synchronous")
    case false?: parts.append("asynchronous: one period more at the output")
    case nil: break
    }
    return parts.joined(separator: ", ")
  }

  private static func routeLines(_ status: HostStatus) -> [String] {
    let rate = status.hardware.sampleRate.actual
    var routes = Table(
      ["route", "type", "direction", "latency", "gain", "ports"],
      alignments: [.left, .left, .left, .right, .right],
    )
    for route in status.routes {
      let latency = route.latencyFrames.map { frames -> String in
        guard let rate, rate > 0 else { return "\(frames) frames" }
        return Figures.quantity(Double(frames) / rate, unit: "s")
      }
      routes.add([
        route.name,
        route.type,
        route.direction.rawValue,
        latency ?? "–",
        route.direction == .input ? "–" : Figures.decibels(route.gainDB),
        route.available ? route.ports.joined(separator: " ") : "not available",
      ])
    }
    return routes.lines()
  }
}
