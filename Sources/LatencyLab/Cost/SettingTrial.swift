// SPDX-License-Identifier: MIT

import JACK

/// A setting that can be tried on and off on this machine.
struct SettingTrial {
  /// The doctor's name for it.
  var subject: String
  /// The two states that are compared, as text.
  var comparison: String
  /// The server with the setting as it should be.
  var good: ServerConfiguration
  /// The server with the setting as it should not be.
  var bad: ServerConfiguration
  /// Whether programs of ordinary priority keep all processors busy meanwhile.
  var isUnderLoad = false
  /// Brings the machine into the state of the setting; nil where the server alone decides.
  var apply: ((_ isGood: Bool) throws(LabError) -> Void)?
}

/// The measured cost of a setting, or the reason why it cannot be tried.
public struct SettingCost: Sendable, Hashable, Encodable {
  /// The doctor's name for the setting.
  public var subject: String
  /// The two states that were compared; or the reason why the setting cannot be tried here.
  public var words: String
  /// 99th percentile of the wake-up delay with the setting as it should be, in microseconds.
  public var goodMicroseconds: Double?
  /// The same with the setting as it should not be.
  public var badMicroseconds: Double?
  /// Lower end of the 95 % interval of the difference of the medians, in microseconds.
  public var lowerMicroseconds: Double?
  /// Upper end of that interval.
  public var upperMicroseconds: Double?
  /// Latency that the setting adds from input to output, in microseconds; absent without any.
  public var addedLatencyMicroseconds: Double?

  /// The cost as one line.
  public var line: String {
    func text(_ value: Double) -> String { ReportColumn.text(value, decimals: 1) }
    guard let good = goodMicroseconds, let bad = badMicroseconds, let lower = lowerMicroseconds,
      let upper = upperMicroseconds
    else { return "\(subject): cannot be tried here: \(words)" }
    let verdict =
      lower > 0
      ? "costs \(text(bad - good)) µs"
      : upper < 0 ? "saves \(text(good - bad)) µs" : "no difference beyond the noise"
    let added =
      addedLatencyMicroseconds.map { ", and \(text($0)) µs from input to output" } ?? ""
    return "\(subject): \(words): \(verdict)\(added) (99th percentile of the wake-up "
      + "\(text(good)) against \(text(bad)) µs; difference \(text(lower)) … \(text(upper)) µs)"
  }
}
