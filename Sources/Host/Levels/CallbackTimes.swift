// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Histogram
internal import Realtime

/// The durations of the main client's callbacks: they leave the audio thread through a queue, and are
/// collected in a distribution.
///
/// Belongs to the control thread.
final class CallbackTimes {
  /// Durations that fit between two looks at the queue: 4096 is 20 ms at 48 kHz and 1 frame, four times.
  private let queue = SPSCQueue<UInt32>(minimumCapacity: 4096)
  /// From 100 ns to 1 s, to two digits.
  private var histogram = Histogram<UInt64>(
    lowestDiscernibleValue: 100,
    highestTrackableValue: 1_000_000_000,
    numberOfSignificantValueDigits: .two,
  )

  /// The audio thread's end of the queue of durations in nanoseconds; it must not outlive this object.
  var producer: SPSCQueue<UInt32>.Producer { queue.producer }

  /// Collects the durations in the queue.
  func collect() {
    while let nanoseconds = queue.consumer.pop() { histogram.record(UInt64(nanoseconds)) }
  }

  /// The distribution since the start in microseconds; nil before the first callback.
  var percentiles: Percentiles? {
    guard histogram.totalCount > 0 else { return nil }
    func microseconds(_ percentile: Double) -> Double {
      Double(histogram.valueAtPercentile(percentile)) / 1000
    }
    return Percentiles(
      p50: microseconds(50),
      p90: microseconds(90),
      p99: microseconds(99),
      p999: microseconds(99.9),
      max: Double(histogram.max) / 1000,
    )
  }
}
