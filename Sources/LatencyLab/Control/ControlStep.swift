// SPDX-License-Identifier: MIT

/// One change over one face, with the recording around it.
///
/// Pure value: [any-thread].
struct ControlStep: Sendable {
  /// The moment at which the message was sent.
  enum Moment: Sendable {
    /// CLOCK_MONOTONIC, just before a program sent it.
    case nanoseconds(UInt64)
    /// The frame of a MIDI message, in frame times of the server.
    case frame(UInt32)
  }

  /// The result of a step.
  enum Outcome: Equatable, Sendable {
    /// The time from the message to the first sample that differs.
    case heard(microseconds: Double)
    /// No sample differs; the time to the end of the recording.
    case unheard(microseconds: Double)
    /// The server lost cycles, or an earlier change was heard.
    case lost
  }

  /// The recording of the route's output.
  var recording: Speaker.Recording
  /// The moment at which the message was sent.
  var moment: Moment

  /// The result.
  var outcome: Outcome {
    guard recording.lostFrames == 0, let samples = recording.channels.first, !samples.isEmpty
    else { return .lost }
    guard let change = LevelTrace(samples, fullLevelLinear: 1).change else {
      return .unheard(microseconds: microseconds(until: samples.count - 1))
    }
    let delay = microseconds(until: change.start)
    return delay < 0 ? .lost : .heard(microseconds: delay)
  }

  private func microseconds(until index: Int) -> Double {
    switch moment {
    case .nanoseconds(let sent):
      guard let heard = recording.nanoseconds(ofIndex: index) else { return -1 }
      return (Double(heard) - Double(sent)) / 1_000
    case .frame(let sent):
      // Frame times wrap at 2³².
      let frames = Int32(
        bitPattern: recording.firstFrame &+ UInt32(truncatingIfNeeded: index) &- sent
      )
      return Double(frames) * 1_000_000 / Double(recording.sampleRateHz)
    }
  }
}
