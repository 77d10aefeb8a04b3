// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Sessions

/// Pauses and resumes the players of adopted clients, over MPRIS or JACK's transport (PRE).
///
/// Their gates have silenced them before that. Belongs to the control thread.
final class PausedPlayers {
  /// How a player was paused, so that it can be resumed, and so that a resumption by its user is noticed.
  private enum Pause: Hashable {
    /// The bus is being searched for it.
    case pending
    /// Over MPRIS.
    case bus(PlayerBus.Name)
    /// By stopping JACK's transport.
    case transport
  }

  /// The interval of checking whether a user has resumed a paused player.
  private static let lookNanoseconds: UInt64 = 500_000_000

  private let control: Control
  private let sessions: SessionRoom
  private let clients: AdoptedClients
  private let program: (_ client: String) -> Program
  private let stateChanged: () -> Void
  private var pauses: [SessionID: Pause] = [:]
  private var lastLookNanoseconds: UInt64 = 0

  /// Makes the players of the clients of a directory.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - sessions: The sessions of the clients.
  ///   - clients: The directory.
  ///   - program: The program behind a client.
  ///   - stateChanged: Called when state that outlives the host has changed.
  init(
    control: Control,
    sessions: SessionRoom,
    clients: AdoptedClients,
    program: @escaping (_ client: String) -> Program,
    stateChanged: @escaping () -> Void,
  ) {
    self.control = control
    self.sessions = sessions
    self.clients = clients
    self.program = program
    self.stateChanged = stateChanged
  }

  /// Whether the host has paused the player of a session.
  func isPaused(_ id: SessionID) -> Bool { pauses[id] != nil }

  /// Pauses a player that plays, if its rule allows that.
  func pause(_ id: SessionID) {
    guard let client = clients.first(of: id), pauses[id] == nil else { return }
    switch client.rule.pause {
    case .none: return
    case .transport: stopTransport(id)
    case .automatic, .mpris:
      pauses[id] = .pending
      control.task { [self] in await pauseOverBus(id, client) }
    }
  }

  /// Resumes a player that the host has paused.
  func resume(_ id: SessionID) {
    guard let pause = pauses.removeValue(forKey: id) else { return }
    switch pause {
    case .pending:
      // It is resumed once it is found.
      break
    case .transport:
      // When the server has just gone there is no transport to start.
      try? control.attachment?.startTransport()
    case .bus(let name):
      control.task { [self] in
        let isTaken = await PlayerBus().call(.play, name)
        publish(id, isTaken ? "is resumed (MPRIS)" : "does not answer (MPRIS)")
      }
    }
  }

  /// Takes over a player that was paused, or kept from sounding, when the last host died.
  ///
  /// A player paused by its user or by a lost device stays paused until its user acts; one paused by an interruption
  /// resumes, because its interruption is over.
  func takeOver(_ id: SessionID, _ last: KeptSession) {
    guard last.isPaused == true || last.isHeld == true, let client = clients.first(of: id) else {
      return
    }
    switch client.rule.pause {
    case .none: return
    case .transport:
      pauses[id] = .transport
      if mayGoOn(id) { resume(id) }
    case .automatic, .mpris:
      pauses[id] = .pending
      control.task { [self] in
        let player = await player(of: client)
        let isFree = pauses[id] != .pending
        pauses[id] = player.map { .bus($0) }
        if isFree || mayGoOn(id) { resume(id) }
      }
    }
  }

  private func mayGoOn(_ id: SessionID) -> Bool {
    guard !sessions.pausesAtStart(id) else { return false }
    let session = sessions.session(id)
    return session?.isPaused == false && session?.interruption == nil
  }

  /// Resumes the players that the host has paused for an interruption, before the host ends.
  ///
  /// - Parameter last: The attachment that is ending; nil without one.
  func release(on last: Attachment?) async {
    for (id, pause) in pauses where sessions.session(id)?.isPaused == false {
      pauses[id] = nil
      switch pause {
      case .pending: break
      case .transport: try? last?.startTransport()
      case .bus(let name): _ = await PlayerBus().call(.play, name)
      }
    }
  }

