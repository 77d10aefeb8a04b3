// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Dispatch
internal import Foundation
internal import NIOConcurrencyHelpers
internal import Sessions

extension SessionController {
  /// Receives an event of the host; called on the link's thread.
  func heard(_ event: ControlEvent) {
    guard case .session(let notice) = event.payload else {
      lookAgain()
      return
    }
    events.async { self.handle(notice) }
  }

  /// Reads the state of the session once for many events.
  private func lookAgain() {
    let isFirst = isRefreshing.withLockedValue { isDue in
      defer { isDue = true }
      return !isDue
    }
    guard isFirst else { return }
    events.async {
      self.isRefreshing.withLockedValue { $0 = false }
      self.look()
    }
  }

  /// Reads the state of the session and reviews its observers.
  private func look() {
    guard let connection = state.withLockedValue({ $0.connection }) else { return }
    // If the host does not answer, the link's end follows and is handled there.
    try? refresh(connection, until: HostDeadline(afterSeconds: settings.limitSeconds))
    review()
  }

  private func handle(_ notice: EventPayload.SessionNotice) {
    guard let connection = state.withLockedValue({ $0.connection }),
      notice.session == connection.session
    else { return }
    if notice.content == .mediaServicesWereLost {
      state.withLockedValue { $0.reset() }
    }
    look()
    switch notice.content {
    case .interruptionBegan(let reason, let wasSuspended):
      interruptionBegan(reason, wasSuspended: wasSuspended)
    case .interruptionEnded(let shouldResume, let heldCommands):
      interruptionEnded(shouldResume: shouldResume, heldCommands)
    case .routeChanged(let reason, let previous, let current):
      routeChanged(reason, from: previous, to: current)
    case .mediaServicesWereLost:
      participants.tell(.mediaServicesLost)
      post(AVAudioSession.mediaServicesWereLostNotification)
    case .mediaServicesWereReset:
      post(AVAudioSession.mediaServicesWereResetNotification)
    case .silenceSecondaryAudioHint(let begins):
      let type: AVAudioSession.SilenceSecondaryAudioHintType = begins ? .begin : .end
      post(
        AVAudioSession.silenceSecondaryAudioHintNotification,
        [AVAudioSessionSilenceSecondaryAudioHintTypeKey: NSNumber(value: type.rawValue)],
      )
    case .didBecomeActive: post(AVAudioSession.didBecomeActiveNotification, onMain: true)
    case .didBecomeInactive(let interruption): becameInactive(interruption)
    case .resumptionRecommendation(let shouldResume):
      let recommendation: AVAudioSession.ResumptionRecommendation =
        shouldResume ? .shouldResume : .shouldNotResume
      let context = AVAudioSession.ResumptionContext(recommendation)
      post(
        AVAudioSession.resumptionRecommendationNotification,
        [AVAudioSession.resumptionContextKey: context],
        onMain: true,
      )
    case .availableInputsChanged: post(AVAudioSession.availableInputsChangeNotification)
    case .outputMuteChanged(let isMuted):
      post(
        AVAudioSession.outputMuteStateChangeNotification,
        [AVAudioSession.muteStateKey: NSNumber(value: isMuted ? 1 : 0)],
      )
    case .inputMuteChanged(let isMuted):
      participants.tell(.inputChanged)
      inputMuteChanged(isMuted)
    case .recordPermissionChanged: participants.tell(.inputChanged)
    case .remoteCommand(let command): participants.tell(.remoteCommand(command))
    case .requestAnswered, .unknown: break
    }
  }

  // MARK: - Interruptions

  private func interruptionBegan(_ reason: InterruptionReason, wasSuspended: Bool) {
    participants.tell(.interrupted)
    var userInfo: [String: Any] = [
      AVAudioSessionInterruptionTypeKey: number(AVAudioSession.InterruptionType.began.rawValue),
      AVAudioSessionInterruptionReasonKey: number(reason.rawValue),
    ]
    if wasSuspended {
      userInfo[AVAudioSessionInterruptionWasSuspendedKey] = NSNumber(value: true)
    }
    post(AVAudioSession.interruptionNotification, userInfo, onMain: true)
    DelegateCalls.shared.interruptionBegan()
  }

  private func interruptionEnded(shouldResume: Bool, _ heldCommands: [RemoteCommand]) {
    participants.tell(
      .interruptionEnded(
        shouldResume: shouldResume,
        leavesPaused: heldCommands.leavePaused,
        held: heldCommands,
      )
    )
    let options: AVAudioSession.InterruptionOptions = shouldResume ? .shouldResume : []
    post(
      AVAudioSession.interruptionNotification,
      [
        AVAudioSessionInterruptionTypeKey: number(AVAudioSession.InterruptionType.ended.rawValue),
        AVAudioSessionInterruptionOptionKey: number(options.rawValue),
      ],
      onMain: true,
    )
    DelegateCalls.shared.interruptionEnded(flags: Int(options.rawValue))
  }

  private func becameInactive(_ interruption: InterruptionReason?) {
    var context = AVAudioSession.DeactivationContext(.app, nil)
    if let interruption {
      let reason = AVAudioSession.InterruptionReason(rawValue: interruption.rawValue) ?? .default
      context = AVAudioSession.DeactivationContext(
        .system,
        AVAudioSession.InterruptionContext(reason),
      )
    }
    post(
      AVAudioSession.didBecomeInactiveNotification,
      [AVAudioSession.deactivationContextKey: context],
      onMain: true,
    )
  }

  // MARK: - Routes

  private func routeChanged(
    _ change: RouteChangeReason,
    from previous: RouteDetail,
    to current: RouteDetail,
  ) {
    let reason = AVAudioSession.RouteChangeReason(rawValue: change.rawValue) ?? .unknown
    participants.tell(.routeChanged(reason, lost: LostOutputs(from: previous, to: current)))
    post(
      AVAudioSession.routeChangeNotification,
      [
        AVAudioSessionRouteChangeReasonKey: number(reason.rawValue),
        AVAudioSessionRouteChangePreviousRouteKey: AVAudioSessionRouteDescription(previous),
      ],
    )
  }

  private func inputMuteChanged(_ isMuted: Bool) {
    NotificationCenter.default.post(
      name: AVAudioApplication.inputMuteStateChangeNotification,
      object: AVAudioApplication.shared,
      userInfo: [AVAudioApplication.muteStateKey: NSNumber(value: isMuted)],
    )
  }

  // MARK: - Posting

  private func number(_ raw: UInt) -> NSNumber { NSNumber(value: raw) }

  /// Posts a notification of the session: on the main thread, or on the thread of the events.
  func post(_ name: Notification.Name, _ userInfo: [String: Any]? = nil, onMain: Bool = false) {
    let note = PostedNotification(
      Notification(name: name, object: AVAudioSession.sharedInstance(), userInfo: userInfo)
    )
    onMain ? self.onMain { note.post() } : note.post()
  }

  /// Runs a body on the main thread, as the SDK does; at once in programs without a main queue.
  func onMain(_ body: @escaping @Sendable () -> Void) {
    avoidsMainThread.withLockedValue({ $0 }) ? body() : DispatchQueue.main.async(execute: body)
  }
}

/// Carries a notification to another thread; its contents are immutable.
private struct PostedNotification: @unchecked Sendable {
  private let notification: Notification

  init(_ notification: Notification) { self.notification = notification }

  func post() { NotificationCenter.default.post(notification) }
}
