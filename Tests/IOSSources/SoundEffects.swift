// SPDX-License-Identifier: MIT

import AudioToolbox

/// The sounds of a game, with AudioToolbox alone.
final class SoundEffects {
  private var sounds: [String: SystemSoundID] = [:]

  func load(_ name: String, _ url: URL) -> Bool {
    var sound: SystemSoundID = 0
    let status: OSStatus = AudioServicesCreateSystemSoundID(url as CFURL, &sound)
    guard status == kAudioServicesNoError else { return false }
    sounds[name] = sound
    return true
  }

  func play(_ name: String) {
    guard let sound = sounds[name] else { return }
    AudioServicesPlaySystemSoundWithCompletion(sound, nil)
  }

  func buzz() { AudioServicesPlayAlertSound(kSystemSoundID_Vibrate) }

  deinit {
    for sound in sounds.values { AudioServicesDisposeSystemSoundID(sound) }
  }
}
