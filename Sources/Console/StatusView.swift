// SPDX-License-Identifier: MIT

public import ControlProtocol

/// The whole state of a host as text, for `multiroute status`.
public enum StatusView {
  /// The lines.
  public static func lines(_ status: HostStatus) -> [String] {
    let host = status.host
    var lines = [
      "host \"\(host.name)\", pid \(host.pid), version \(host.version), "
        + "up \(Int(host.uptimeSeconds)) s, graph \(host.graph)"
    ]
    lines += HardwareTable.lines(status) + [""] + stripLines(status)
    if let crossfader = status.crossfader {
      lines.append(
        "crossfader at \(Figures.plain(crossfader.position, decimals: 2)), "
          + "curve \(crossfader.curve)"
      )
    }
    lines += insertLines(status)
    lines += [""] + sendLines(status) + [""] + sessionLines(status) + [engineLine(status.engine)]
    return lines
  }

  private static func stripLines(_ status: HostStatus) -> [String] {
    var table = Table(
      ["strip", "source", "gain", "pan", "side", "state"],
      alignments: [.left, .left, .right, .right],
    )
    for strip in status.strips {
      let states = [
        strip.muted ? "muted" : nil, strip.solo ? "solo" : nil, strip.cue ? "cue" : nil,
      ]
      table.add([
        strip.id,
        strip.source,
        Figures.decibels(strip.gainDB),
        Figures.plain(strip.pan, decimals: 2),
        strip.crossfaderSide?.rawValue.uppercased() ?? "–",
        states.compactMap { $0 }.joined(separator: ", "),
      ])
    }
    return table.lines()
  }

  /// `effects of strip deck-a: equalizer → delay (bypassed), heard 100 %`.
  private static func insertLines(_ status: HostStatus) -> [String] {
    status.inserts.map { chain in
      let nodes = chain.nodes.map { node in
        let state =
          node.fault ?? (node.bypassed ? "bypassed" : node.running ? nil : "not running")
        return node.name + (state.map { " (\($0))" } ?? "")
      }
      let place = chain.strip.map { "strip \($0)" } ?? "route \(chain.route ?? "")"
      let state =
        chain.leftAlone
        ? "taken apart by hand" : "heard \(Figures.plain(chain.heard * 100, decimals: 0)) %"
      return "effects of \(place): "
        + (nodes.isEmpty ? "none" : nodes.joined(separator: " → ")) + ", \(state)"
    }
  }

  private static func sendLines(_ status: HostStatus) -> [String] {
    var table = Table(["from", "to", "gain", "state"], alignments: [.left, .left, .right])
    for send in status.sends {
      table.add([
        send.strip, send.route, Figures.decibels(send.gainDB), send.muted ? "muted" : "",
      ])
    }
    return table.lines()
  }

  private static func sessionLines(_ status: HostStatus) -> [String] {
    guard !status.sessions.isEmpty else { return [] }
    var table = Table(["session", "app", "category", "mode", "active", "interrupted or ducked by"])
    for session in status.sessions {
      let others = [session.interruptedBy].compactMap { $0 } + session.duckedBy
      table.add([
        session.id, session.app, session.category, session.mode, session.active ? "yes" : "no",
        others.joined(separator: ", "),
      ])
    }
    return table.lines() + [""]
  }

  private static func engineLine(_ engine: EngineStatus) -> String {
    var line =
      "engine: \(engine.cycles) cycles, \(engine.xruns) xruns, "
      + "load \(Figures.plain(engine.loadPercent, decimals: 1)) %"
    if let times = engine.callbackMicroseconds {
      line +=
        ", callback p50 \(Figures.plain(times.p50, decimals: 1)) µs, "
        + "p99.9 \(Figures.plain(times.p999, decimals: 1)) µs, "
        + "max \(Figures.plain(times.max, decimals: 1)) µs"
    }
    if let xrun = engine.lastXrun {
      let delay = xrun.delayMicroseconds.map { "late by \(Figures.plain($0, decimals: 0)) µs" }
      let words = [delay, xrun.cause].compactMap { $0 }.joined(separator: "; ")
      line += "\nlast xrun: \(words)"
    }
    return line
  }
}
