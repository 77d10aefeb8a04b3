// SPDX-License-Identifier: MIT

extension Tower {
  /// How many commands an interrupted session keeps; later ones push out the oldest.
  private static let heldCommandLimit = 32

  /// Delivers a media key, or keeps it while the session is interrupted (rules VOL-2, INT-4).
  mutating func deliver(_ command: RemoteCommand, to session: SessionID?) {
    guard let id = session ?? state.nowPlaying, let index = state.index(of: id) else {
      log(.vol2, .ignored(what: "a remote-control command, as no session is now playing"))
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

  /// Silences an adopted player until it is told to play.
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
    if session.isAdopted, session.isRunningIO, !session.isActive, session.interruption == nil {
      activateImplicitly(index)
    }
  }

  /// Makes the session the one that media keys reach, if it takes them.
  mutating func claimNowPlaying(_ index: Int) {
    if state.sessions[index].isActive, state.sessions[index].traits.takesRemoteCommands,
      state.sessions[index].configuration.category.hasOutput
    {
      state.nowPlaying = state.sessions[index].id
    }
  }

  /// Follows a session that registered for media keys, or took that back.
  mutating func reviewNowPlaying(_ index: Int) {
    if state.sessions[index].traits.takesRemoteCommands {
      claimNowPlaying(index)
    } else if state.nowPlaying == state.sessions[index].id {
      state.nowPlaying = nil
    }
  }
}
