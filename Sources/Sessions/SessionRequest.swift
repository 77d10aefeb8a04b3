// SPDX-License-Identifier: MIT

/// What an app asks of the tower; each request is answered exactly once.
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
  /// Sets one wish for the hardware.
  case prefer(change: HardwarePreferences.Change)
  /// Activates the session.
  case activate
  /// Deactivates the session, and with `notifyOthers` lets those it interrupted resume.
  case deactivate(notifyOthers: Bool)
  /// Overrides the output, `playAndRecord` only.
  case overrideOutput(port: PortOverride)
  /// Prefers an input by uid; nil takes the wish back.
  case setPreferredInput(portUID: String?)
  /// Switches a port of the current route to a data source and polar pattern.
  case setDataSource(portUID: String, dataSource: Int?, polarPattern: String?)
  /// Asks for the permission to record.
  case requestRecordPermission
  /// Mutes the samples of all inputs of the session.
  case setInputMuted(isMuted: Bool)
  /// Mutes the session's output.
  case setOutputMuted(isMuted: Bool)
  /// Registers for remote-control commands, or takes that back.
  case setTakesRemoteCommands(isOn: Bool)
  /// Asks to be interrupted when the route goes away.
  case setPrefersInterruptionOnRouteDisconnect(isOn: Bool)
  /// Asks not to be interrupted by ringing.
  case setPrefersNoInterruptionsFromSystemAlerts(isOn: Bool)
}
