// SPDX-License-Identifier: MIT

import CommandSupport
import Console
import ControlProtocol
import Host

/// The output of `multiroute run`: live meters on a terminal, plain lines into a pipe, or JSON lines.
///
/// Belongs to the control thread.
final class RunScreen {
  private enum Style { case terminal, plain, json }

  private let style: Style
  private let showsAllEvents: Bool
  private var meterView = MeterView()
  /// The lines of meters that stand at the bottom of the terminal.
  private let meterLines = MeterLines()
  private let xruns = XrunLines()
  /// The address of the page for a phone's camera, until it has been shown.
  private var codeAddress: String?

  init(json: Bool, plain: Bool, showsAllEvents: Bool) {
    style = json ? .json : Terminal.isInteractive && !plain ? .terminal : .plain
    self.showsAllEvents = showsAllEvents
  }

  /// The interval of levels: short enough for the eye, long in a log; nil for JSON output without
  /// levels.
  var metersIntervalNanoseconds: UInt64? {
    switch style {
    case .terminal: 80_000_000
    case .plain: 1_000_000_000
    case .json: nil
    }
  }

  /// Shows the address of the page as a QR code: on a terminal below the first status, which would scroll it away, else at once.
  func show(code address: String) {
    guard style == .terminal else { return Terminal.complain(code: address) }
    codeAddress = address
  }

  private func showCode() {
    guard let address = codeAddress else { return }
    codeAddress = nil
    Terminal.say(address)
    Terminal.draw(code: address)
  }

  /// Prints one output of the host.
  func show(_ output: HostOutput) throws {
    switch (output, style) {
    case (.attached(let status), .json):
      try Terminal.say(json: Tagged(event: "attached", status: status))
    case (.attached(let status), _):
      meterLines.clear()
      let width = style == .terminal ? Terminal.columns : nil
      for line in HardwareTable.lines(status, width: width) { Terminal.say(line) }
      showCode()
    case (.event(let event), .json):
      try Terminal.say(json: event)
    case (.event(let event), _) where event.kind == .xrun:
      guard let line = xruns.line(for: event) else { return }
      meterLines.clear()
      Terminal.say(line)
    case (.event(let event), _) where showsAllEvents || EventLines.isTold(event.kind):
      meterLines.clear()
      Terminal.say("\(event.kindName): \(event.message)")
    case (.meters(let meters), .terminal):
      meterLines.redraw(meterView.lines(meters, style: Terminal.style))
    case (.meters(let meters), .plain):
      Terminal.say("levels: \(MeterView.plainLine(meters))")
    case (.event, _), (.meters, .json), (.unsaved, _), (.stopped, _):
      break
    }
  }
}

/// The first line of JSON output: the whole status.
private struct Tagged: Encodable {
  let event: String
  let status: HostStatus
}

/// Limits the lines about xruns to one in a time, with a count of the others.
///
/// Belongs to the control thread.
final class XrunLines {
  private let pauseNanoseconds: UInt64
  private var lastNanoseconds: UInt64?
  private var unsaid = 0

  init(pauseNanoseconds: UInt64 = 5_000_000_000) { self.pauseNanoseconds = pauseNanoseconds }

  /// The line for an xrun; nil where the last line is younger than the pause.
  func line(for event: ControlEvent) -> String? {
    let now = event.time.monotonicNanoseconds
    if let lastNanoseconds, now - lastNanoseconds < pauseNanoseconds {
      unsaid += 1
      return nil
    }
    let others = unsaid > 0 ? " (and \(unsaid) more since the last line)" : ""
    lastNanoseconds = now
    unsaid = 0
    return "\(event.kindName): \(event.message)\(others)"
  }
}

/// Lines at the bottom of a terminal that are redrawn in place.
///
/// Runs on the task of its command: [control-thread].
final class MeterLines {
  private var drawn = 0

  /// Draws the lines in place of the last ones; they must fit the terminal.
  func redraw(_ lines: [String]) {
    let up = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
    let text = lines.map { "\($0)\u{1B}[K\n" }.joined()
    Terminal.draw(up + text + "\u{1B}[J")
    drawn = lines.count
  }

  /// Removes the lines, so that other text can be printed in their place.
  func clear() {
    guard drawn > 0 else { return }
    Terminal.draw("\u{1B}[\(drawn)A\u{1B}[J")
    drawn = 0
  }
}

/// A screen of its own, in which `--watch` redraws text in place; the terminal's lines and its scrollback stay as they were.
///
/// Runs on the task of its command: [control-thread].
final class WatchScreen {
  private var isOpen = false

  /// Draws as many as fit of the lines for the terminal as it is now.
  func draw(_ lines: (ScreenStyle) -> [String]) {
    if !isOpen { Terminal.draw("\u{1B}[?1049h\u{1B}[?25l") }
    isOpen = true
    let style = Terminal.style
    // Before they are cut: some signs have more characters in ASCII.
    let clean = lines(style).map(ShownText.clean).map { style.isUnicode ? $0 : PlainText.ascii($0) }
    let shown = style.fitted(clean) { "\($0) more lines; a higher terminal shows them" }
    let text = shown.map { $0 + "\u{1B}[K" }
    Terminal.draw("\u{1B}[H" + text.joined(separator: "\r\n") + "\u{1B}[J")
  }

  /// Gives the terminal back as it was.
  func close() {
    guard isOpen else { return }
    isOpen = false
    Terminal.draw("\u{1B}[?25h\u{1B}[?1049l")
  }
}
