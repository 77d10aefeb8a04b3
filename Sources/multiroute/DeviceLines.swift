// SPDX-License-Identifier: MIT

import Console
import Host

/// A survey of devices as text.
enum DeviceLines {
  static func lines(_ survey: DeviceSurvey) -> [String] {
    var lines = [survey.server.map { "JACK server: \($0)" } ?? "no JACK server answers"]
    if survey.isPipeWire {
      lines.append("PipeWire drives the cards: routes are its sinks and sources, without bridges")
    }
    var table = Table(["kind", "name", "direction", "channels", "type", "use"])
    for entry in survey.entries {
      table.add([
        entry.kind, entry.name, entry.direction,
        entry.ports.isEmpty ? "–" : "\(entry.ports.count)", entry.type, entry.use,
      ])
    }
    lines += survey.entries.isEmpty ? ["nothing that could be a route"] : table.lines()
    for missing in survey.missing {
      lines.append(
        "route '\(missing.route)' finds no \(missing.wants)"
          + (missing.fallback.map { "; it is heard on '\($0)' meanwhile" } ?? "")
      )
    }
    let blocks = survey.entries.compactMap(\.block)
    guard !blocks.isEmpty else { return lines }
    return lines + ["", "routes to paste:", "routes:"] + blocks
  }
}
