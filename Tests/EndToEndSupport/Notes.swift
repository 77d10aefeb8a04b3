// SPDX-License-Identifier: MIT

import AudioSession
import Foundation
import Synchronization
import TestSupport

/// The notifications of the session that have come.
final class Notes: Sendable {
  /// One notification, as far as tests look at it.
  struct Note: @unchecked Sendable {
    let name: Notification.Name
    let userInfo: [AnyHashable: Any]
    let isOnMainThread: Bool

    func number(_ key: String) -> UInt? { (userInfo[key] as? NSNumber)?.uintValue }
  }

  private let notes = Mutex<[Note]>([])
  private let observers = Mutex<[Observer]>([])

  private struct Observer: @unchecked Sendable {
    let token: any NSObjectProtocol
  }

  static let names: [Notification.Name] = [
    AVAudioSession.interruptionNotification,
    AVAudioSession.routeChangeNotification,
    AVAudioSession.mediaServicesWereLostNotification,
    AVAudioSession.mediaServicesWereResetNotification,
    AVAudioSession.silenceSecondaryAudioHintNotification,
    AVAudioSession.didBecomeActiveNotification,
    AVAudioSession.didBecomeInactiveNotification,
    AVAudioSession.resumptionRecommendationNotification,
    AVAudioSession.outputMuteStateChangeNotification,
    AVAudioSession.availableInputsChangeNotification,
    AVAudioApplication.inputMuteStateChangeNotification,
  ]

  /// Begins to listen.
  func start() {
    for name in Self.names {
      let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
        [weak self] notification in
        let note = Note(
          name: notification.name,
          userInfo: notification.userInfo ?? [:],
          isOnMainThread: Thread.isMainThread,
        )
        self?.notes.withLock { $0.append(note) }
      }
      let observer = Observer(token: token)
      observers.withLock { $0.append(observer) }
    }
  }

  /// Stops listening.
  func stop() {
    for observer in observers.withLock({ $0 }) {
      NotificationCenter.default.removeObserver(observer.token)
    }
  }

  /// Those of one name so far.
  func all(_ name: Notification.Name) -> [Note] {
    notes.withLock { $0.filter { $0.name == name } }
  }

  /// Forgets all so far.
  func clear() { notes.withLock { $0.removeAll() } }

  /// Waits for a notification, and returns the last that fits.
  func wait(
    for name: Notification.Name,
    _ fits: (Note) -> Bool = { _ in true },
  ) async throws -> Note {
    var found: Note?
    let seen = { self.notes.withLock { $0.map(\.name.rawValue) } }
    do {
      try await waitUntil(name.rawValue) {
        found = all(name).last(where: fits)
        return found != nil
      }
    } catch {
      throw TestFailure("\(error); there were \(seen())")
    }
    guard let found else { throw TestFailure(name.rawValue) }
    return found
  }

  /// Waits for an interruption's begin or end.
  func interruption(_ type: AVAudioSession.InterruptionType) async throws -> Note {
    try await wait(for: AVAudioSession.interruptionNotification) {
      $0.number(AVAudioSessionInterruptionTypeKey) == type.rawValue
    }
  }

  /// Waits for a route change for a reason.
  func routeChange(_ reason: AVAudioSession.RouteChangeReason) async throws -> Note {
    try await wait(for: AVAudioSession.routeChangeNotification) {
      $0.number(AVAudioSessionRouteChangeReasonKey) == reason.rawValue
    }
  }
}
