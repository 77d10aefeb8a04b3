// SPDX-License-Identifier: MIT

import LatencyLab

/// A benchmark's progress on standard error: what it does and how long it still takes.
enum ProgressLine {
  /// Prints a moment of a benchmark.
  static let show: BenchProgress.Handler = { progress in
    let share = Int((progress.fractionDone * 100).rounded())
    let left = progress.secondsLeft.map { ", \(Int($0.rounded())) s left" } ?? ""
    Terminal.complain(
      "[\(progress.step)/\(progress.stepCount)] \(progress.label): \(share) %\(left)"
    )
  }
}
