// SPDX-License-Identifier: MIT

import Glibc
import LatencyLab
import Synchronization

/// A benchmark's progress on standard error: a bar on a terminal, a line for each step elsewhere.
final class ProgressLine: Sendable {
  private let lastStep = Mutex<String>("")
  private let isInteractive = isatty(STDERR_FILENO) == 1

  /// Shows a moment of a benchmark.
  func show(_ progress: BenchProgress) {
    let step = "[\(progress.step)/\(progress.stepCount)] \(progress.label)"
    let left = progress.secondsLeft.map { ", \(Int($0.rounded())) s left" } ?? ""
    let percent = "\(Int((progress.fractionDone * 100).rounded())) %\(left)"
    if isInteractive {
      let full = Int((progress.fractionDone * Double(Self.barWidth)).rounded())
      let bar = String(repeating: "█", count: full)
      let rest = String(repeating: "░", count: Self.barWidth - full)
      Terminal.complain("\r\(bar)\(rest) \(percent)  \(step)\u{1B}[K", end: "")
    } else if lastStep.withLock({ last in
      defer { last = step }
      return last != step
    }) {
      Terminal.complain("\(step): \(percent)")
    }
  }

  /// Clears the bar, so that what follows stands on a line of its own.
  func end() {
    if isInteractive { Terminal.complain("\r\u{1B}[K", end: "") }
  }

  private static let barWidth = 30
}
