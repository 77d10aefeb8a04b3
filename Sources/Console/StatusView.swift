// SPDX-License-Identifier: MIT

public import ControlProtocol
internal import Sessions

/// The whole state of a host as text, for `multiroute status`.
///
/// Pure value: [any-thread].
public enum StatusView {
  /// The lines.
  ///
  /// - Parameters:
  ///   - status: The state.
  ///   - monotonicNanoseconds: Now on CLOCK_MONOTONIC, as the state's own times are; nil leaves out how long
  ///     something has been so.
  ///   - width: The columns of the terminal; nil for any.
  /// - Returns: The text line by line.
  public static func lines(
    _ status: HostStatus,
    monotonicNanoseconds: UInt64? = nil,
    width: Int? = nil,
  ) -> [String] {
    let sessions = sessionTable(status.sessions, monotonicNanoseconds, width: width)
    return wrapped([hostLine(status)] + status.alarms.map(alarmLine), width)
      + HardwareTable.lines(status, width: width) + [""]
      + wrapped(HelperLines.lines(status), width) + stripTable(status).lines(width: width)
      + wrapped(mixLines(status), width) + [""] + sendTable(status).lines(width: width) + [""]
      + (status.sessions.isEmpty
        ? [] : sessions.lines(width: width) + wrapped(silenceLines(status.sessions), width) + [""])
      + wrapped(engineLines(status.engine), width)
  }

  static func hostLine(_ status: HostStatus) -> String {
    let host = status.host
    return "host \"\(host.name)\", pid \(host.pid), version \(host.version), "
      + "up \(Int(host.uptimeSeconds)) s, graph \(host.graph)"
      + (host.graphVersion.map { ", version \($0.number)" } ?? "")
  }

  /// Faults, crossfader, surfaces, effects and patches, a line for each.
  static func mixLines(_ status: HostStatus) -> [String] {
    let crossfader = status.crossfader.map { crossfader in
      "crossfader at \(Figures.plain(crossfader.position, decimals: 2)), "
        + "curve \(crossfader.curve)"
    }
    return faultLines(status) + [crossfader].compactMap(\.self) + status.surfaces.map(surfaceLine)
      + insertLines(status) + handoverLines(status) + patchLines(status) + patchRuleLines(status)
  }

  /// Lines of sentences, broken between words.
  static func wrapped(_ lines: [String], _ width: Int?) -> [String] {
    lines.flatMap { WrappedText.lines($0, indent: 2, width: width) }
  }

  static func alarmLine(_ alarm: AlarmStatus) -> String {
    let place = alarm.executable.map { "\($0), client \(alarm.client)" } ?? "client \(alarm.client)"
    return "ALARM: '\(alarm.app)' (\(place)) has connected \(alarm.capture) to \(alarm.port) "
      + "\(alarm.attempts) times without permission; each time it was cut (\(alarm.$rule))"
  }

  /// `surface osc on port 9000 of this machine`.
  private static func surfaceLine(_ surface: SurfaceStatus) -> String {
    "surface \(surface.kind) on port \(surface.port) of \(surface.lan ? "all networks" : "this machine")"
      + (surface.announced.map { ", announced as '\($0)'" } ?? "")
      + (surface.fault.map { ": not served, because \($0)" } ?? "")
  }

  static func stripTable(_ status: HostStatus) -> Table {
    var table = Table(
      ["strip", "source", "gain", "pan", "side", "state"],
      alignments: [.left, .left, .right, .right],
    )
    for strip in status.strips {
      let states = [
        strip.muted ? "muted" : nil, strip.solo ? "solo" : nil, strip.cue ? "cue" : nil,
        strip.$meter == MeterTap.post.rawValue ? nil : "meter \(strip.$meter)",
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
    return table
  }

  /// `samples of strip deck-a that are no sound: 12 silenced, 3 clamped to +24 dB`; empty without any.
  private static func faultLines(_ status: HostStatus) -> [String] {
    status.strips.compactMap { strip in
      strip.faults.map { faults in
        "samples of strip \(strip.id) that are no sound: \(faults.silencedSamples) silenced, "
          + "\(faults.clampedSamples) clamped to +24 dB"
      }
    }
  }

  /// `effects of strip deck-a: equalizer → delay (bypassed), heard 100 %`.
  private static func insertLines(_ status: HostStatus) -> [String] {
    status.inserts.map { chain in
      let nodes = chain.nodes.map { node in
        let state =
          node.fault ?? (node.bypassed ? "bypassed" : node.running ? nil : "not running")
        return node.name + (state.map { " (\($0))" } ?? "")
      }
      let state =
        chain.leftAlone
        ? "taken apart by hand" : "heard \(Figures.plain(chain.heard * 100, decimals: 0)) %"
      return "effects of \(place(strip: chain.strip, route: chain.route)): "
        + (nodes.isEmpty ? "none" : nodes.joined(separator: " → ")) + ", \(state)"
    }
  }

  private static func place(strip: String?, route: String?) -> String {
    strip.map { "strip \($0)" } ?? "route \(route ?? "")"
  }

  /// `nodes of strip keys: late 2 times, 75 cycles without them`; empty if all were in time.
  private static func handoverLines(_ status: HostStatus) -> [String] {
    status.handovers.filter { $0.misses > 0 }.map { handover in
      "nodes of \(place(strip: handover.strip, route: handover.route)): late \(handover.misses) "
        + "time\(handover.misses == 1 ? "" : "s"), \(handover.missedCycles) "
        + "cycle\(handover.missedCycles == 1 ? "" : "s") without them"
    }
  }

  /// `by hand: synth:out_1 → dj:keys_in_1 (removed)`.
  private static func patchLines(_ status: HostStatus) -> [String] {
    status.patches.map { patch in
      "by hand: \(patch.source) → \(patch.destination)"
        + (patch.made ? "" : " (removed)") + (patch.kept ? ", kept" : "")
    }
  }

  /// `patch rule, line 12: {connect: …}: 2 connections`.
  private static func patchRuleLines(_ status: HostStatus) -> [String] {
    status.patchRules.map { rule in
      let acts = [
        "\(rule.connections) connection\(rule.connections == 1 ? "" : "s")",
        rule.cuts > 0 ? "\(rule.cuts) cut" : nil,
        rule.gaveWay ? "gave way to another program" : nil,
      ]
      return "patch rule, line \(rule.line): \(rule.rule): "
        + acts.compactMap(\.self).joined(separator: ", ")
    }
  }

  static func sendTable(_ status: HostStatus) -> Table {
    var table = Table(["from", "to", "gain", "state"], alignments: [.left, .left, .right])
    for send in status.sends {
      table.add([
        send.strip, send.route, Figures.decibels(send.gainDB), send.muted ? "muted" : "",
      ])
    }
    return table
  }

  static func engineLines(_ engine: EngineStatus) -> [String] {
    var line =
      "engine: \(engine.cycles) cycles, \(engine.xruns) xruns, "
      + "load \(Figures.plain(engine.loadPercent, decimals: 1)) %"
    if let times = engine.callbackMicroseconds {
      line +=
        ", callback p50 \(Figures.plain(times.p50, decimals: 1)) µs, "
        + "p99.9 \(Figures.plain(times.p999, decimals: 1)) µs, "
        + "max \(Figures.plain(times.max, decimals: 1)) µs"
    }
    guard let xrun = engine.lastXrun else { return [line] }
    let delay = xrun.delayMicroseconds.map { "late by \(Figures.plain($0, decimals: 0)) µs" }
    let words = [delay, xrun.cause].compactMap { $0 }.joined(separator: "; ")
    return [line, "last xrun: \(words)"]
  }
}
