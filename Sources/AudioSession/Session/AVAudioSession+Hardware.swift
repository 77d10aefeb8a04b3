// SPDX-License-Identifier: MIT

internal import ControlProtocol
public import Foundation
internal import Sessions

extension AVAudioSession {
  // MARK: - Preferred values

  /// The preferred sample rate in Hz; 0 for none.
  public var preferredSampleRate: Double { state.preferences.sampleRateHz ?? 0 }

  /// Prefers a sample rate in Hz from the next activation on; 0 withdraws the preference (HW-1).
  ///
  /// - Throws: `badParam` for a negative or infinite rate. A rate that the hardware does not offer is no error: read
  ///   ``sampleRate`` after the activation.
  /// [control-thread]
  public func setPreferredSampleRate(_ sampleRate: Double) throws {
    try controller.prefer(.sampleRate(hz: sampleRate))
  }

  /// The preferred duration of an I/O buffer in seconds; 0 for none.
  public var preferredIOBufferDuration: TimeInterval { state.preferences.ioBufferSeconds ?? 0 }

  /// Prefers a duration of the I/O buffer in seconds from the next activation on; 0 withdraws the preference (HW-1).
  ///
  /// - Throws: `badParam` for a negative or infinite duration. Read ``ioBufferDuration`` after the activation.
  /// [control-thread]
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    try controller.prefer(.ioBuffer(seconds: duration))
  }

  /// The preferred number of input channels; 0 for none.
  public var preferredInputNumberOfChannels: Int { state.preferences.inputChannels ?? 0 }

  /// Prefers a number of input channels.
  ///
  /// - Parameter count: 1 to ``maximumInputNumberOfChannels``, which is 0 while the session is inactive.
  /// - Throws: `badParam` outside that range; `incompatibleCategory` in a category without input.
  /// [control-thread]
  public func setPreferredInputNumberOfChannels(_ count: Int) throws {
    try require(state.configuration.category.hasInput, "input channels")
    try check(count, maximumInputNumberOfChannels, "preferredInputNumberOfChannels")
    try controller.prefer(.inputChannels(count: count))
  }

  /// The preferred number of output channels; 0 for none.
  public var preferredOutputNumberOfChannels: Int { state.preferences.outputChannels ?? 0 }

  /// Prefers a number of output channels.
  ///
  /// - Parameter count: 1 to ``maximumOutputNumberOfChannels``, which is 0 while the session is inactive.
  /// - Throws: `badParam` outside that range; `incompatibleCategory` in a category without output.
  /// [control-thread]
  public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
    try require(state.configuration.category.hasOutput, "output channels")
    try check(count, maximumOutputNumberOfChannels, "preferredOutputNumberOfChannels")
    try controller.prefer(.outputChannels(count: count))
  }

  /// The preferred orientation of a stereo microphone.
  public var preferredInputOrientation: StereoOrientation {
    state.choices.preferredInputOrientation
  }

  /// Prefers an orientation of a stereo microphone; without effect if no data source has pattern `stereo`.
  public func setPreferredInputOrientation(_ orientation: StereoOrientation) throws {
    try controller.choose { $0.preferredInputOrientation = orientation }
  }

  /// The orientation of the stereo microphone in use; `none` unless its pattern is `stereo`.
  public var inputOrientation: StereoOrientation {
    inputDataSource?.selectedPolarPattern == .stereo ? preferredInputOrientation : .none
  }

  // MARK: - Actual values

  /// The sample rate in Hz; 0 before the first connection to a host (HW-7).
  public var sampleRate: Double { state.detail?.hardware.sampleRateHz ?? 0 }

  /// The duration of one I/O buffer in seconds: exactly frames / rate (HW-6).
  public var ioBufferDuration: TimeInterval {
    guard let hardware = state.detail?.hardware, hardware.sampleRateHz > 0 else { return 0 }
    return Double(hardware.ioBufferFrames) / hardware.sampleRateHz
  }

  /// Old name of ``ioBufferDuration``, as Objective-C has it.
  public var IOBufferDuration: TimeInterval { ioBufferDuration }

  /// The latency from the input's device to the app in seconds; 0 in a category without input.
  public var inputLatency: TimeInterval {
    hasInput ? state.detail?.hardware.inputLatencySeconds ?? 0 : 0
  }

  /// The latency from the app to the output's device in seconds; 0 in a category without output.
  public var outputLatency: TimeInterval {
    hasOutput ? state.detail?.hardware.outputLatencySeconds ?? 0 : 0
  }

  /// The number of channels of the input route, at most the preferred number; 0 while the session is inactive, and in a
  /// category without input.
  public var inputNumberOfChannels: Int {
    channels(of: currentRoute.inputs, preferred: preferredInputNumberOfChannels)
  }

  /// The number of channels of all output routes, at most the preferred number; 0 in a category without output.
  public var outputNumberOfChannels: Int {
    channels(of: currentRoute.outputs, preferred: preferredOutputNumberOfChannels)
  }

  /// The number of input channels of the route; 0 while the session is inactive.
  public var maximumInputNumberOfChannels: Int {
    state.isActive ? channels(of: currentRoute.inputs, preferred: 0) : 0
  }

  /// The number of output channels of all routes; 0 while the session is inactive.
  public var maximumOutputNumberOfChannels: Int {
    state.isActive ? channels(of: currentRoute.outputs, preferred: 0) : 0
  }

  /// The reasons why actual values differ from the preferred ones, by property name (HW-3).
  ///
  /// Not in the SDK. Empty if all values are as preferred.
  public var hardwareDifferences: [String: String] {
    var reasons: [String: String] = [:]
    reasons["sampleRate"] = state.detail?.hardware.sampleRateReason
    reasons["ioBufferDuration"] = state.detail?.hardware.ioBufferReason
    return reasons
  }

  // MARK: - Gain

  /// The gain of the input, linear, 0 to 1; 1 if it cannot be set.
  public var inputGain: Float {
    state.detail?.hardware.inputGain.map(Float.init) ?? 1
  }

  /// Whether the input's gain can be set: never by JACK alone.
  public var isInputGainSettable: Bool { state.detail?.hardware.inputGain != nil }

  /// Sets the gain of the input, clamped to 0 to 1.
  ///
  /// - Throws: `resourceNotAvailable` if the hardware has no input gain; `badParam` for NaN.
  /// [control-thread]
  public func setInputGain(_ gain: Float) throws {
    guard isInputGainSettable else {
      throw NSError.session(
        .resourceNotAvailable,
        "JACK has no input gain; check isInputGainSettable before setting it",
        offending: "inputGain \(gain)",
        rule: "HW-1",
      )
    }
    try controller.prefer(.inputGain(linear: gain))
  }

  /// Whether the host has an input that a session can use.
  public var isInputAvailable: Bool {
    state.detail?.inputAvailable ?? false
  }

  // MARK: - Checks

  var hasInput: Bool { state.configuration.category.hasInput }
  var hasOutput: Bool { state.configuration.category.hasOutput }

  private func channels(of ports: [AVAudioSessionPortDescription], preferred: Int) -> Int {
    let count = ports.reduce(0) { $0 + ($1.channels?.count ?? 0) }
    return preferred > 0 ? min(count, preferred) : count
  }

  private func require(_ isThere: Bool, _ what: String) throws {
    guard !isThere else { return }
    let category = state.configuration.category
    throw NSError.session(
      .incompatibleCategory,
      "category \(category.name) has no \(what)",
      offending: category.name,
      allowed: Sessions.Category.allCases
        .filter { what.hasPrefix("input") ? $0.hasInput : $0.hasOutput }.map(\.name),
      rule: "CAT-1",
    )
  }

  private func check(_ count: Int, _ maximum: Int, _ name: String) throws {
    guard count >= 1, count <= maximum else {
      throw NSError.session(
        .badParam,
        maximum == 0
          ? "\(name) can only be set while the session is active" : "\(name) is \(count)",
        offending: "\(name) \(count)",
        allowed: ["1…\(maximum)"],
        rule: "HW-1",
      )
    }
  }

  /// The orientation of a stereo microphone.
  public enum StereoOrientation: Int, Sendable {
    /// Not set.
    case none = 0
    /// Upright.
    case portrait = 1
    /// Upside down.
    case portraitUpsideDown = 2
    /// Turned to the right.
    case landscapeRight = 3
    /// Turned to the left.
    case landscapeLeft = 4
  }
}
