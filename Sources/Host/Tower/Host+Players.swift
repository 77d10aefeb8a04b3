// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import Sessions

/// The host's own players: files pause while their session is interrupted, and go on where they
/// stopped (INT-5, INT-6).
extension Host {
  /// Pauses the file behind a strip that has fallen silent, unless it is only muted.
  func pausePlayer(ofStrip strip: String, of session: SessionID) {
    guard let state = tower.tower.state.session(session), !state.isGateOpen,
      state.interruption != nil || state.isPaused
    else { return }
    player(ofStrip: strip)?.pause()
  }

  /// Lets the files behind a session's strips go on.
  func resumePlayers(of session: SessionID) {
    for strip in tower.held[session]?.strips ?? [] { player(ofStrip: strip)?.play() }
  }

  private func player(ofStrip strip: String) -> FilePlayer? {
    guard case .file(let player)? = bank?.generated.first(where: { $0.name == strip })?.source
    else { return nil }
    return player
  }
}
