// SPDX-License-Identifier: MIT

public import Foundation

/// What a change handler is told; as Darwin's Foundation has it.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Makes a set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The value after the change.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The value before the change.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// A call at once, with the value as it is.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// Without effect: changes are told after they happened.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// A change of a property.
public struct NSKeyValueObservedChange<Value> {
  /// The value after the change, where `new` was asked for.
  public let newValue: Value?
  /// The value before the change, where `old` was asked for.
  public let oldValue: Value?
  /// Whether it is told before the change: never.
  public let isPrior: Bool
}

/// An observation; ends when it is dropped.
public final class NSKeyValueObservation: NSObject, @unchecked Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Ends it now.
  public func invalidate() { end() }
}

extension AVAudioSession {
  /// Observes a property, in place of the key-value observing that Linux does not have.
  ///
  /// - Parameters:
  ///   - keyPath: Any property; on iOS those that can be observed are `outputVolume`, `inputGain`, `sampleRate`,
  ///     `ioBufferDuration`, `isInputAvailable`, `inputNumberOfChannels`, `outputNumberOfChannels`, the data sources
  ///     and `promptStyle`.
  ///   - options: What the handler is told.
  ///   - changeHandler: Called after each change, on the thread of the change.
  /// - Returns: The observation; it ends when it is dropped.
  /// [any-thread]
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<AVAudioSession, Value> & Sendable,
    options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (AVAudioSession, NSKeyValueObservedChange<Value>) -> Void,
  ) -> NSKeyValueObservation {
    let observer = PropertyObserver(self, keyPath, options, changeHandler)
    let number = controller.observers.add(observer)
    if options.contains(.initial) { observer.tellInitial(self) }
    return NSKeyValueObservation { SessionController.shared.observers.remove(number) }
  }
}
