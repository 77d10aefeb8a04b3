// SPDX-License-Identifier: MIT

import AVFAudio
import Foundation
import Histogram

/// How long `setActive(true)` takes in an app, when no hardware value has to change.
///
///     ActivationBenchmark ROUNDS
///
/// The host is the one that the environment names. Prints one line of JSON: milliseconds by percentile.
@main
struct ActivationBenchmark {
  static func main() throws {
    let session = AVAudioSession.sharedInstance()
    guard CommandLine.arguments.count == 2, let rounds = Int(CommandLine.arguments[1]), rounds > 0
    else {
      FileHandle.standardError.write(Data("usage: ActivationBenchmark ROUNDS\n".utf8))
      exit(64)
    }
    try session.setCategory(.playback)
    // The first one connects, and brings the hardware to the preferences.
    try session.setActive(true)
    var times = Histogram<UInt32>(numberOfSignificantValueDigits: .three)
    for _ in 0..<rounds {
      try session.setActive(false)
      let start = ContinuousClock.now
      try session.setActive(true)
      let (seconds, attoseconds) = (ContinuousClock.now - start).components
      times.record(UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000))
    }
    try session.setActive(false)
    let figures = [50.0, 90, 99, 99.9, 100].map { percentile in
      let milliseconds = Double(times.valueAtPercentile(percentile)) / 1_000
      return "\"p\(percentile.formatted())\": \(milliseconds)"
    }
    print("{\"activations\": \(rounds), \"milliseconds\": {\(figures.joined(separator: ", "))}}")
  }
}
