// SPDX-License-Identifier: MIT

/// Tells the app's audio what happens to the session.
final class AppAudioListener: SessionParticipant {
  func session(did event: SessionEvent) {
    switch event {
    case .mediaServicesLost: AppAudio.shared.close()
    case .routeChanged: AppAudio.shared.reviewRoute()
    case .inputChanged, .interrupted, .deactivated: AppAudio.shared.reviewInput()
    case .interruptionEnded, .remoteCommand: break
    }
  }
}
