// SPDX-License-Identifier: MIT

internal import Sessions

/// Reports to the tower which sessions have running audio (SES-4), and which send silence (ACT-8).
///
/// Belongs to the control thread.
final class SessionAudio {
  /// The time without a signal after which a session counts as silent; a pause between two notes is shorter.
  private static let quietNanoseconds: UInt64 = 1_000_000_000

  private let control: Control
  private let ledger: SessionLedger
  private let strips: SessionStrips
  private let decisions: SessionDecisions
  private let isCapturing: (_ client: String) -> Bool
  /// The sessions to pause as soon as their audio runs, because they were paused when the last host died.
  private var pausesAtStart: Set<SessionID> = []
  /// When each strip without a signal had none for the first time since its last one.
  private var quietSinceNanoseconds: [String: UInt64] = [:]
  /// The strips that have had no signal for a while.
  private var quietStrips: Set<String> = []
  /// The number of checks so far whether a session's audio runs: the cost of events.
  private(set) var checks = 0

  /// Watches the audio of the sessions of a ledger.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - ledger: The sessions.
  ///   - strips: Their strips.
  ///   - decisions: The tower.
  ///   - isCapturing: Whether a client is connected to a capture gate.
  init(
    control: Control,
    ledger: SessionLedger,
    strips: SessionStrips,
    decisions: SessionDecisions,
    isCapturing: @escaping (_ client: String) -> Bool,
  ) {
    self.control = control
    self.ledger = ledger
    self.strips = strips
    self.decisions = decisions
    self.isCapturing = isCapturing
  }

  // MARK: - Running

  /// Stores the report of a session's program about its audio.
  func report(_ id: SessionID, isRunning: Bool) {
    ledger.change(id) { $0.reportedRunning = isRunning }
    tellRunning(id)
  }

  /// Reports to the tower which sessions' audio has started or stopped, by their connections.
  func tellRunning() {
    for (id, held) in ledger.all where !held.strips.isEmpty || held.owner == .host {
      tellRunning(id)
    }
  }

  /// Reports to the tower which sessions' audio has started or stopped, by the connections that have changed since the
  /// last time.
  func tellConnected() {
    let changed = control.attachment?.strips.takeChanged() ?? []
    for id in Set(changed.compactMap { ledger.session(ofStrip: $0) }).sorted() { tellRunning(id) }
  }

  /// Reports to the tower whether one session's audio has started or stopped.
  func tellRunning(_ id: SessionID) {
    guard control.attachment != nil, let held = ledger.held[id] else { return }
    checks += 1
    let isRunning = strips.isRunning(held, isCapturing: isCapturing)
    guard held.isRunning != isRunning else { return }
    ledger.change(id) { $0.isRunning = isRunning }
    guard isRunning, pausesAtStart.remove(id) != nil else {
      return decisions.tell(isRunning ? .ioStarted(session: id) : .ioStopped(session: id))
    }
    // Starting ends every pause: its gate would open, and be closed a cycle later.
    let effects =
      ledger.take(.ioStarted(session: id))
      + ledger.take(.remoteCommand(command: .pause, session: id))
    let isPaused = ledger.session(id)?.isPaused == true
    decisions.carryOut(effects.filter { !isPaused || !$0.opensGate(of: id) })
  }

  /// Reports to the tower that audio still runs after a deactivation, because the ports stayed connected.
  func tellStillRunning(_ id: SessionID) {
    guard ledger.held[id]?.isRunning == true, ledger.session(id)?.isRunningIO == false else {
      return
    }
    decisions.tell(.ioStarted(session: id))
  }

  // MARK: - Silence

  /// Counts a session as silent until its meters show a signal, so that an idle one gives no hint (ACT-10).
  func assumeSilence(_ id: SessionID) {
    guard ledger.held[id]?.isSilent == false else { return }
    ledger.change(id) { $0.isSilent = true }
    decisions.tell(.audioLevelChanged(session: id, isSilent: true))
  }

  /// Whether a strip has had no signal for a while that anybody could hear.
  func isQuiet(_ strip: String) -> Bool { quietStrips.contains(strip) }

  /// Reports to the tower which sessions send silence.
  ///
  /// - Parameter heard: The strips with a signal since the last time.
  /// - Returns: Whether a strip has become quiet, or sounds again.
  func tellSilence(heard: Set<String>) -> Bool {
    tellSessions(heard: heard)
    let now = control.nowNanoseconds
    var since: [String: UInt64] = [:]
    for strip in ledger.held.values.flatMap(\.strips) where !heard.contains(strip) {
      since[strip] = quietSinceNanoseconds[strip] ?? now
    }
    quietSinceNanoseconds = since
    let quiet = Set(since.filter { now - $0.value >= Self.quietNanoseconds }.keys)
    defer { quietStrips = quiet }
    return quiet != quietStrips
  }

  private func tellSessions(heard: Set<String>) {
    for (id, held) in ledger.all where !held.strips.isEmpty {
      let isQuiet = held.strips.allSatisfy { !heard.contains($0) }
      let now = control.nowNanoseconds
      let since = isQuiet ? held.quietSinceNanoseconds ?? now : nil
      let isSilent = since.map { held.isSilent || now - $0 >= Self.quietNanoseconds } ?? false
      guard held.isSilent != isSilent || held.quietSinceNanoseconds != since else { continue }
      ledger.change(id) {
        $0.isSilent = isSilent
        $0.quietSinceNanoseconds = since
      }
      guard held.isSilent != isSilent else { continue }
      decisions.tell(.audioLevelChanged(session: id, isSilent: isSilent))
    }
  }

  // MARK: - Pauses at the start

  /// Pauses a session as soon as its audio runs.
  func pauseAtStart(_ id: SessionID) { pausesAtStart.insert(id) }

  /// Whether a session waits to be paused at its start.
  func pausesAtStart(_ id: SessionID) -> Bool { pausesAtStart.contains(id) }

  /// Forgets a session that has ended.
  func forget(_ id: SessionID) { pausesAtStart.remove(id) }
}

extension TowerEffect {
  fileprivate func opensGate(of id: SessionID) -> Bool {
    if case .setGate(id, isOpen: true, _) = self { true } else { false }
  }
}
