// SPDX-License-Identifier: MIT

/// Lines at the bottom of a terminal that are drawn over again.
final class MeterLines {
  private var drawn = 0

  /// Draws the lines over those of before.
  func redraw(_ lines: [String]) {
    let up = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
    let text = lines.map { "\u{1B}[2K\($0)" }.joined(separator: "\n")
    Terminal.say(up + text)
    drawn = lines.count
  }

  /// Takes the lines away, so that other text can be printed in their place.
  func clear() {
    guard drawn > 0 else { return }
    Terminal.say("\u{1B}[\(drawn)A\u{1B}[J\u{1B}[1A")
    drawn = 0
  }
}
