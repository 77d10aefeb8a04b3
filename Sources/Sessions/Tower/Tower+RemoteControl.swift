// SPDX-License-Identifier: MIT

extension Tower {
  /// The number of commands that an interrupted session keeps; later ones replace the oldest.
  private static let heldCommandLimit = 32

  /// Delivers a media key, or keeps it while the session is interrupted (rules VOL-2, INT-4).
  mutating func deliver(_ command: RemoteCommand, to session: SessionID?) {
    let nowPlaying = state.nowPlaying(atNanoseconds: now)
    guard let id = session ?? nowPlaying, let index = state.index(of: id) else {
      log(.vol2, .ignored(what: "a remote-control command, because no session is now playing"))
      return
    }
    if let interruption = state.sessions[index].interruption {
      if interruption.heldCommands.count == Self.heldCommandLimit {
        state.sessions[index].interruption?.heldCommands.removeFirst()
      }
      state.sessions[index].interruption?.heldCommands.append(command)
      log(.int4, .commandHeld, index)
      return
    }
    log(.vol2, .commandDelivered, index)
    if id == nowPlaying { noteStop(by: command, index) }
    guard state.sessions[index].isAdopted else {
      notify(index, .remoteCommand(command: command))
      return
    }
    messages.append(.commandPlayer(session: id, command: command))
    switch command {
    case .play: unpause(index)
    case .pause, .stop: pause(index)
    case .toggle:
      if state.sessions[index].isPaused || !state.sessions[index].isActive {
        unpause(index)
      } else {
        pause(index)
      }
    case .next, .previous, .seek, .skipForward, .skipBackward, .rate, .record: break
    }
  }

  /// Silences an adopted player until a play command.
  mutating func pause(_ index: Int) {
    state.sessions[index].isPaused = true
    needsLevels = true
  }

  /// Lets an adopted player be heard again, activating it where it is not active.
  mutating func unpause(_ index: Int) {
    if state.sessions[index].isPaused {
      state.sessions[index].isPaused = false
      log(.rte3, .unpaused, index)
      needsLevels = true
    }
    let session = state.sessions[index]
    if session.isAdopted, !session.isPrompt, session.isRunningIO, !session.isActive,
      session.interruption == nil
    {
      activateImplicitly(index)
    }
    claimNowPlaying(index)
  }

  // MARK: - Now playing

  /// Makes the session the one that media keys reach, if it takes remote-control commands: it begins to play.
  mutating func claimNowPlaying(_ index: Int) {
    let session = state.sessions[index]
    guard session.isActive, session.traits.takesRemoteCommands,
      session.configuration.category.hasOutput
    else { return }
    leavePlayers(session.id)
    state.players.append(session.id)
    state.stoppedByKey = nil
  }

  /// Updates the session that media keys reach, after one registered or ended its registration.
  mutating func reviewNowPlaying(_ index: Int) {
    let session = state.sessions[index]
    if !session.traits.takesRemoteCommands {
      leavePlayers(session.id)
    } else if !state.players.contains(session.id) {
      claimNowPlaying(index)
    }
  }

  /// Takes a session out of those that media keys may reach.
  mutating func leavePlayers(_ id: SessionID) {
    state.players.removeAll { $0 == id }
    if state.stoppedByKey == id { state.stoppedByKey = nil }
  }

  /// Notes whether a media key stops the player that it reaches, so that the next key reaches it too.
  private mutating func noteStop(by command: RemoteCommand, _ index: Int) {
    let isStop: Bool
    switch command {
    case .pause, .stop: isStop = true
    case .toggle: isStop = state.sounds(index, atNanoseconds: now)
    case .play: isStop = false
    case .next, .previous, .seek, .skipForward, .skipBackward, .rate, .record: return
    }
    state.stoppedByKey = isStop ? state.sessions[index].id : nil
  }
}

extension TowerState {
  /// The session that media keys reach (rules VOL-2, VOL-3).
  ///
  /// The one that began to play last and still sounds. A player that a media key has stopped keeps the keys until another
  /// one begins to play. When none sounds, the one that began to play last.
  ///
  /// - Parameter timeNanoseconds: Now, on the clock of the events.
  /// - Returns: The session; nil where none takes remote-control commands.
  public func nowPlaying(atNanoseconds timeNanoseconds: UInt64) -> SessionID? {
    let registered = players.compactMap(index(of:)).filter(isRegistered)
    if let stopped = stoppedByKey.flatMap(index(of:)), registered.contains(stopped),
      sessions[stopped].isActive || sessions[stopped].interruption != nil
    {
      return sessions[stopped].id
    }
    let last = registered.last { sounds($0, atNanoseconds: timeNanoseconds) } ?? registered.last
    return last.map { sessions[$0].id }
  }

  private func isRegistered(_ index: Int) -> Bool {
    let session = sessions[index]
    guard session.traits.takesRemoteCommands, session.configuration.category.hasOutput else {
      return false
    }
    return !session.traits.registersWhilePlaying || session.isActive && session.isRunningIO
      || session.interruption != nil
  }

  /// Whether a session is heard, and has not been silent for longer than between two pieces.
  func sounds(_ index: Int, atNanoseconds timeNanoseconds: UInt64) -> Bool {
    guard sessions[index].isSounding else { return false }
    guard let since = sessions[index].silentSinceNanoseconds else { return true }
    return timeNanoseconds < since + configuration.pauseBetweenPiecesNanoseconds
  }
}
