// SPDX-License-Identifier: MIT

import AVFoundation

/// A multiRoute player that sends a file to each pair of channels of the route in turn.
final class PairByPairPlayer: NSObject, AVAudioPlayerDelegate, @unchecked Sendable {
  private let url: URL
  private var player: AVAudioPlayer?
  private var pairs: [[AVAudioSessionChannelDescription]] = []
  private(set) var played: [String] = []
  private(set) var isDone = false

  init(url: URL) {
    self.url = url
    super.init()
  }

  func start() throws {
    let session = AVAudioSession.sharedInstance()
    try session.setCategory(.multiRoute)
    try session.setActive(true)
    let channels = session.currentRoute.outputs.flatMap { $0.channels ?? [] }
    pairs = stride(from: 0, to: channels.count - 1, by: 2).map { Array(channels[$0...$0 + 1]) }
    try playNext()
  }

  func stop() {
    player?.stop()
    try? AVAudioSession.sharedInstance().setActive(false)
  }

  private func playNext() throws {
    guard !pairs.isEmpty else {
      isDone = true
      return
    }
    let pair = pairs.removeFirst()
    let player = try AVAudioPlayer(contentsOf: url)
    player.delegate = self
    player.channelAssignments = pair
    self.player = player
    if player.play() { played.append(pair.map { $0.owningPortUID }.joined(separator: "+")) }
  }

  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
    do {
      try playNext()
    } catch {
      print("Could not play: \(error.localizedDescription)")
    }
  }
}
