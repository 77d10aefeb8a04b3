// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Sessions

/// Really pauses adopted players that the tower pauses (PRE): muted they are at once, by the gate.
extension Host {
  /// How often a paused player is asked whether somebody has let it go on.
  private static let lookNanoseconds: UInt64 = 500_000_000

  /// Pauses a player through its handle, where it has one.
  func pausePlayer(_ id: SessionID) {
    guard let held = tower.held[id], let adopted = held.adopted, pausedPlayers[id] == nil else {
      return
    }
    switch adopted.rule.pause {
    case .none: return
    case .transport: stopTransport(id)
    case .automatic, .mpris:
      pausedPlayers[id] = .pending
      Task { await pauseOverBus(id, adopted) }
    }
  }

  /// Takes over a player that was paused, or kept from sounding, when the last host died.
  ///
  /// Whom its user or a lost device had paused stays so until its user acts; whom an interruption had paused
  /// goes on, as nobody interrupts it any more.
  func takeOverPaused(_ id: SessionID, _ last: KeptSession) {
    guard last.isPaused == true || last.isHeld == true, let adopted = tower.held[id]?.adopted else {
      return
    }
    switch adopted.rule.pause {
    case .none: return
    case .transport:
      pausedPlayers[id] = .transport
      if mayGoOn(id) { resumePlayer(id) }
    case .automatic, .mpris:
      pausedPlayers[id] = .pending
      Task {
        let player = await player(of: adopted)
        let isFree = pausedPlayers[id] != .pending
        pausedPlayers[id] = player.map { .bus($0) }
        if isFree || mayGoOn(id) { resumePlayer(id) }
      }
    }
  }

  private func mayGoOn(_ id: SessionID) -> Bool {
    guard !pausesAtStart.contains(id) else { return false }
    let session = tower.tower.state.session(id)
    return session?.isPaused == false && session?.interruption == nil
  }

  /// Lets go on whom the host has paused for an interruption, before it ends.
  func releasePlayers() async {
    for (id, player) in pausedPlayers where tower.tower.state.session(id)?.isPaused == false {
      pausedPlayers[id] = nil
      switch player {
      case .pending: break
      case .transport: try? presence?.mix.startTransport()
      case .bus(let name): _ = await PlayerBus().call(.play, name)
      }
    }
  }

  /// Lets a player go on that the host has paused.
  func resumePlayer(_ id: SessionID) {
    guard let player = pausedPlayers.removeValue(forKey: id) else { return }
    switch player {
    case .pending:
      // It is told to go on once it is found.
      break
    case .transport:
      // Where the server has just gone there is nothing to start.
      try? presence?.mix.startTransport()
    case .bus(let name):
      Task {
        let isTaken = await PlayerBus().call(.play, name)
        tellHandled(id, isTaken ? "goes on (MPRIS)" : "does not answer (MPRIS)")
      }
    }
  }

  /// Hands a media key on to a player over MPRIS (VOL-2); a position and recording are none of its keys.
  func commandPlayer(_ id: SessionID, _ remote: RemoteCommand) {
    guard let adopted = tower.held[id]?.adopted, adopted.rule.pause != .none,
      let command = PlayerBus.Command(remote)
    else { return }
    Task {
      guard let player = await player(of: adopted) else { return }
      _ = await PlayerBus().call(command, player)
    }
  }

  /// Notices paused players that somebody has let go on.
  func watchPausedPlayers() {
    let now = HostClock.nowNanoseconds()
    guard !pausedPlayers.isEmpty, now &- lastPlayerLookNanoseconds >= Self.lookNanoseconds else {
      return
    }
    lastPlayerLookNanoseconds = now
    for (id, player) in pausedPlayers {
      switch player {
      case .pending: break
      case .transport:
        guard (try? presence?.mix.transport.state) == .rolling else { continue }
        wentOn(id)
      case .bus(let name):
        Task {
          if await PlayerBus().isPlaying(name) == true { wentOn(id) }
        }
      }
    }
  }

  private func pauseOverBus(_ id: SessionID, _ adopted: AdoptedClient) async {
    let bus = PlayerBus()
    guard let player = await player(of: adopted) else {
      pausedPlayers[id] = nil
      if adopted.rule.pause == .mpris { tellHandled(id, "has no MPRIS and is muted only") }
      return
    }
    // One that did not play must not begin to by being told to go on.
    guard await bus.isPlaying(player) == true, await bus.call(.pause, player) else {
      pausedPlayers[id] = nil
      return
    }
    guard pausedPlayers[id] == .pending else {
      // Its interruption has ended meanwhile.
      _ = await bus.call(.play, player)
      return
    }
    pausedPlayers[id] = .bus(player)
    keepState()
    tellHandled(id, "is paused (MPRIS)")
  }

  private func player(of adopted: AdoptedClient) async -> PlayerBus.Name? {
    let program = program(of: adopted.name)
    let names = [adopted.name, ClientProcess.baseName(ofClient: adopted.name), program.name]
    return await PlayerBus().player(pid: program.pid, names: names)
  }

  private func stopTransport(_ id: SessionID) {
    guard let connection = presence?.mix, (try? connection.transport.state) == .rolling else {
      return
    }
    do throws(JACKError) {
      try connection.stopTransport()
      pausedPlayers[id] = .transport
      keepState()
      tellHandled(id, "is paused (JACK's transport is stopped)")
    } catch {
      publish(.error, "the transport cannot be stopped: \(error)")
    }
  }

  /// Somebody has pressed play: then it is to be heard.
  private func wentOn(_ id: SessionID) {
    guard pausedPlayers.removeValue(forKey: id) != nil, tower.held[id] != nil else { return }
    tellHandled(id, "goes on by its user's act")
    tell(.playerResumed(session: id))
  }

  private func tellHandled(_ id: SessionID, _ what: String) {
    publish(
      .decision,
      "RTE-3 session '\(name(of: id))' \(what)",
      details: ["rule": "RTE-3", "session": .string(name(of: id))],
    )
  }
}

extension PlayerBus.Command {
  /// What a media key asks for; nil for what MPRIS players are asked otherwise.
  fileprivate init?(_ command: RemoteCommand) {
    switch command {
    case .play: self = .play
    case .pause: self = .pause
    case .toggle: self = .toggle
    case .stop: self = .stop
    case .next: self = .next
    case .previous: self = .previous
    case .seek, .skipForward, .skipBackward, .rate, .record: return nil
    }
  }
}
