// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Dispatch
internal import Foundation
internal import NIOConcurrencyHelpers
internal import Sessions
internal import SystemSupport

/// The one session of the process, behind ``AVAudioSession``.
///
/// Readers take a whole ``SessionState``. Changes run one after the other under `changes` and hold it while they wait for
/// the host, each for a limited time. The host's events are handled in order on `events`.
/// [any-thread] except the audio thread.
final class SessionController: Sendable {
  /// The controller of this process.
  static let shared = SessionController()

  let state = NIOLockedValueBox(SessionState())
  let changes = NSRecursiveLock()
  let events = DispatchQueue(label: "multiroute.session.events", qos: .userInitiated)
  let observers = ObserverList()
  let participants = ParticipantList()
  /// The requests of the current change that wait for the app's return; belongs to `changes`.
  let waiting = NIOLockedValueBox<[(connection: SessionConnection, request: UInt64)]>([])
  /// The end of the time of the current change; nil without one.
  ///
  /// Belongs to `changes`.
  private let changeLimit = NIOLockedValueBox<HostDeadline?>(nil)
  /// Whether reading the session's state is already due.
  let isRefreshing = NIOLockedValueBox(false)
  /// Whether the program has no main queue to post on.
  let avoidsMainThread = NIOLockedValueBox(false)
  /// The process of the session; its threads are nowhere else.
  private let owner = ForkMark()
  private let box = NIOLockedValueBox(AVAudioSession.HostSettings())

  /// The settings for finding the host.
  var settings: AVAudioSession.HostSettings {
    get { box.withLockedValue { $0 } }
    set { box.withLockedValue { $0 = newValue } }
  }

  /// The state of the session now.
  ///
  /// The first use connects, if a host is running; later reads never wait. In a forked child there is no session.
  var current: SessionState {
    guard !isInChild else { return SessionState() }
    let state = state.withLockedValue { $0 }
    guard state.connection == nil, !state.isLost, state.isWorthTrying else { return state }
    // Without a host, the state contains the app's own settings.
    _ = try? connect(startingHost: false)
    return self.state.withLockedValue { $0 }
  }

  /// Makes a change after all earlier ones, then reviews the observers.
  ///
  /// All that it asks of the host has the time of one call: connecting too.
  ///
  /// The host answers a suspended app when it returns to the foreground; the caller waits until then, as a suspended
  /// program does (SYS-2).
  ///
  /// - Throws: The error of `body`; `mediaServicesFailed` in a forked child.
  func change<Result>(_ body: () throws -> Result) throws -> Result {
    try checkProcess()
    defer { review() }
    let (result, waits) = try changes.withLock {
      let isWhole = changeLimit.withLockedValue { $0 == nil }
      if isWhole {
        let limit = deadline
        changeLimit.withLockedValue { $0 = limit }
      }
      defer {
        if isWhole { changeLimit.withLockedValue { $0 = nil } }
        waiting.withLockedValue { $0 = [] }
      }
      return (try body(), waiting.withLockedValue { $0 })
    }
    for (connection, request) in waits { try waitForReturn(connection, request) }
    return result
  }

  /// The end of the time for requests to the host: that of the current change, or that of a call that begins now.
  ///
  /// Belongs to `changes`.
  var deadline: HostDeadline {
    changeLimit.withLockedValue { $0 } ?? HostDeadline(afterSeconds: settings.limitSeconds)
  }

  /// Gives the current change, if there is one, its whole time again.
  ///
  /// Belongs to `changes`.
  func extendDeadline() {
    let whole = HostDeadline(afterSeconds: settings.limitSeconds)
    changeLimit.withLockedValue { if $0 != nil { $0 = whole } }
  }

  /// Whether this process was forked from the one whose session it is.
  ///
  /// Its calls would change the session of its parent, or wait for threads that it does not have.
  var isInChild: Bool { owner.isInChild }

  /// Checks that this process is not a forked child.
  ///
  /// - Throws: `mediaServicesFailed` in a forked child.
  func checkProcess() throws {
    guard !isInChild else { throw NSError.session(HostFault.forked) }
  }

  /// Changes the state without a request to the host; without effect in a forked child.
  func update(_ body: (inout SessionState) -> Void) {
    guard !isInChild else { return }
    state.withLockedValue { body(&$0) }
    review()
  }

  /// Compares all observed properties with their last values.
  func review() {
    observers.review(AVAudioSession.sharedInstance())
    RemoteControl.shared.review()
  }
}

extension SessionState {
  /// Whether the last failed attempt to connect is more than a second ago.
  fileprivate var isWorthTrying: Bool {
    failedAt.map { ProcessInfo.processInfo.systemUptime - $0 > 1 } ?? true
  }
}
