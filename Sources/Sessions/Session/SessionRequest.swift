// SPDX-License-Identifier: MIT

/// A request of an app to the tower; each is answered exactly once.
public enum SessionRequest: Hashable, Codable, Sendable {
  /// Sets the category, keeping the mode where it fits.
  case setCategory(category: Category, options: CategoryOptions)
  /// Sets category, mode, policy and options at once.
  case configure(
    category: Category,
    mode: Mode,
    policy: RouteSharingPolicy,
    options: CategoryOptions
  )
  /// Sets the mode.
  case setMode(mode: Mode)
  /// Sets one preference for the hardware.
  case prefer(change: HardwarePreferences.Change)
  /// Activates the session.
  case activate
  /// Deactivates the session; with `notifyOthers` the sessions that it interrupted may resume.
  case deactivate(notifyOthers: Bool)
  /// Overrides the output, `playAndRecord` only.
  case overrideOutput(port: PortOverride)
  /// Prefers an input by uid; nil withdraws the preference.
  case setPreferredInput(portUID: String?)
  /// Moves the sessions of the program to an output, because the user has picked it; nil lets the rules decide again.
  case chooseOutput(portUID: String?)
  /// Switches a port of the current route to a data source and polar pattern.
  case setDataSource(portUID: String, dataSource: Int?, polarPattern: String?)
  /// Asks for the permission to record.
  case requestRecordPermission
  /// Mutes the samples of all inputs of the session.
  case setInputMuted(isMuted: Bool)
  /// Mutes the session's output.
  case setOutputMuted(isMuted: Bool)
  /// Registers for remote-control commands, or ends the registration.
  case setTakesRemoteCommands(isOn: Bool)
  /// Asks for an interruption when the route vanishes.
  case setPrefersInterruptionOnRouteDisconnect(isOn: Bool)
  /// Asks not to be interrupted by ringing.
  case setPrefersNoInterruptionsFromSystemAlerts(isOn: Bool)
}

/// A request's number, given by the host; the tower answers each exactly once.
///
/// Pure value: [any-thread].
public struct RequestID: RawRepresentable, Hashable, Codable, Sendable {
  /// The number.
  public let rawValue: UInt64

  /// Makes an id from its number.
  ///
  /// - Parameter rawValue: The number.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// The one answer to a request.
public enum Reply: Hashable, Codable, Sendable {
  /// Done.
  case done
  /// Whether the app may record.
  case recordPermission(isGranted: Bool)
  /// Refused; the session is unchanged unless the error is `isBusy` (rule ACT-5).
  case refused(error: SessionError)
}

/// A notification to a session, with every fact of the SDK's notifications.
public enum SessionNotification: Hashable, Codable, Sendable {
  /// Interrupted: the audio is silent and the session inactive by now (rule INT-1).
  case interruptionBegan(reason: InterruptionReason, wasSuspended: Bool)
  /// The interruption is over. Apply `heldCommands`, which arrived during it (rule INT-4).
  case interruptionEnded(shouldResume: Bool, heldCommands: [RemoteCommand])
  /// The route changed (rule RTE-2).
  case routeChanged(
    reason: RouteChangeReason,
    previous: RouteDescription,
    current: RouteDescription
  )
  /// The inputs the session may choose from changed.
  case availableInputsChanged
  /// The JACK server is gone: all sessions are reset (rule RST-1).
  case mediaServicesWereLost
  /// The JACK server is back: set up and activate again (rule RST-1).
  case mediaServicesWereReset
  /// Another app's primary audio began or ended (rule ACT-7).
  case silenceSecondaryAudioHint(begins: Bool)
  /// The session is active now.
  case didBecomeActive
  /// The session is inactive now; `interruption` is nil when the app itself asked for it.
  case didBecomeInactive(interruption: InterruptionReason?)
  /// Whether the app should resume after an interruption.
  case resumptionRecommendation(shouldResume: Bool)
  /// The record permission changed (rule PRM-1).
  case recordPermissionChanged(permission: RecordPermission)
  /// The app's inputs were muted or unmuted.
  case inputMuteChanged(isMuted: Bool)
  /// The session's output was muted or unmuted.
  case outputMuteChanged(isMuted: Bool)
  /// A remote-control command for the app (rule VOL-2).
  case remoteCommand(command: RemoteCommand)
}

/// Whether an app may record; the SDK's raw values (rule PRM-1).
public enum RecordPermission: UInt, Codable, Sendable {
  /// The user has not been asked yet.
  case undetermined = 0x756E_6474
  /// The user said no.
  case denied = 0x6465_6E79
  /// The user said yes.
  case granted = 0x6772_6E74
}

extension RecordPermission: WireNamed, CaseIterable {
  /// Every answer, the open one first.
  public static let allCases: [RecordPermission] = [.undetermined, .denied, .granted]

  /// The name of the SDK's case, such as `granted`.
  public var name: String {
    switch self {
    case .undetermined: "undetermined"
    case .denied: "denied"
    case .granted: "granted"
    }
  }
}
