// SPDX-License-Identifier: MIT

internal import AudioSession
internal import Foundation

/// What a program in C hands over; its function is called on a thread of the session.
typealias EventFunction = @convention(c) (Int32, Int64, UnsafeMutableRawPointer?) -> Void

@c(mr_session_set_callback)
func setCallback(_ callback: EventFunction?, _ user: UnsafeMutableRawPointer?) {
  unsafe EventRelay.shared.set(callback, user)
}

/// Turns notifications into calls.
@safe
final class EventRelay: @unchecked Sendable {
  static let shared = EventRelay()

  private let lock = NSLock()
  private var callback: EventFunction?
  private var user: UnsafeMutableRawPointer?
  private var observers: [any NSObjectProtocol] = []

  /// The numbers of multiroute_session.h, and where each one's detail is.
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
