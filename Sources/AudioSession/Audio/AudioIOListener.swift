// SPDX-License-Identifier: MIT

/// Hears of the session for raw audio, without keeping it alive.
final class AudioIOListener: SessionParticipant {
  private let io: WeakBox<AudioIO>

  init(io: AudioIO) { self.io = WeakBox(io) }

  func session(did event: SessionEvent) {
    if case .routeChanged = event { io.value?.followRoute() }
  }
}
