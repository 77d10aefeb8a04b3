// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Dispatch
internal import Foundation
internal import NIOConcurrencyHelpers
internal import Sessions

/// The one session of the process, behind ``AVAudioSession``.
///
/// Readers take a whole ``SessionState``. Changes are made one after the other under `changes`, and ask the host
/// while they hold it, each for a limited time. What the host tells is handled in order on `events`.
final class SessionController: Sendable {
  /// The controller of this process.
  static let shared = SessionController()

  let state = NIOLockedValueBox(SessionState())
  let changes = NSRecursiveLock()
  let events = DispatchQueue(label: "multiroute.session.events", qos: .userInitiated)
  let observers = ObserverList()
  let participants = ParticipantList()
  /// The requests of the change under way that wait for the app's return; belongs to `changes`.
  let waiting = NIOLockedValueBox<[(connection: SessionConnection, request: UInt64)]>([])
  /// Whether a look at the host is due already.
  let isRefreshing = NIOLockedValueBox(false)
  /// Whether there is no main queue to post on.
  let avoidsMainThread = NIOLockedValueBox(false)
  private let box = NIOLockedValueBox(AVAudioSession.HostSettings())

  /// How to find the host.
  var settings: AVAudioSession.HostSettings {
    get { box.withLockedValue { $0 } }
    set { box.withLockedValue { $0 = newValue } }
  }

  /// All that is known now.
  ///
  /// Connects at the first use, where a host runs; later reads never wait.
  var current: SessionState {
    let state = state.withLockedValue { $0 }
    guard state.connection == nil, !state.isLost, state.isWorthTrying else { return state }
    // Without a host there is nothing more to know than what the app set.
    _ = try? connect(startingHost: false)
    return self.state.withLockedValue { $0 }
  }

  /// Makes a change, after those that are under way, and tells who observes.
  ///
  /// What a suspended app asks for is done on its return, and so long the caller waits, as if it stood still (SYS-2).
  func change<Result>(_ body: () throws -> Result) throws -> Result {
    defer { review() }
    let (result, waits) = try changes.withLock {
      defer { waiting.withLockedValue { $0 = [] } }
      return (try body(), waiting.withLockedValue { $0 })
    }
    for (connection, request) in waits { try waitForReturn(connection, request) }
    return result
  }

  /// Changes what is known without asking anybody.
  func update(_ body: (inout SessionState) -> Void) {
    state.withLockedValue { body(&$0) }
    review()
  }

  /// Lets all who follow properties look for changes.
  func review() {
    observers.review(AVAudioSession.sharedInstance())
    RemoteControl.shared.review()
  }
}

extension SessionState {
  /// Whether it is long enough since the last try to connect.
  fileprivate var isWorthTrying: Bool {
    failedAt.map { ProcessInfo.processInfo.systemUptime - $0 > 1 } ?? true
  }
}
