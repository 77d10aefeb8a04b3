// SPDX-License-Identifier: MIT

internal import Foundation
internal import NIOConcurrencyHelpers

/// Somebody who wants to know when a property changes.
protocol SessionObserver: Sendable {
  /// Looks whether it has changed since the last look.
  func review(_ session: AVAudioSession)
}

/// Compares a property with what it was.
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

  func tellInitial(_ session: AVAudioSession) {
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

/// All observers of the session.
final class ObserverList: Sendable {
  private struct State: Sendable {
    var observers: [Int: any SessionObserver] = [:]
    var last = 0
  }

  private let state = NIOLockedValueBox(State())

  /// Adds one; the number removes it.
  func add(_ observer: any SessionObserver) -> Int {
    state.withLockedValue { state in
      state.last += 1
      state.observers[state.last] = observer
      return state.last
    }
  }

  /// Removes one.
  func remove(_ number: Int) { state.withLockedValue { $0.observers[number] = nil } }

  /// Lets all look for changes, oldest first.
  func review(_ session: AVAudioSession) {
    let observers = state.withLockedValue { $0.observers.sorted { $0.key < $1.key } }
    for (_, observer) in observers { observer.review(session) }
  }
}
