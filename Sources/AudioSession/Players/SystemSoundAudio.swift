// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol

/// The JACK client of the app's system sounds, with a session of its own at the host (PLR-5).
///
/// That session is never active: its strip is heard beside everything, and only the silent switch and the screen lock
/// silence it. The app's own session stays as it is. [any-thread] except an audio thread.
final class SystemSoundAudio: Sendable {
  /// The duration of a fade, in frames.
  private static let fadeFrames = 240

  private let audio = SideAudio(suffix: "-sounds", describe: { $0.systemSounds = true })

  /// Makes a sound heard from now on, whenever its file plays.
  ///
  /// - Throws: `NSError` if no host or server can be reached.
  /// [control-thread]
  func add(_ file: FilePlayer, as id: SystemSoundID) throws {
    try audio.add(file, as: id) { Voice(player: $0, outputs: Array(0..<$0.info.channels)) }
  }

  /// Removes a sound.
  /// [control-thread]
  func remove(_ id: SystemSoundID) { audio.remove(id) }

  /// Mutes or unmutes all sounds with a fade (INT-5).
  /// [control-thread]
  func setMuted(_ isMuted: Bool) { audio.setMuted(isMuted, fadeFrames: Self.fadeFrames) }

  /// Closes the client and its session, because the server or the host has ended (RST-1).
  /// [control-thread]
  func close() { audio.close() }
}
