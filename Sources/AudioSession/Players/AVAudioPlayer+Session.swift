// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import Dispatch
internal import Foundation
internal import NIOConcurrencyHelpers

extension AVAudioPlayer {
  /// The name under which the place is kept, over interruptions and restarts of the app; nil keeps none (INT-6).
  ///
  /// Not in the SDK. Setting it goes to the place that was kept under the name, where there is one.
  public var savedPositionName: String? {
    get { state.withLockedValue { $0.bookmark?.name } }
    set {
      let bookmark = newValue.map { PositionBookmark(name: $0) }
      state.withLockedValue { $0.bookmark = bookmark }
      if let seconds = bookmark?.read() { currentTime = seconds }
    }
  }

  var bookmark: PositionBookmark? { state.withLockedValue { $0.bookmark } }

  func heard(_ event: SessionEvent) {
    switch event {
    case .interrupted:
      let wasPlaying = isPlaying
      if wasPlaying { halt() }
      state.withLockedValue { $0.wasPlaying = wasPlaying }
      if wasPlaying { tellDelegate { $0.audioPlayerBeginInterruption($1) } }
    case .interruptionEnded(let shouldResume, let leavesPaused, _):
      interruptionEnded(shouldResume: shouldResume, leavesPaused: leavesPaused)
    case .routeChanged(.oldDeviceUnavailable):
      if isPlaying { halt() }
    case .routeChanged:
      followRoute()
    case .deactivated:
      if isPlaying { halt() }
    case .mediaServicesLost: orphan()
    case .remoteCommand, .inputChanged: break
    }
  }

  private func interruptionEnded(shouldResume: Bool, leavesPaused: Bool) {
    let (wasPlaying, resumes) = state.withLockedValue { state in
      defer { state.wasPlaying = false }
      return (state.wasPlaying, state.resumesAutomatically)
    }
    guard wasPlaying else { return }
    if shouldResume, !leavesPaused, resumes { play() }
    tellDelegate { $0.audioPlayerEndInterruption($1, withOptions: shouldResume ? 1 : 0) }
  }

  /// Channels that are assigned by name may lie elsewhere now.
  private func followRoute() {
    guard channelAssignments != nil, isPlaying else { return }
    detach()
    play()
  }

  func heard(_ event: FilePlayerEvent) {
    switch event {
    case .endOfFile:
      state.withLockedValue { $0.isPlaying = false }
      filePlayer.pause()
      filePlayer.seek(toFrame: 0)
      bookmark?.save(0)
      AppAudio.shared.setRunning(false, ObjectIdentifier(self))
      tellDelegate { $0.audioPlayerDidFinishPlaying($1, successfully: true) }
    case .failed(let error):
      halt()
      let message = "\(error)"
      tellDelegate { delegate, player in
        let fault = NSError.session(.unspecified, message, rule: "INT-5")
        delegate.audioPlayerDecodeErrorDidOccur(player, error: fault)
      }
    case .underrun: break
    }
  }

  private func tellDelegate(
    _ body: @escaping @Sendable (any AVAudioPlayerDelegate, AVAudioPlayer) -> Void
  ) {
    let reference = state.withLockedValue { $0.delegate }
    DispatchQueue.main.async { [self] in
      if let delegate = reference.value { body(delegate, self) }
    }
  }
}

/// Hears of the session for a player, without keeping it alive.
final class PlayerListener: SessionParticipant {
  private let player: WeakBox<AVAudioPlayer>

  init(player: AVAudioPlayer) { self.player = WeakBox(player) }

  func session(did event: SessionEvent) { player.value?.heard(event) }
}

/// Hears of the file for a player, without keeping it alive.
final class PlayerEvents: Sendable {
  private let box = NIOLockedValueBox<WeakBox<AVAudioPlayer>?>(nil)

  var player: AVAudioPlayer? {
    get { box.withLockedValue { $0?.value } }
    set { box.withLockedValue { $0 = newValue.map { WeakBox($0) } } }
  }

  /// Hands an event of the read-ahead thread on.
  func send(_ event: FilePlayerEvent) {
    SessionController.shared.events.async { self.player?.heard(event) }
  }
}
