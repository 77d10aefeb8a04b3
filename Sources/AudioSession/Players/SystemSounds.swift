// SPDX-License-Identifier: MIT

internal import AudioFiles
@_exported public import CoreAudio
public import Foundation
internal import NIOConcurrencyHelpers

/// The number of a system sound.
public typealias SystemSoundID = UInt32
/// The name under which old interfaces take a `URL`.
public typealias CFURL = URL

/// The vibration of a phone; without effect.
public let kSystemSoundID_Vibrate: SystemSoundID = 0xFFF

/// The system sounds of an app: heard beside everything, without the app's session (PLR-5).
///
/// They are muted while the app's session is interrupted, and come back by themselves (INT-5). [any-thread]
final class SystemSounds: SessionParticipant {
  static let shared = SystemSounds()

  private struct State: Sendable {
    var sounds: [SystemSoundID: FilePlayer] = [:]
    var last: SystemSoundID = 4_095
    var isMuted = false
  }

  let audio = SystemSoundAudio()
  private let state = NIOLockedValueBox(State())

  private init() { SessionController.shared.participants.add(self) }

  func session(did event: SessionEvent) {
    switch event {
    case .interrupted: mute(true)
    case .interruptionEnded: mute(false)
    case .mediaServicesLost:
      state.withLockedValue { $0.isMuted = false }
      audio.close()
    case .routeChanged, .deactivated, .remoteCommand, .inputChanged: break
    }
  }

  private func mute(_ isMuted: Bool) {
    state.withLockedValue { $0.isMuted = isMuted }
    audio.setMuted(isMuted)
  }

  func add(_ url: URL) throws -> SystemSoundID {
    try SessionController.shared.checkProcess()
    let file = try FilePlayer(
      path: url.path(percentEncoded: false),
      settings: FilePlayer.Settings(outputSampleRateHz: 48_000, isPlaying: false),
      pool: AppAudio.shared.pool,
      onEvent: { _ in },
    )
    return state.withLockedValue { state in
      state.last += 1
      state.sounds[state.last] = file
      return state.last
    }
  }

  func remove(_ id: SystemSoundID) -> Bool {
    guard !SessionController.shared.isInChild else { return false }
    audio.remove(id)
    return state.withLockedValue { $0.sounds.removeValue(forKey: id) } != nil
  }

  func play(_ id: SystemSoundID, completion: (@Sendable () -> Void)?) {
    guard !SessionController.shared.isInChild else {
      completion?()
      return
    }
    let file = state.withLockedValue { $0.isMuted ? nil : $0.sounds[id] }
    let session = AVAudioSession.sharedInstance()
    let isRecording = session.hasInput && session.state.isActive
    guard let file, !isRecording || session.allowHapticsAndSystemSoundsDuringRecording,
      (try? audio.add(file, as: id)) != nil
    else {
      completion?()
      return
    }
    file.seek(toFrame: 0)
    file.play()
    guard let completion else { return }
    let seconds = file.info.durationSeconds ?? 0
    SessionController.shared.events.asyncAfter(deadline: .now() + seconds) { completion() }
  }
}

/// Registers a system sound.
///
/// - Parameters:
///   - url: The file.
///   - id: Receives the sound's number.
/// - Returns: `noErr`, or `kAudioServicesSystemSoundUnspecifiedError` if the file cannot be played.
/// [control-thread]
@discardableResult
public func AudioServicesCreateSystemSoundID(_ url: URL, _ id: inout SystemSoundID) -> OSStatus {
  guard let made = try? SystemSounds.shared.add(url) else {
    return kAudioServicesSystemSoundUnspecifiedError
  }
  id = made
  return noErr
}

/// Removes a system sound.
///
/// - Returns: `noErr`, or `kAudioServicesBadSystemSoundIDError` for an unknown number.
/// [control-thread]
@discardableResult
public func AudioServicesDisposeSystemSoundID(_ id: SystemSoundID) -> OSStatus {
  SystemSounds.shared.remove(id) ? noErr : kAudioServicesBadSystemSoundIDError
}

/// Plays a system sound beside everything, without the app's session (PLR-5).
///
/// It is silent while the session is interrupted, and while it records unless that is allowed.
/// [control-thread]
public func AudioServicesPlaySystemSound(_ id: SystemSoundID) {
  SystemSounds.shared.play(id, completion: nil)
}

/// Plays a system sound and calls `completion` at its end.
/// [control-thread]
public func AudioServicesPlaySystemSoundWithCompletion(
  _ id: SystemSoundID,
  _ completion: (@Sendable () -> Void)?,
) {
  SystemSounds.shared.play(id, completion: completion)
}

/// Plays a system sound, without a vibration. [control-thread]
public func AudioServicesPlayAlertSound(_ id: SystemSoundID) { AudioServicesPlaySystemSound(id) }

/// Plays a system sound, without a vibration, and calls `completion` at its end.
/// [control-thread]
public func AudioServicesPlayAlertSoundWithCompletion(
  _ id: SystemSoundID,
  _ completion: (@Sendable () -> Void)?,
) {
  SystemSounds.shared.play(id, completion: completion)
}
