// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import Foundation
internal import Sessions
internal import Synchronization

/// The session of one player or recorder, or of the app's music player, beside the app's session (PLR-4).
///
/// It is not mixable, so it interrupts others, and lets them resume at its end. [any-thread] except an audio thread.
final class SideSession: Sendable {
  private static let last = Atomic<UInt32>(0)

  private let audio: SideAudio
  /// Whether it is active between two pieces too, and receives remote commands.
  private let isOfMusic: Bool

  /// Describes the session of a player, which is active while the player plays.
  ///
  /// - Parameter onEvent: Called with the session's events on the session thread of the app.
  /// - Returns: The session, which its first use opens.
  static func ofPlayer(_ onEvent: @escaping @Sendable (SessionEvent) -> Void) -> SideSession {
    SideSession("-player\(nextNumber)", onEvent) { $0.category = .playback }
  }

  /// Describes the session of the app's music player, which is active until ``deactivate()``.
  ///
  /// - Parameter onEvent: Called with the session's events on the session thread of the app.
  /// - Returns: The session, which its first use opens.
  static func ofMusic(_ onEvent: @escaping @Sendable (SessionEvent) -> Void) -> SideSession {
    SideSession("-music", isOfMusic: true, onEvent) { $0.category = .playback }
  }

  /// Describes the session of a recorder, which is active while the recorder records.
  ///
  /// It has the app's name, under which the user's permission to record is kept (PRM-1).
  ///
  /// - Parameter onEvent: Called with the session's events on the session thread of the app.
  /// - Returns: The session, which its first use opens.
  static func ofRecorder(_ onEvent: @escaping @Sendable (SessionEvent) -> Void) -> SideSession {
    SideSession("-recorder\(nextNumber)", outputs: 0, onEvent) {
      $0.app = SessionController.shared.settings.app
      $0.category = .record
    }
  }

  private static var nextNumber: UInt32 { last.wrappingAdd(1, ordering: .relaxed).newValue }

  private init(
    _ suffix: String,
    outputs: Int = 2,
    isOfMusic: Bool = false,
    _ onEvent: @escaping @Sendable (SessionEvent) -> Void,
    _ describe: @escaping @Sendable (inout OpenSession.Params) -> Void,
  ) {
    self.isOfMusic = isOfMusic
    audio = SideAudio(
      suffix: suffix,
      outputs: outputs,
      describe: describe,
      onEvent: { content in if let event = SessionEvent(content) { onEvent(event) } },
      onEnd: { onEvent(.mediaServicesLost) },
    )
  }

  /// The sample rate of the server; opens client and session if needed.
  func sampleRateHz() throws -> Double {
    try audio.prepare()
    return audio.rateHz
  }

  /// JACK's current time in frames, unwrapped to 64 bits; 0 before the first use.
  var frameNow: UInt64 { audio.frameNow }

  // MARK: - What is heard and recorded

  /// Makes the player heard.
  func add(_ file: FilePlayer, make: (FilePlayer) -> Voice) throws -> Voice {
    try audio.add(file, as: 0, make: make)
  }

  /// Replaces the player's voice from one cycle to the next; whether the old one was heard.
  func replace(_ old: Voice, by voice: Voice) -> Bool { audio.replace(old, by: voice, as: 0) }

  /// Removes the player's voice.
  func removeVoice() { audio.remove(0) }

  /// Connects the recorder with the input.
  func add(_ recording: Recording, channels: Int) throws {
    try audio.add(recording, channels: channels)
  }

  /// Takes the recorder away from the input.
  func removeRecording() { audio.removeRecording() }

  /// Follows a change of the input route, the permission or the mute.
  func followInput() { audio.followInput() }

  // MARK: - The session

  /// Activates the session and says that audio runs, or the other way round; others that it interrupted resume then.
  ///
  /// - Parameters:
  ///   - isRunning: Whether audio runs.
  ///   - isInterrupted: Whether audio ends by an interruption, after which the session keeps its place before the others.
  /// - Throws: `NSError` with the reason why it cannot be active.
  func setRunning(_ isRunning: Bool, isInterrupted: Bool = false) throws {
    if isRunning {
      try audio.ask(ActivateSession.self) { ActivateSession.Params(session: $0) }
    }
    try audio.ask(AdjustSession.self) { session in
      var params = AdjustSession.Params(session: session)
      params.ioRunning = isRunning
      if isOfMusic { params.takesRemoteCommands = true }
      return params
    }
    if !isRunning, !isOfMusic, !isInterrupted { try deactivate() }
  }

  /// Lets the sessions that it interrupted resume.
  ///
  /// - Throws: `NSError` with the host's refusal.
  func deactivate() throws {
    try audio.ask(DeactivateSession.self) { session in
      DeactivateSession.Params(session: session, notifyOthers: true)
    }
  }

  /// Sends a remote command to the host, which keeps it during an interruption (INT-4).
  ///
  /// - Throws: `NSError` with the host's refusal.
  func send(_ command: RemoteCommand) throws {
    try audio.ask(SendRemoteCommand.self) { session in
      SendRemoteCommand.Params(command: command, session: session)
    }
  }

  /// The fader of the session's strip as an amplitude; 1 without one.
  var volume: Double {
    let detail = try? audio.ask(GetSession.self) { GetSession.Params(session: $0) }
    return detail?.volume ?? 1
  }

  /// Moves that fader.
  ///
  /// - Throws: `NSError` with the host's refusal.
  func setVolume(_ amplitude: Double) throws { try audio.setVolume(amplitude) }

  /// Ends the session.
  func close() { audio.close() }
}

extension SessionEvent {
  /// The event of a session beside the app's; nil for those that concern the app's session only.
  fileprivate init?(_ content: EventPayload.SessionNotice.Content) {
    switch content {
    case .interruptionBegan: self = .interrupted
    case .interruptionEnded(let shouldResume, let held):
      self = .interruptionEnded(
        shouldResume: shouldResume,
        leavesPaused: held.leavePaused,
        held: held,
      )
    case .routeChanged(let reason, let previous, let current):
      self = .routeChanged(
        AVAudioSession.RouteChangeReason(rawValue: reason.rawValue) ?? .unknown,
        lost: LostOutputs(from: previous, to: current),
      )
    case .mediaServicesWereLost: self = .mediaServicesLost
    case .remoteCommand(let command): self = .remoteCommand(command)
    case .inputMuteChanged, .recordPermissionChanged: self = .inputChanged
    default: return nil
    }
  }
}
