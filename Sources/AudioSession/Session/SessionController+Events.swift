// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Dispatch
internal import Foundation
internal import NIOConcurrencyHelpers

extension SessionController {
  /// Takes an event of the host, on the link's thread.
  func heard(_ event: ControlEvent) {
    guard event.kind == .session else {
      lookAgain()
      return
    }
    events.async { self.handle(event) }
  }

  /// Reads the session anew, once for many events.
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

  /// Reads the session anew and tells who observes.
  private func look() {
    guard let connection = state.withLockedValue({ $0.connection }) else { return }
    // Without an answer the link ends soon, which is told by itself.
    try? refresh(connection, limitSeconds: settings.limitSeconds)
    review()
  }

  private func handle(_ event: ControlEvent) {
    guard let connection = state.withLockedValue({ $0.connection }),
      case .string(connection.session)? = event.details["session"],
      case .string(let name)? = event.details["notification"]
    else { return }
    let details = event.details
    if name == "mediaServicesWereLost" {
      state.withLockedValue { $0.reset() }
    }
    look()
    switch name {
    case "interruptionBegan": interruptionBegan(details)
    case "interruptionEnded": interruptionEnded(details)
    case "routeChanged": routeChanged(details)
    case "mediaServicesWereLost":
      participants.tell(.mediaServicesLost)
      post(AVAudioSession.mediaServicesWereLostNotification)
    case "mediaServicesWereReset":
      post(AVAudioSession.mediaServicesWereResetNotification)
    case "silenceSecondaryAudioHint":
      let type: AVAudioSession.SilenceSecondaryAudioHintType =
        details["begins"] == .bool(true) ? .begin : .end
      post(
        AVAudioSession.silenceSecondaryAudioHintNotification,
        [AVAudioSessionSilenceSecondaryAudioHintTypeKey: NSNumber(value: type.rawValue)],
      )
    case "didBecomeActive": post(AVAudioSession.didBecomeActiveNotification, onMain: true)
    case "didBecomeInactive": becameInactive(details)
    case "resumptionRecommendation":
      let recommendation: AVAudioSession.ResumptionRecommendation =
        details["shouldResume"] == .bool(true) ? .shouldResume : .shouldNotResume
      let context = AVAudioSession.ResumptionContext(recommendation)
      post(
        AVAudioSession.resumptionRecommendationNotification,
        [AVAudioSession.resumptionContextKey: context],
        onMain: true,
      )
    case "availableInputsChanged": post(AVAudioSession.availableInputsChangeNotification)
    case "outputMuteChanged":
      let isMuted = NSNumber(value: details["muted"] == .bool(true) ? 1 : 0)
      post(
        AVAudioSession.outputMuteStateChangeNotification,
        [AVAudioSession.muteStateKey: isMuted],
      )
    case "inputMuteChanged", "recordPermissionChanged":
      participants.tell(.inputChanged)
      if name == "inputMuteChanged" { inputMuteChanged(details["muted"] == .bool(true)) }
    case "remoteCommand":
      if let call = RemoteCommandCall(details) { participants.tell(.remoteCommand(call)) }
    default: break
    }
  }

  // MARK: - Interruptions

  private func interruptionBegan(_ details: [String: JSONValue]) {
    participants.tell(.interrupted)
    var userInfo: [String: Any] = [
      AVAudioSessionInterruptionTypeKey: number(AVAudioSession.InterruptionType.began.rawValue),
      AVAudioSessionInterruptionReasonKey: number(reason(details["reason"]).rawValue),
    ]
    if details["wasSuspended"] == .bool(true) {
      userInfo[AVAudioSessionInterruptionWasSuspendedKey] = NSNumber(value: true)
    }
    post(AVAudioSession.interruptionNotification, userInfo, onMain: true)
    DelegateCalls.shared.interruptionBegan()
  }

  private func interruptionEnded(_ details: [String: JSONValue]) {
    let shouldResume = details["shouldResume"] == .bool(true)
    var held: [RemoteCommandCall] = []
    if case .array(let commands)? = details["heldCommands"] {
      for case .object(let facts) in commands {
        if let call = RemoteCommandCall(facts) { held.append(call) }
      }
    }
    participants.tell(
      .interruptionEnded(
        shouldResume: shouldResume,
        leavesPaused: details["leavePaused"] == .bool(true),
        held: held,
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

  private func becameInactive(_ details: [String: JSONValue]) {
    var context = AVAudioSession.DeactivationContext(.app, nil)
    if case .string? = details["interruption"] {
      let interruption = AVAudioSession.InterruptionContext(reason(details["interruption"]))
      context = AVAudioSession.DeactivationContext(.system, interruption)
    }
    post(
      AVAudioSession.didBecomeInactiveNotification,
      [AVAudioSession.deactivationContextKey: context],
      onMain: true,
    )
  }

  private func reason(_ value: JSONValue?) -> AVAudioSession.InterruptionReason {
    guard case .string(let name)? = value else { return .default }
    let known: [AVAudioSession.InterruptionReason] = [
      .appWasSuspended, .builtInMicMuted, .routeDisconnected,
    ]
    return known.first { "\($0)" == name } ?? .default
  }

  // MARK: - Routes

  private func routeChanged(_ details: [String: JSONValue]) {
    var reason = AVAudioSession.RouteChangeReason.unknown
    if case .integer(let raw)? = details["reason"] {
      reason = AVAudioSession.RouteChangeReason(rawValue: UInt(raw)) ?? .unknown
    }
    let previous = details["previousRoute"].flatMap(RouteDetail.init(jsonValue:))
    participants.tell(.routeChanged(reason))
    post(
      AVAudioSession.routeChangeNotification,
      [
        AVAudioSessionRouteChangeReasonKey: number(reason.rawValue),
        AVAudioSessionRouteChangePreviousRouteKey: AVAudioSessionRouteDescription(
          previous ?? RouteDetail(inputs: [], outputs: [])
        ),
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

  /// Does what the SDK does on the main thread; at once in programs without a main queue.
  func onMain(_ body: @escaping @Sendable () -> Void) {
    avoidsMainThread.withLockedValue({ $0 }) ? body() : DispatchQueue.main.async(execute: body)
  }
}

/// Carries a notification to another thread; what is in it is never changed.
private struct PostedNotification: @unchecked Sendable {
  private let notification: Notification

  init(_ notification: Notification) { self.notification = notification }

  func post() { NotificationCenter.default.post(notification) }
}
