// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Dispatch
internal import NIOConcurrencyHelpers
internal import Sessions

/// Connects remote controls with the app (VOL-2).
///
/// A command that arrives over MPRIS goes to the host, which keeps it during an interruption (INT-4) and sends it back. So
/// commands from all origins are treated alike. The app is on the message bus only while the host says that it is now
/// playing: a remote control that takes the first player it finds then has the right one. [any-thread]
final class RemoteControl: SessionParticipant {
  static let shared = RemoteControl()

  private let isTaking = NIOLockedValueBox(false)
  private let isReviewing = NIOLockedValueBox(false)
  /// Sends commands to the host in their order.
  ///
  /// The host's answer takes time, so the session's threads do not wait for it.
  private let queue = DispatchQueue(label: "multiroute.remote")
  /// Belongs to `queue`.
  private let joined = NIOLockedValueBox<(bus: MediaPlayerBus, facts: MediaPlayerBus.Facts)?>(nil)

  private init() { SessionController.shared.participants.add(self) }

  /// Whether the app receives remote commands.
  var isOn: Bool { isTaking.withLockedValue { $0 } }

  /// Stores whether the app receives remote commands, and reports it to the host.
  func set(_ isOn: Bool) {
    let hasChanged = isTaking.withLockedValue { value in
      defer { value = isOn }
      return value != isOn
    }
    guard hasChanged else { return }
    // Without a host, the next connection tells it.
    try? SessionController.shared.choose({ _ in }) { $0.takesRemoteCommands = isOn }
    review()
  }

  /// Notes that the app added or removed targets.
  func commandsChanged() {
    set(MPRemoteCommandCenter.shared().isTaking)
    review()
  }

  // MARK: - From the host

  func session(did event: SessionEvent) {
    switch event {
    case .remoteCommand(let command): deliver([command])
    case .interruptionEnded(let shouldResume, let leavesPaused, let held):
      // The kept commands become one play or one pause; two toggles leave the state as it was.
      var commands = held.filter { !$0.isTransport }
      if held.contains(where: \.isTransport) {
        if leavesPaused {
          commands.append(.pause)
        } else if shouldResume {
          commands.append(.play)
        }
      }
      deliver(commands)
    case .interrupted, .routeChanged, .deactivated, .mediaServicesLost, .inputChanged: break
    }
    review()
  }

  private func deliver(_ commands: [RemoteCommand]) {
    guard !commands.isEmpty else { return }
    SessionController.shared.onMain {
      for command in commands { Self.carryOut(command) }
      RemoteControl.shared.review()
    }
  }

  /// Calls the app's targets of a change of order or repetition.
  private func deliver(_ mode: PlayMode) {
    SessionController.shared.onMain { MPRemoteCommandCenter.shared().carryOut(mode) }
  }

  private static func carryOut(_ command: RemoteCommand) {
    let target = MPRemoteCommandCenter.shared().command(of: command.kind)
    target.send(target.event(command))
  }

  // MARK: - On the bus

  /// Joins or leaves the bus and publishes changes, on `queue`; several calls become one.
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
      MediaPlayerBus(
        app: app,
        onCommand: { self.send($0) },
        onMode: { self.deliver($0) },
        onVolume: { self.setVolume($0) },
      )
    }
    guard let bus = old?.bus ?? newBus() else { return }
    // The position counts from the moment at which the app set it.
    let isPlaceNew = old?.facts.info != facts.info
    bus.update(facts, positionSeconds: isPlaceNew ? facts.info?.elapsedSeconds ?? 0 : nil)
    joined.withLockedValue { $0 = (bus, facts) }
  }

  /// Sends a command to the host.
  private func send(_ command: RemoteCommand) {
    queue.async {
      // Without a host there is no session to receive the command.
      try? SessionController.shared.send(command)
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
    facts.repetition = center.changeRepeatModeCommand.currentRepeatType
    facts.isShuffled = center.changeShuffleModeCommand.currentShuffleType != .off
    facts.volume = detail?.volume ?? 1
    return facts
  }
}
