// SPDX-License-Identifier: MIT

internal import ControlProtocol
public import Foundation
internal import Sessions

extension AVAudioSession {
  // MARK: - Preferred values

  /// The sample rate asked for in Hz; 0 for none.
  public var preferredSampleRate: Double { state.preferences.sampleRateHz ?? 0 }

  /// Asks for a sample rate in Hz, from the next activation on (HW-1).
  ///
  /// 0 takes the wish back.
  ///
  /// - Throws: `badParam` for a negative or infinite rate. A rate that the hardware lacks is no error: read
  ///   ``sampleRate`` after the activation.
  /// [control-thread]
  public func setPreferredSampleRate(_ sampleRate: Double) throws {
    try controller.prefer(.sampleRate(hz: sampleRate))
  }

  /// The I/O buffer asked for in seconds; 0 for none.
  public var preferredIOBufferDuration: TimeInterval { state.preferences.ioBufferSeconds ?? 0 }

  /// Asks for an I/O buffer in seconds, from the next activation on (HW-1).
  ///
  /// 0 takes the wish back.
  ///
  /// - Throws: `badParam` for a negative or infinite duration. Read ``ioBufferDuration`` after the activation.
  /// [control-thread]
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    try controller.prefer(.ioBuffer(seconds: duration))
  }

  /// The number of input channels asked for; 0 for none.
  public var preferredInputNumberOfChannels: Int { state.preferences.inputChannels ?? 0 }

  /// Asks for a number of input channels.
  ///
  /// - Parameter count: 1 to ``maximumInputNumberOfChannels``, which is 0 while the session is inactive.
  /// - Throws: `badParam` outside that range; `incompatibleCategory` in a category without input.
  /// [control-thread]
  public func setPreferredInputNumberOfChannels(_ count: Int) throws {
    try require(state.configuration.category.hasInput, "input channels")
    try check(count, maximumInputNumberOfChannels, "preferredInputNumberOfChannels")
    try controller.prefer(.inputChannels(count: count))
  }

  /// The number of output channels asked for; 0 for none.
  public var preferredOutputNumberOfChannels: Int { state.preferences.outputChannels ?? 0 }

  /// Asks for a number of output channels.
  ///
  /// - Parameter count: 1 to ``maximumOutputNumberOfChannels``, which is 0 while the session is inactive.
  /// - Throws: `badParam` outside that range; `incompatibleCategory` in a category without output.
  /// [control-thread]
  public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
    try require(state.configuration.category.hasOutput, "output channels")
    try check(count, maximumOutputNumberOfChannels, "preferredOutputNumberOfChannels")
    try controller.prefer(.outputChannels(count: count))
  }

  /// The orientation asked for of a stereo microphone.
  public var preferredInputOrientation: StereoOrientation {
    state.choices.preferredInputOrientation
  }

  /// Asks for an orientation of a stereo microphone; kept, without effect where no source has pattern `stereo`.
  public func setPreferredInputOrientation(_ orientation: StereoOrientation) throws {
    try controller.choose { $0.preferredInputOrientation = orientation }
  }

  /// The orientation of the stereo microphone in use; `none` unless its pattern is `stereo`.
  public var inputOrientation: StereoOrientation {
    inputDataSource?.selectedPolarPattern == .stereo ? preferredInputOrientation : .none
  }

  // MARK: - Actual values

  /// The sample rate in Hz; 0 while no host was ever met (HW-7).
  public var sampleRate: Double { state.detail?.hardware.sampleRateHz ?? 0 }

  /// The duration of one I/O buffer in seconds: frames / rate exactly (HW-6).
  public var ioBufferDuration: TimeInterval {
    guard let hardware = state.detail?.hardware, hardware.sampleRateHz > 0 else { return 0 }
    return Double(hardware.ioBufferFrames) / hardware.sampleRateHz
  }

  /// Old name of ``ioBufferDuration``, as Objective-C has it.
  public var IOBufferDuration: TimeInterval { ioBufferDuration }

  /// The way from the input's device to the app in seconds; 0 in a category without input.
  public var inputLatency: TimeInterval {
    hasInput ? state.detail?.hardware.inputLatencySeconds ?? 0 : 0
  }

  /// The way from the app to the output's device in seconds; 0 in a category without output.
  public var outputLatency: TimeInterval {
    hasOutput ? state.detail?.hardware.outputLatencySeconds ?? 0 : 0
  }

  /// The channels of the input route; at most those preferred, 0 in a category without input.
  public var inputNumberOfChannels: Int {
    channels(of: currentRoute.inputs, preferred: preferredInputNumberOfChannels)
  }

  /// The channels of all output routes together; at most those preferred, 0 in a category without output.
  public var outputNumberOfChannels: Int {
    channels(of: currentRoute.outputs, preferred: preferredOutputNumberOfChannels)
  }

  /// The most input channels that the route has; 0 while the session is inactive.
  public var maximumInputNumberOfChannels: Int {
    state.isActive ? channels(of: currentRoute.inputs, preferred: 0) : 0
  }

  /// The most output channels that the routes have together; 0 while the session is inactive.
  public var maximumOutputNumberOfChannels: Int {
    state.isActive ? channels(of: currentRoute.outputs, preferred: 0) : 0
  }

  /// Why the actual hardware values are not the preferred ones, by the property's name (HW-3).
  ///
  /// Not in the SDK. Empty where all is as preferred.
  public var hardwareDifferences: [String: String] {
    var reasons: [String: String] = [:]
    reasons["sampleRate"] = state.detail?.hardware.sampleRateReason
    reasons["ioBufferDuration"] = state.detail?.hardware.ioBufferReason
    return reasons
  }

  // MARK: - Gain

  /// The gain of the input, linear, 0 to 1; 1 where it cannot be set.
  public var inputGain: Float {
    state.detail?.hardware.inputGain.map(Float.init) ?? 1
  }

  /// Whether the input's gain can be set: never by JACK alone.
  public var isInputGainSettable: Bool { state.detail?.hardware.inputGain != nil }

  /// Sets the gain of the input, clamped to 0 to 1.
  ///
  /// - Throws: `resourceNotAvailable` where the hardware has none; `badParam` for NaN.
  /// [control-thread]
  public func setInputGain(_ gain: Float) throws {
    guard isInputGainSettable else {
      throw NSError.session(
        .resourceNotAvailable,
        "the input's gain cannot be set here; see isInputGainSettable",
        offending: "inputGain \(gain)",
        rule: "HW-1",
      )
    }
    try controller.prefer(.inputGain(linear: gain))
  }

  /// Whether the machine has an input that a session could use.
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
          ? "\(name) can be set while the session is active only" : "\(name) is \(count)",
        offending: "\(name) \(count)",
        allowed: ["1…\(maximum)"],
        rule: "HW-1",
      )
    }
  }
}
