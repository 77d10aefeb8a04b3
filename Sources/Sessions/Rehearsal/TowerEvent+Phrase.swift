// SPDX-License-Identifier: MIT

extension TowerEvent.Kind {
  /// The session that the event is about; nil for one that is about none, or about all.
  var session: SessionID? {
    switch self {
    case .sessionOpened(_, let id, _), .sessionClosed(let id, _), .request(_, let id, _),
      .traitsChanged(let id, _), .ioStarted(let id), .ioStopped(let id),
      .audioLevelChanged(let id, _), .soundBegan(let id), .soundEnded(let id),
      .appBackgrounded(let id), .appForegrounded(let id), .playerResumed(let id):
      id
    case .remoteCommand(_, let id): id
    case .foregroundChanged, .silentSwitchChanged, .screenLockChanged, .microphoneMuteChanged,
      .simulatedInterruptionBegan, .simulatedInterruptionEnded, .callAnswered, .callDeclined,
      .routeAppeared, .routeVanished, .routeRenamed, .permissionAnswered, .permissionReset,
      .hardwareChanged, .serverLost, .serverReset, .configurationChanged:
      nil
    }
  }

  /// The event in a few words.
  ///
  /// - Parameter name: The name of a session.
  /// - Returns: The words.
  func phrase(_ name: (SessionID) -> String) -> String {
    switch self {
    case .sessionOpened(_, let id, let description):
      description.isAdopted ? "\(name(id)) appears" : "\(name(id)) opens a session"
    case .sessionClosed(let id, let cause): "\(name(id)) ends (\(cause.rawValue))"
    case .request(_, let id, let request): "\(name(id)) \(request.phrase)"
    case .traitsChanged(let id, _): "\(name(id)) changes its outputs or manners"
    case .ioStarted(let id): "\(name(id)) starts its audio"
    case .ioStopped(let id): "\(name(id)) stops its audio"
    case .audioLevelChanged(let id, let isSilent):
      isSilent ? "\(name(id)) falls silent" : "\(name(id)) sounds"
    case .soundBegan(let id): "\(name(id)) begins to sound"
    case .soundEnded(let id): "\(name(id)) has sounded"
    case .appBackgrounded(let id): "\(name(id)) goes to the background"
    case .appForegrounded(let id): "\(name(id)) comes to the foreground"
    case .playerResumed(let id): "\(name(id)) plays again"
    case .remoteCommand(let command, let id):
      "media key \(command.word)" + (id.map { " for \(name($0))" } ?? "")
    default: systemPhrase
    }
  }

  /// An event that is about no single session.
  private var systemPhrase: String {
    switch self {
    case .foregroundChanged(let app): app.map { "\($0) is in front" } ?? "all apps are in front"
    case .silentSwitchChanged(let isOn): "silent switch \(isOn ? "on" : "off")"
    case .screenLockChanged(let isLocked): "screen \(isLocked ? "locked" : "unlocked")"
    case .microphoneMuteChanged(let isMuted): "microphone \(isMuted ? "muted" : "unmuted")"
    case .simulatedInterruptionBegan(let priorityClass, let isRinging):
      isRinging ? "a call rings" : "\(priorityClass.name) interruption begins"
    case .simulatedInterruptionEnded(let priorityClass, _):
      "\(priorityClass.name) interruption ends"
    case .callAnswered: "the call is answered"
    case .callDeclined: "the call is declined"
    case .routeAppeared(let port): "\(port.uid) is plugged in"
    case .routeVanished(let uid): "\(uid) is unplugged"
    case .routeRenamed(let uid, let port): "\(uid) is called \(port.uid) now"
    case .permissionAnswered(let app, let permission): "\(app): recording \(permission.name)"
    case .permissionReset(let app): "\(app): recording is asked again"
    case .hardwareChanged(let values, _): "hardware at \(values.phrase)"
    case .serverLost: "the JACK server is lost"
    case .serverReset: "the JACK server is there"
    case .configurationChanged: "the settings change"
    default: "an event"
    }
  }
}

extension SessionRequest {
  /// The request as the end of a sentence.
  fileprivate var phrase: String {
    switch self {
    case .setCategory(let category, _), .configure(let category, _, _, _):
      "sets category \(category.name)"
    case .setMode(let mode): "sets mode \(mode.name)"
    case .prefer: "sets a preference"
    case .activate: "activates"
    case .deactivate: "deactivates"
    case .overrideOutput: "overrides its output"
    case .setPreferredInput: "prefers an input"
    case .chooseOutput(let uid): uid.map { "is moved to \($0)" } ?? "is moved back"
    case .setDataSource: "sets a data source"
    case .requestRecordPermission: "asks to record"
    case .setInputMuted(let isMuted): "\(isMuted ? "mutes" : "unmutes") its input"
    case .setOutputMuted(let isMuted): "\(isMuted ? "mutes" : "unmutes") its output"
    case .setTakesRemoteCommands(let isOn): isOn ? "takes media keys" : "leaves media keys"
    case .setPrefersInterruptionOnRouteDisconnect: "sets its wish at an unplug"
    case .setPrefersNoInterruptionsFromSystemAlerts: "sets its wish for ringing"
    }
  }
}

extension RemoteCommand {
  /// The command in a word.
  fileprivate var word: String { "\(self)".prefix { $0 != "(" }.description }
}
