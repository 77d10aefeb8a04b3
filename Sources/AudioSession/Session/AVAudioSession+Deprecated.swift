// SPDX-License-Identifier: MIT

internal import Foundation

/// What a session told before there were notifications.
@available(*, deprecated, message: "observe AVAudioSession.interruptionNotification")
public protocol AVAudioSessionDelegate: AnyObject, Sendable {
  /// The audio is silent and the session inactive.
  func beginInterruption()
  /// The interruption is over; `flags` is 1 where the app should resume.
  func endInterruption(withFlags flags: Int)
  /// The interruption is over.
  func endInterruption()
  /// An input was connected, or none is left.
  func inputIsAvailableChanged(_ isInputAvailable: Bool)
}

@available(*, deprecated)
extension AVAudioSessionDelegate {
  /// Does nothing.
  public func beginInterruption() {}
  /// Calls ``endInterruption()``.
  public func endInterruption(withFlags flags: Int) { endInterruption() }
  /// Does nothing.
  public func endInterruption() {}
  /// Does nothing.
  public func inputIsAvailableChanged(_ isInputAvailable: Bool) {}
}

extension AVAudioSession {
  /// Hears of interruptions, on the main thread; held weakly.
  @available(*, deprecated, message: "observe AVAudioSession.interruptionNotification")
  public weak var delegate: (any AVAudioSessionDelegate)? {
    get { DelegateCalls.shared.delegate as? any AVAudioSessionDelegate }
    set { DelegateCalls.shared.set(newValue) }
  }

  /// Makes the session active or inactive; flag 1 is `notifyOthersOnDeactivation`.
  @available(*, deprecated, message: "use setActive(_:options:)")
  public func setActive(_ active: Bool, withFlags flags: Int) throws {
    try setActive(active, options: SetActiveOptions(rawValue: UInt(truncatingIfNeeded: flags)))
  }

  /// Old name of ``isInputAvailable``.
  @available(*, deprecated, renamed: "isInputAvailable")
  public var inputIsAvailable: Bool { isInputAvailable }

  /// Old name of ``sampleRate``.
  @available(*, deprecated, renamed: "sampleRate")
  public var currentHardwareSampleRate: Double { sampleRate }

  /// Old name of ``inputNumberOfChannels``.
  @available(*, deprecated, renamed: "inputNumberOfChannels")
  public var currentHardwareInputNumberOfChannels: Int { inputNumberOfChannels }

  /// Old name of ``outputNumberOfChannels``.
  @available(*, deprecated, renamed: "outputNumberOfChannels")
  public var currentHardwareOutputNumberOfChannels: Int { outputNumberOfChannels }

  /// Old name of ``preferredSampleRate``.
  @available(*, deprecated, renamed: "preferredSampleRate")
  public var preferredHardwareSampleRate: Double { preferredSampleRate }

  /// Old name of ``setPreferredSampleRate(_:)``.
  @available(*, deprecated, renamed: "setPreferredSampleRate(_:)")
  public func setPreferredHardwareSampleRate(_ sampleRate: Double) throws {
    try setPreferredSampleRate(sampleRate)
  }
}
