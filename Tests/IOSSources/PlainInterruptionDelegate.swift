// SPDX-License-Identifier: MIT

import AVFoundation

/// A delegate with only the form of the guide's listing 3-2, without options.
final class PlainInterruptionDelegate: NSObject, AVAudioPlayerDelegate, @unchecked Sendable {
  private let player: AVAudioPlayer
  private(set) var playing = false
  private(set) var interruptedOnPlayback = false

  init(_ url: URL) throws {
    player = try AVAudioPlayer(contentsOf: url)
    super.init()
    player.delegate = self
    player.numberOfLoops = -1
  }

  func start() { playing = player.play() }

  func stop() {
    player.stop()
    playing = false
  }

  func audioPlayerBeginInterruption(_ player: AVAudioPlayer) {
    if playing {
      playing = false
      interruptedOnPlayback = true
    }
  }

  func audioPlayerEndInterruption(_ player: AVAudioPlayer) {
    if interruptedOnPlayback {
      player.prepareToPlay()
      player.play()
      playing = true
      interruptedOnPlayback = false
    }
  }
}

/// A delegate of the session as the sources of iOS 5 have it.
@available(*, deprecated)
final class OldSessionDelegate: NSObject, AVAudioSessionDelegate, @unchecked Sendable {
  private(set) var inputs: [Bool] = []

  func inputIsAvailableChanged(_ isInputAvailable: Bool) { inputs.append(isInputAvailable) }
}
