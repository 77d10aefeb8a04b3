// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Foundation
internal import NIOConcurrencyHelpers

/// The receiver of interruptions in old sources.
///
/// Called on the main thread; implementations are [any-thread].
@available(*, deprecated, message: "observe AVAudioSession.interruptionNotification")
public protocol AVAudioSessionDelegate: AnyObject, Sendable {
  /// The audio is silent and the session inactive.
  func beginInterruption()
  /// The interruption is over; `flags` is 1 if the app should resume.
  func endInterruption(withFlags flags: Int)
  /// The interruption is over.
  func endInterruption()
  /// The first input was connected, or the last one was disconnected.
  func inputIsAvailableChanged(_ isInputAvailable: Bool)
}

@available(*, deprecated)
extension AVAudioSessionDelegate {
  /// The default implementation is empty.
  public func beginInterruption() {}
  /// Calls ``endInterruption()``.
  public func endInterruption(withFlags flags: Int) { endInterruption() }
  /// The default implementation is empty.
  public func endInterruption() {}
  /// The default implementation is empty.
  public func inputIsAvailableChanged(_ isInputAvailable: Bool) {}
}

extension AVAudioSession {
  /// Receives interruptions on the main thread; held weakly.
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

/// Calls the delegate of old sources on the main thread. [any-thread]
final class DelegateCalls: Sendable {
  static let shared = DelegateCalls()

  /// The delegate's methods as closures, made in the only function that may name the delegate's deprecated type.
  private struct Calls: Sendable {
    weak var delegate: (any AnyObject & Sendable)?
    var began: @Sendable () -> Void = {}
    var ended: @Sendable (Int) -> Void = { _ in }
    var inputChanged: @Sendable (Bool) -> Void = { _ in }
  }

  private let calls = NIOLockedValueBox(Calls())
  /// The number of the observer of the input, while there is a delegate.
  private let observer = NIOLockedValueBox<Int?>(nil)

  var delegate: (any AnyObject & Sendable)? { calls.withLockedValue { $0.delegate } }

  @available(*, deprecated)
  func set(_ delegate: (any AVAudioSessionDelegate)?) {
    calls.withLockedValue { calls in
      calls.delegate = delegate
      calls.began = { [weak delegate] in delegate?.beginInterruption() }
      calls.ended = { [weak delegate] in delegate?.endInterruption(withFlags: $0) }
      calls.inputChanged = { [weak delegate] in delegate?.inputIsAvailableChanged($0) }
    }
    let observers = SessionController.shared.observers
    let session = AVAudioSession.sharedInstance()
    observer.withLockedValue { number in
      if let number { observers.remove(number) }
      number =
        delegate == nil
        ? nil
        : observers.add(
          PropertyObserver(session, \.isInputAvailable, .new) { session, _ in
            DelegateCalls.shared.inputChanged(session.isInputAvailable)
          }
        )
    }
  }

  func interruptionBegan() {
    let calls = calls.withLockedValue { $0 }
    DispatchQueue.main.async { calls.began() }
  }

  private func inputChanged(_ isAvailable: Bool) {
    let calls = calls.withLockedValue { $0 }
    DispatchQueue.main.async { calls.inputChanged(isAvailable) }
  }

  func interruptionEnded(flags: Int) {
    let calls = calls.withLockedValue { $0 }
    DispatchQueue.main.async { calls.ended(flags) }
  }
}