  /// Passes a media key on to a player over MPRIS (VOL-2), except for positions and recording, which MPRIS
  /// lacks.
  func command(_ id: SessionID, _ remote: RemoteCommand) {
    guard let client = clients.first(of: id), client.rule.pause != .none else { return }
    if let factor = remote.factor { return setRate(factor, id, client) }
    guard let command = PlayerBus.Command(remote) else { return }
    control.task { [self] in
      guard let player = await player(of: client) else { return }
      _ = await PlayerBus().call(command, player)
    }
  }

  private func setRate(_ factor: Double, _ id: SessionID, _ client: AdoptedClient) {
    control.task { [self] in
      guard let player = await player(of: client) else {
        return publish(id, "has no MPRIS, so its speed stays", rule: .vol2)
      }
      let isTaken = await PlayerBus().setRate(factor, player)
      publish(
        id,
        isTaken ? "plays at speed \(factor) (MPRIS)" : "does not take a speed (MPRIS)",
        rule: .vol2,
      )
    }
  }

  /// Detects paused players that a user has resumed.
  func look() {
    let now = control.nowNanoseconds
    guard !pauses.isEmpty, now &- lastLookNanoseconds >= Self.lookNanoseconds else { return }
    lastLookNanoseconds = now
    for (id, pause) in pauses {
      switch pause {
      case .pending: break
      case .transport:
        if control.attachment?.isTransportRolling == true { wentOn(id) }
      case .bus(let name):
        control.task { [self] in
          if await PlayerBus().isPlaying(name) == true { wentOn(id) }
        }
      }
    }
  }

  private func pauseOverBus(_ id: SessionID, _ client: AdoptedClient) async {
    let bus = PlayerBus()
    guard let player = await player(of: client) else {
      pauses[id] = nil
      if client.rule.pause == .mpris { publish(id, "has no MPRIS and is muted only") }
      return
    }
    // A player that did not play must not be started by a later resumption.
    guard await bus.isPlaying(player) == true, await bus.call(.pause, player) else {
      pauses[id] = nil
      return
    }
    guard pauses[id] == .pending else {
      // Its interruption has ended in the meantime.
      _ = await bus.call(.play, player)
      return
    }
    pauses[id] = .bus(player)
    stateChanged()
    publish(id, "is paused (MPRIS)")
  }

  private func player(of client: AdoptedClient) async -> PlayerBus.Name? {
    let program = program(client.name)
    let names = [client.name, ClientProcess.baseName(ofClient: client.name), program.name]
    return await PlayerBus().player(pid: program.pid, names: names)
  }

  private func stopTransport(_ id: SessionID) {
    guard let attachment = control.attachment, attachment.isTransportRolling == true else { return }
    do throws(JACKError) {
      try attachment.stopTransport()
      pauses[id] = .transport
      stateChanged()
      publish(id, "is paused (JACK's transport is stopped)")
    } catch {
      control.publish(.error(), "the transport cannot be stopped: \(error)")
    }
  }

  /// Handles a player that its user has resumed: it is to be heard.
  private func wentOn(_ id: SessionID) {
    guard pauses.removeValue(forKey: id) != nil, sessions.held(id) != nil else { return }
    publish(id, "was resumed by its user")
    sessions.tell(.playerResumed(session: id))
  }

  private func publish(_ id: SessionID, _ what: String, rule: RuleID = .rte3) {
    let name = sessions.name(of: id)
    control.publish(
      .decision(.init(rule: rule, session: name)),
      "\(rule.rawValue) session '\(name)' \(what)",
    )
  }
}

extension PlayerBus.Command {
  /// The MPRIS command of a media key; nil for keys that MPRIS handles by other calls or not at all.
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
