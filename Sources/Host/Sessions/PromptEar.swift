// SPDX-License-Identifier: MIT

internal import Mixing
internal import Sessions

/// Listens to adopted clients whose sessions are active only while they sound (ACT-9).
///
/// Belongs to the control thread.
final class PromptEar {
  /// The silence after which a prompt is over; longer than the pauses of speech.
  private static let pauseNanoseconds: UInt64 = 2_000_000_000
  /// The shortest interval of listening.
  private static let shortestInterval = Duration.microseconds(500)

  private let control: Control
  private let ledger: SessionLedger
  private let decisions: SessionDecisions
  /// The sessions that wait for a sound.
  private var waiting: Set<SessionID> = []
  /// When the active ones have sounded last.
  private var sounded: [SessionID: UInt64] = [:]
  private var isListening = false

  /// Listens to the sessions of a ledger.
  init(control: Control, ledger: SessionLedger, decisions: SessionDecisions) {
    self.control = control
    self.ledger = ledger
    self.decisions = decisions
  }

  /// Begins or ends to listen for the next sound of a session.
  func listen(for id: SessionID, _ isOn: Bool) {
    if isOn {
      // A sound before that was of the last prompt.
      if !waiting.contains(id) { _ = takeSounded(id) }
      waiting.insert(id)
      sounded[id] = nil
      begin()
    } else {
      waiting.remove(id)
    }
  }

  /// Lets sessions go that have been silent for too long; by the host's timer.
  func look() {
    let now = control.nowNanoseconds
    for (id, session) in ledger.state.prompts where session.isActive {
      if takeSounded(id) || sounded[id] == nil { sounded[id] = now }
      guard let last = sounded[id], now &- last >= Self.pauseNanoseconds else { continue }
      sounded[id] = nil
      decisions.tell(.soundEnded(session: id))
    }
    // The host may have been away from the server meanwhile.
    if !waiting.isEmpty { begin() }
    sounded = sounded.filter { ledger.session($0.key) != nil }
  }

  /// Listens twice in a period while a session waits, so that its sound takes hold within two periods.
  private func begin() {
    guard !isListening else { return }
    isListening = true
    control.task { [weak self, control] in
      // Wall time, between two looks only: a sound is heard in the first look after its cycle.
      while let pause = self?.hear() { await control.sleep(pause) }
      self?.isListening = false
    }
  }

  /// Tells the tower which of the waiting sessions sound.
  ///
  /// - Returns: The time until the next call; nil when none waits.
  private func hear() -> Duration? {
    guard let attachment = control.attachment else { return nil }
    for id in waiting {
      guard ledger.session(id)?.isWaitingForSound == true else {
        waiting.remove(id)
        continue
      }
      if takeSounded(id) { decisions.tell(.soundBegan(session: id)) }
    }
    guard !waiting.isEmpty else { return nil }
    return max(.seconds(attachment.periodSeconds / 2), Self.shortestInterval)
  }

  private func takeSounded(_ id: SessionID) -> Bool {
    guard let held = ledger.held[id] else { return false }
    return control.attachment?.engine.takeSounded(strips: held.strips) ?? false
  }
}

extension TowerState {
  /// The sessions that are active only while their clients sound. [any-thread]
  fileprivate var prompts: [(id: SessionID, session: Session)] {
    sessions.filter { $0.isAdopted && $0.traits.isActiveWhileSounding }.map { ($0.id, $0) }
  }
}
