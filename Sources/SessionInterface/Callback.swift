// SPDX-License-Identifier: MIT

internal import AudioSession
internal import Foundation
internal import SystemSupport

/// The callback of a program in C; called on a thread of the session.
public typealias EventFunction = @convention(c) (Int32, Int64, UnsafeMutableRawPointer?) -> Void

/// The C function `mr_session_set_callback`. [any-thread]
@c(mr_session_set_callback)
public func setCallback(_ callback: EventFunction?, _ user: UnsafeMutableRawPointer?) {
  guard !ForkMark.isInChildOfFirstUser else { return }
  unsafe EventRelay.shared.set(callback, user)
}

/// Calls the program's callback for notifications of the session. [any-thread]
@safe
final class EventRelay: @unchecked Sendable {
  static let shared = EventRelay()

  private let lock = NSLock()
  private var callback: EventFunction?
  private var user: UnsafeMutableRawPointer?
  private var observers: [any NSObjectProtocol] = []

  /// The notifications with their numbers in multiroute_session.h and the keys of their details.
  private static let events: [(name: Notification.Name, event: Int32, key: String?)] = [
    (AVAudioSession.interruptionNotification, 1, AVAudioSessionInterruptionReasonKey),
    (AVAudioSession.routeChangeNotification, 3, AVAudioSessionRouteChangeReasonKey),
    (AVAudioSession.mediaServicesWereLostNotification, 4, nil),
    (AVAudioSession.mediaServicesWereResetNotification, 5, nil),
    (
      AVAudioSession.silenceSecondaryAudioHintNotification, 6,
      AVAudioSessionSilenceSecondaryAudioHintTypeKey
    ),
  ]

  func set(_ callback: EventFunction?, _ user: UnsafeMutableRawPointer?) {
    lock.withLock {
      unsafe self.callback = unsafe callback
      unsafe self.user = unsafe user
      guard observers.isEmpty else { return }
      AVAudioSession.eventsComeOnSessionThread = true
      observers = Self.events.map { name, event, key in
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
          [weak self] in
          self?.heard($0, event, key)
        }
      }
    }
  }

  private func heard(_ notification: Notification, _ event: Int32, _ key: String?) {
    let number = { (key: String) in
      (notification.userInfo?[key] as? NSNumber)?.int64Value ?? 0
    }
    let isEnd =
      event == 1
      && number(AVAudioSessionInterruptionTypeKey)
        == Int64(AVAudioSession.InterruptionType.ended.rawValue)
    let detail = isEnd ? number(AVAudioSessionInterruptionOptionKey) : key.map(number) ?? 0
    let (callback, user) = unsafe lock.withLock { unsafe (self.callback, self.user) }
    unsafe callback?(isEnd ? 2 : event, detail, user)
  }
}
