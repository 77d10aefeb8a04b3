// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Dispatch
internal import NIOConcurrencyHelpers

/// Brings remote controls and the app together (VOL-2).
///
/// What comes over MPRIS goes to the host, which keeps it during an interruption (INT-4) and hands it back; so it does not
/// matter where a command comes from. The app is on the message bus while the host says that it is now playing: a remote
/// control that takes the first player it finds has the right one.
final class RemoteControl: SessionParticipant {
  static let shared = RemoteControl()

  private let isTaking = NIOLockedValueBox(false)
  private let isReviewing = NIOLockedValueBox(false)
  /// Commands in the order in which they come, away from the session's threads: they wait for the host.
  private let queue = DispatchQueue(label: "multiroute.remote")
  /// Belongs to `queue`.
  private let joined = NIOLockedValueBox<(bus: MediaPlayerBus, facts: MediaPlayerBus.Facts)?>(nil)

  private init() { SessionController.shared.participants.add(self) }

  /// Whether the app takes remote-control commands.
  var isOn: Bool { isTaking.withLockedValue { $0 } }

  /// Lets the host know whether the app takes commands.
  func set(_ isOn: Bool) {
    let hasChanged = isTaking.withLockedValue { value in
      defer { value = isOn }
      return value != isOn
    }
    guard hasChanged else { return }
    // Without a host it is told with the connection.
    try? SessionController.shared.choose({ _ in }) { $0.takesRemoteCommands = isOn }
    review()
  }

  /// The app has other targets.
  func commandsChanged() {
    set(MPRemoteCommandCenter.shared().isTaking)
    review()
  }

  // MARK: - From the host

  func session(did event: SessionEvent) {
    switch event {
    case .remoteCommand(let call): deliver([call])
    case .interruptionEnded(let shouldResume, let leavesPaused, let held):
      // What was kept comes down to one of both; who toggled twice wants what was.
      var calls = held.filter { !$0.isTransport }
      if held.contains(where: \.isTransport) {
        if leavesPaused {
          calls.append(RemoteCommandCall("pause"))
        } else if shouldResume {
          calls.append(RemoteCommandCall("play"))
        }
      }
      deliver(calls)
    case .interrupted, .routeChanged, .deactivated, .mediaServicesLost, .inputChanged: break
    }
    review()
  }

  private func deliver(_ calls: [RemoteCommandCall]) {
    guard !calls.isEmpty else { return }
    SessionController.shared.onMain {
      for call in calls { Self.carryOut(call) }
      RemoteControl.shared.review()
    }
  }

  private static func carryOut(_ call: RemoteCommandCall) {
    guard let command = MPRemoteCommandCenter.shared().command(named: call.name) else { return }
    command.send(command.event(call))
  }

  // MARK: - On the bus

  /// Joins or leaves the bus, and tells what has changed; soon, on a queue of its own.
  func review() {
    guard isOn || joined.withLockedValue({ $0 != nil }) else { return }
    let isFirst = isReviewing.withLockedValue { isDue in
      defer { isDue = true }
      return !isDue
    }
    guard isFirst else { return }
    queue.async {
      self.isReviewing.withLockedValue { $0 = false }
      self.settle()
    }
  }

  private func settle() {
    let detail = SessionController.shared.state.withLockedValue { $0.detail }
    let isThere = isOn && detail?.nowPlaying == true
    if let bus = joined.withLockedValue({ $0?.bus }), !isThere || bus.hasEnded {
      joined.withLockedValue { $0 = nil }
      bus.close()
    }
    guard isThere else { return }
    let facts = facts(detail)
    let old = joined.withLockedValue { $0 }
    guard old?.facts != facts else { return }
    let app = SessionController.shared.settings.app
    let newBus = {
      MediaPlayerBus(app: app, onCommand: { self.send($0) }, onVolume: { self.setVolume($0) })
    }
    guard let bus = old?.bus ?? newBus() else { return }
    // The place counts from when the app said it.
    let isPlaceNew = old?.facts.info != facts.info
    bus.update(facts, positionSeconds: isPlaceNew ? facts.info?.elapsedSeconds ?? 0 : nil)
    joined.withLockedValue { $0 = (bus, facts) }
  }

  /// Hands a command to the host.
  private func send(_ call: RemoteCommandCall) {
    queue.async {
      // A host that is gone has taken the session with it.
      try? SessionController.shared.send(call)
    }
  }

  /// Moves the fader of the app's strip at the host.
  private func setVolume(_ amplitude: Double) {
    queue.async { try? SessionController.shared.setVolume(amplitude) }
  }

  private func facts(_ detail: SessionDetail?) -> MediaPlayerBus.Facts {
    let center = MPRemoteCommandCenter.shared()
    let toggles = center.togglePlayPauseCommand.isTaken
    let playing = MPNowPlayingInfoCenter.default()
    var facts = MediaPlayerBus.Facts()
    facts.status =
      switch playing.playbackState {
      case .playing: "Playing"
      case .paused, .interrupted: "Paused"
      case .stopped: "Stopped"
      case .unknown: AppAudio.shared.isRunning ? "Playing" : "Paused"
      }
    facts.info = playing.info
    facts.canPlay = center.playCommand.isTaken || toggles
    facts.canPause = center.pauseCommand.isTaken || toggles
    facts.canGoNext = center.nextTrackCommand.isTaken
    facts.canGoPrevious = center.previousTrackCommand.isTaken
    facts.canSeek = center.changePlaybackPositionCommand.isTaken
    facts.canSkip = center.skipForwardCommand.isTaken || center.skipBackwardCommand.isTaken
    facts.rates = center.changePlaybackRateCommand.range ?? 1...1
    facts.volume = detail?.volume ?? 1
    return facts
  }
}
