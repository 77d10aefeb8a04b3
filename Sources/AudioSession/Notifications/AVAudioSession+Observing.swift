// SPDX-License-Identifier: MIT

public import Foundation
internal import NIOConcurrencyHelpers

/// The values that a change handler receives, as in Darwin's Foundation.
///
/// Pure value: [any-thread].
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Makes a set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The value after the change.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The value before the change.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// An immediate call with the current value.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// Without effect: handlers are called after changes only.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// A change of a property.
public struct NSKeyValueObservedChange<Value> {
  /// The value after the change, with the option `new`.
  public let newValue: Value?
  /// The value before the change, with the option `old`.
  public let oldValue: Value?
  /// Whether the call comes before the change: always false.
  public let isPrior: Bool
}

/// An observation of a property; it ends when it is released. [any-thread]
public final class NSKeyValueObservation: NSObject, @unchecked Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Ends the observation.
  public func invalidate() { end() }
}

extension AVAudioSession {
  /// Observes a property, in place of the key-value observing that Linux does not have.
  ///
  /// - Parameters:
  ///   - keyPath: Any property; on iOS those that can be observed are `outputVolume`, `inputGain`, `sampleRate`,
  ///     `ioBufferDuration`, `isInputAvailable`, `inputNumberOfChannels`, `outputNumberOfChannels`, the data sources
  ///     and `promptStyle`.
  ///   - options: The values that the handler receives.
  ///   - changeHandler: Called after each change, on the thread that made it.
  /// - Returns: The observation; it ends when it is released.
  /// [any-thread]
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<AVAudioSession, Value> & Sendable,
    options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (AVAudioSession, NSKeyValueObservedChange<Value>) -> Void,
  ) -> NSKeyValueObservation {
    let observer = PropertyObserver(self, keyPath, options, changeHandler)
    let number = controller.observers.add(observer)
    if options.contains(.initial) { observer.reportInitial(self) }
    return NSKeyValueObservation { SessionController.shared.observers.remove(number) }
  }
}

/// An observer of a property of the session. [any-thread]
protocol SessionObserver: Sendable {
  /// Compares the property with its value at the last review, and reports a change.
  func review(_ session: AVAudioSession)
}

/// Remembers the last value of a property and reports changes. [any-thread]
struct PropertyObserver<Value: Equatable & Sendable>: SessionObserver {
  private let keyPath: any KeyPath<AVAudioSession, Value> & Sendable
  private let options: NSKeyValueObservingOptions
  private let handler: @Sendable (AVAudioSession, NSKeyValueObservedChange<Value>) -> Void
  private let last: NIOLockedValueBox<Value>

  init(
    _ session: AVAudioSession,
    _ keyPath: any KeyPath<AVAudioSession, Value> & Sendable,
    _ options: NSKeyValueObservingOptions,
    _ handler: @escaping @Sendable (AVAudioSession, NSKeyValueObservedChange<Value>) -> Void,
  ) {
    self.keyPath = keyPath
    self.options = options
    self.handler = handler
    last = NIOLockedValueBox(session[keyPath: keyPath])
  }

  func review(_ session: AVAudioSession) {
    let now = session[keyPath: keyPath]
    let before = last.withLockedValue { last in
      defer { last = now }
      return last
    }
    guard before != now else { return }
    tell(session, new: now, old: before)
  }

  func reportInitial(_ session: AVAudioSession) {
    tell(session, new: session[keyPath: keyPath], old: nil)
  }

  private func tell(_ session: AVAudioSession, new: Value, old: Value?) {
    handler(
      session,
      NSKeyValueObservedChange(
        newValue: options.contains(.new) ? new : nil,
        oldValue: options.contains(.old) ? old : nil,
        isPrior: false,
      ),
    )
  }
}

/// All observers of the session. [any-thread]
final class ObserverList: Sendable {
  private struct State: Sendable {
    var observers: [Int: any SessionObserver] = [:]
    var last = 0
  }

  private let state = NIOLockedValueBox(State())

  /// Adds an observer; the number returned removes it.
  func add(_ observer: any SessionObserver) -> Int {
    state.withLockedValue { state in
      state.last += 1
      state.observers[state.last] = observer
      return state.last
    }
  }

  /// Removes an observer.
  func remove(_ number: Int) { state.withLockedValue { $0.observers[number] = nil } }

  /// Reviews all observers, oldest first.
  func review(_ session: AVAudioSession) {
    let observers = state.withLockedValue { $0.observers.sorted { $0.key < $1.key } }
    for (_, observer) in observers { observer.review(session) }
  }
}
