// SPDX-License-Identifier: MIT

public import Foundation
internal import NIOConcurrencyHelpers

/// The number of a short sound.
public typealias SystemSoundID = UInt32
/// What a call of old interfaces answers: 0, or an error's number.
public typealias OSStatus = Int32
/// The name under which old interfaces take a `URL`.
public typealias CFURL = URL

/// The phone's vibration, which no machine here has: it makes no sound.
public let kSystemSoundID_Vibrate: SystemSoundID = 0xFFF

/// Short sounds of an app: muted while the session is interrupted, and back by themselves (INT-5).
final class SystemSounds: SessionParticipant {
  static let shared = SystemSounds()

  private struct State: Sendable {
    var players: [SystemSoundID: AVAudioPlayer] = [:]
    var last: SystemSoundID = 4_095
    var isMuted = false
  }

  private let state = NIOLockedValueBox(State())

  private init() { SessionController.shared.participants.add(self) }

  func session(did event: SessionEvent) {
    switch event {
    case .interrupted: mute(true)
    case .interruptionEnded: mute(false)
    case .mediaServicesLost: state.withLockedValue { $0.isMuted = false }
    case .routeChanged, .deactivated, .remoteCommand, .inputChanged: break
    }
  }

  private func mute(_ isMuted: Bool) { state.withLockedValue { $0.isMuted = isMuted } }

  func add(_ url: URL) throws -> SystemSoundID {
    let player = try AVAudioPlayer(contentsOf: url)
    player.resumesAutomatically = false
    return state.withLockedValue { state in
      state.last += 1
      state.players[state.last] = player
      return state.last
    }
  }

  func remove(_ id: SystemSoundID) -> Bool {
    state.withLockedValue { $0.players.removeValue(forKey: id) } != nil
  }

  func play(_ id: SystemSoundID, completion: (@Sendable () -> Void)?) {
    let player = state.withLockedValue { $0.isMuted ? nil : $0.players[id] }
    let session = AVAudioSession.sharedInstance()
    let isRecording = session.hasInput && session.state.isActive
    guard let player, !isRecording || session.allowHapticsAndSystemSoundsDuringRecording else {
      completion?()
      return
    }
    player.currentTime = 0
    player.play()
    guard let completion else { return }
    SessionController.shared.events.asyncAfter(deadline: .now() + player.duration) { completion() }
  }
}

/// Registers a short sound.
///
/// - Parameters:
///   - url: The file.
///   - id: Where its number goes.
/// - Returns: 0, or -1500 for a file that cannot be played.
/// [control-thread]
@discardableResult
public func AudioServicesCreateSystemSoundID(_ url: URL, _ id: inout SystemSoundID) -> Int32 {
  guard let made = try? SystemSounds.shared.add(url) else { return -1_500 }
  id = made
  return 0
}

/// Forgets a short sound.
///
/// - Returns: 0, or -1501 for a number that is not known.
/// [control-thread]
@discardableResult
public func AudioServicesDisposeSystemSoundID(_ id: SystemSoundID) -> Int32 {
  SystemSounds.shared.remove(id) ? 0 : -1_501
}

/// Plays a short sound; silent while the session is interrupted, and while it records unless that is allowed.
/// [control-thread]
public func AudioServicesPlaySystemSound(_ id: SystemSoundID) {
  SystemSounds.shared.play(id, completion: nil)
}

/// Plays a short sound and tells when it is over.
/// [control-thread]
public func AudioServicesPlaySystemSoundWithCompletion(
  _ id: SystemSoundID,
  _ completion: (@Sendable () -> Void)?,
) {
  SystemSounds.shared.play(id, completion: completion)
}

/// Plays a short sound; there is nothing to vibrate.
/// [control-thread]
public func AudioServicesPlayAlertSound(_ id: SystemSoundID) { AudioServicesPlaySystemSound(id) }
