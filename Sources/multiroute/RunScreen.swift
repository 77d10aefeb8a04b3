// SPDX-License-Identifier: MIT

import Console
import ControlProtocol
import Host

/// What `multiroute run` prints: live meters on a terminal, plain lines into a pipe, or JSON lines.
struct RunScreen {
  private enum Style { case terminal, plain, json }

  private let style: Style
  /// The lines of meters that stand at the bottom of the terminal.
  private let meterLines = MeterLines()
  private let xruns = XrunLines()

  init(json: Bool) {
    style = json ? .json : Terminal.isInteractive ? .terminal : .plain
  }

  /// How often levels are wanted: often enough for the eye, rarely in a log, never in JSON.
  var metersIntervalNanoseconds: UInt64? {
    switch style {
    case .terminal: 80_000_000
    case .plain: 1_000_000_000
    case .json: nil
    }
  }

  /// Prints what the host tells.
  func show(_ output: HostOutput) throws {
    switch (output, style) {
    case (.attached(let status), .json):
      Terminal.say(try JSONLine.text(Tagged(event: "attached", status: status)))
    case (.attached(let status), _):
      meterLines.clear()
      for line in HardwareTable.lines(status) { Terminal.say(line) }
    case (.event(let event), .json):
      Terminal.say(try JSONLine.text(event))
    case (.event(let event), _) where event.kind == .xrun:
      guard let line = xruns.line(for: event) else { return }
      meterLines.clear()
      Terminal.say(line)
    case (.event(let event), _):
      meterLines.clear()
      Terminal.say("\(event.kind.rawValue): \(event.message)")
    case (.meters(let meters), .terminal):
      meterLines.redraw(MeterView(columns: Terminal.columns).lines(meters))
    case (.meters(let meters), .plain):
      Terminal.say("levels: \(MeterView.plainLine(meters))")
    case (.meters, .json), (.stopped, _):
      break
    }
  }
}

/// The first line of JSON output: the whole status.
private struct Tagged: Encodable {
  let event: String
  let status: HostStatus
}
