// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import Dispatch
internal import Foundation
internal import NIOConcurrencyHelpers
internal import Sessions
internal import SystemSupport

extension AVAudioPlayer {
  /// The name under which the position is kept over restarts of the app; nil to keep no position (INT-6).
  ///
  /// Not in the SDK. Setting it moves to the position that was kept under the name, if there is one.
  public var savedPositionName: String? {
    get { state.withLockedValue { $0.bookmark?.name } }
    set {
      let bookmark = newValue.map { PositionBookmark(name: $0) }
      state.withLockedValue { $0.bookmark = bookmark }
      if let seconds = bookmark?.read() { currentTime = seconds }
    }
  }

  /// Whether the player uses the app's session, as at first; otherwise it has one of its own (PLR-2, PLR-4).
  ///
  /// An own session is that of a movie in the guide's table 6-1: not mixable, active while the player plays, which silences
  /// others, and over with the player, which lets them resume. The app's session stays as it is; the player's can be
  /// interrupted and lowered by it like any other. Set it before the player plays; it stops one that does.
  /// [control-thread]
  public var usesApplicationAudioSession: Bool {
    get { state.withLockedValue { $0.session == nil } }
    set {
      guard newValue != usesApplicationAudioSession else { return }
      let player = WeakBox(self)
      // It is opened with its first use.
      let session = newValue ? nil : SideSession.ofPlayer { player.value?.heard($0) }
      move(to: session)?.close()
    }
  }

  /// Moves the player to a session beside the app's; nil is the app's.
  ///
  /// - Returns: The session beside the app's that it had.
  @discardableResult
  func move(to session: SideSession?) -> SideSession? {
    if isPlaying { halt() }
    AppAudio.shared.remove(ObjectIdentifier(self))
    let old = state.withLockedValue { state in
      defer {
        state.session = session
        state.voice = nil
      }
      return state.session
    }
    old?.removeVoice()
    return old
  }

  /// Whether the player played when an interruption began that has not ended, and nothing has stopped it since.
  var isInterrupted: Bool { state.withLockedValue { $0.wasPlaying } }

  var bookmark: PositionBookmark? { state.withLockedValue { $0.bookmark } }

  func heard(_ event: SessionEvent) {
    switch event {
    case .interrupted:
      let wasPlaying = isPlaying
      if wasPlaying { halt(isInterrupted: true) }
      state.withLockedValue {
        $0.wasPlaying = wasPlaying
        $0.isDelegateWaiting = wasPlaying
      }
      if wasPlaying { tellDelegate { $0.audioPlayerBeginInterruption($1) } }
    case .interruptionEnded(let shouldResume, let leavesPaused, _):
      interruptionEnded(shouldResume: shouldResume, leavesPaused: leavesPaused)
    case .routeChanged(.oldDeviceUnavailable, let lost) where wasHeard(at: lost):
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
    let before = state.withLockedValue { state in
      defer {
        state.wasPlaying = false
        state.isDelegateWaiting = false
      }
      return state
    }
    let resumes = before.wasPlaying && before.resumesAutomatically
    if shouldResume, !leavesPaused, resumes { play() }
    guard before.isDelegateWaiting else { return }
    tellDelegate { $0.audioPlayerEndInterruption($1, withOptions: shouldResume ? 1 : 0) }
  }

  /// Whether an output is lost at which the player was heard (RTE-7).
  ///
  /// With `multiRoute` a player is heard at the channels of its assignments, or at the first ones. With other categories it
  /// is heard at every output of the route.
  private func wasHeard(at lost: LostOutputs) -> Bool {
    guard usesApplicationAudioSession,
      SessionController.shared.current.configuration.category == .multiRoute
    else {
      return !lost.uids.isEmpty
    }
    if let assignments = channelAssignments {
      return assignments.contains { lost.uids.contains($0.owningPortUID) }
    }
    return lost.concern(channels: Array(0..<numberOfChannels))
  }

  /// Follows assigned channels to new indices without a gap; a stream whose channels stay is left alone (RTE-7).
  private func followRoute() {
    guard channelAssignments != nil, let voice = state.withLockedValue({ $0.voice }),
      voice.outputs != outputs()
    else { return }
    moveVoice()
  }

  func heard(_ event: FilePlayerEvent) {
    switch event {
    case .endOfFile:
      filePlayer?.pause()
      filePlayer?.seek(toFrame: 0)
      bookmark?.save(0)
      setRunning(false)
      state.withLockedValue { $0.isPlaying = false }
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

/// Hands the session's events to a player, which it holds weakly. [any-thread]
final class PlayerListener: SessionParticipant {
  private let player: WeakBox<AVAudioPlayer>

  init(player: AVAudioPlayer) { self.player = WeakBox(player) }

  func session(did event: SessionEvent) {
    // A player with a session of its own hears that one's events.
    guard let player = player.value, player.usesApplicationAudioSession else { return }
    player.heard(event)
  }
}

/// Hands the events of a file to a player, which it holds weakly. [any-thread]
final class PlayerEvents: Sendable {
  private let box = NIOLockedValueBox<WeakBox<AVAudioPlayer>?>(nil)

  var player: AVAudioPlayer? {
    get { box.withLockedValue { $0?.value } }
    set { box.withLockedValue { $0 = newValue.map { WeakBox($0) } } }
  }

  /// Hands an event to the player on the session's event thread.
  ///
  /// Called on the read-ahead thread.
  func send(_ event: FilePlayerEvent) {
    SessionController.shared.events.async { self.player?.heard(event) }
  }
}

/// A position in a file that is kept over restarts of the app (INT-6). [any-thread]
struct PositionBookmark: Sendable {
  let name: String
  private let url: URL

  /// Makes a bookmark in `$XDG_STATE_HOME/multiroute/positions`, named by app and `name`.
  init(name: String) {
    self.name = name
    let environment = ProcessInfo.processInfo.environment
    let state = environment["XDG_STATE_HOME"] ?? NSHomeDirectory() + "/.local/state"
    let app = SessionController.shared.settings.app
    let file = "\(app) \(name)".map { $0 == "/" || $0 == "\0" ? "_" : $0 }
    url = URL(filePath: state + "/multiroute/positions").appending(path: String(file))
  }

  /// Keeps a position; if the file cannot be written, no position is kept.
  func save(_ seconds: Double) {
    try? FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true,
    )
    try? Data("\(seconds)\n".utf8).write(to: url, options: .atomic)
  }

  /// Gives the kept position in seconds; nil if there is none.
  func read() -> Double? {
    guard let data = try? Data(contentsOf: url) else { return nil }
    return Double(
      String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    )
  }
}
