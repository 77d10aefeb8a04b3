// SPDX-License-Identifier: MIT

import AVFoundation
import MediaPlayer

/// A player of the main actor with a lock screen, as apps since Swift concurrency have it: its remote commands call the object
/// itself.
@MainActor
final class RemoteCommandPlayer {
  private(set) var log: [String] = []
  private var player = AVAudioPlayer()
  private var isShuffled = false

  var isPlaying: Bool { player.isPlaying }
  var numberOfLoops: Int { player.numberOfLoops }

  func load(_ url: URL) throws {
    try AVAudioSession.sharedInstance().setCategory(.playback, mode: .default)
    player = try AVAudioPlayer(contentsOf: url)
    player.prepareToPlay()
  }

  func play() {
    player.play()
    log.append("play")
    updateNowPlaying()
  }

  func pause() {
    player.pause()
    log.append("pause")
    updateNowPlaying()
  }

  func setUpRemoteCommands() {
    let center = MPRemoteCommandCenter.shared()
    center.playCommand.addTarget { [weak self] _ in
      self?.play()
      return .success
    }
    center.pauseCommand.addTarget { [unowned self] _ -> MPRemoteCommandHandlerStatus in
      pause()
      return .success
    }
    center.togglePlayPauseCommand.addTarget { [weak self] event in
      guard let self else { return .commandFailed }
      if player.isPlaying { pause() } else { play() }
      return .success
    }
    center.changePlaybackPositionCommand.addTarget { [weak self] event in
      guard let self, let event = event as? MPChangePlaybackPositionCommandEvent else {
        return .commandFailed
      }
      player.currentTime = event.positionTime
      updateNowPlaying()
      return .success
    }
    center.changeRepeatModeCommand.addTarget { [weak self] event in
      guard let self, let event = event as? MPChangeRepeatModeCommandEvent else {
        return .commandFailed
      }
      player.numberOfLoops = event.repeatType == .off ? 0 : -1
      center.changeRepeatModeCommand.currentRepeatType = event.repeatType
      log.append("repeat \(event.repeatType.rawValue)")
      return .success
    }
    center.changeShuffleModeCommand.addTarget { [weak self] event in
      guard let self, let event = event as? MPChangeShuffleModeCommandEvent else {
        return .commandFailed
      }
      isShuffled = event.shuffleType != .off
      center.changeShuffleModeCommand.currentShuffleType = event.shuffleType
      log.append("shuffle \(event.shuffleType.rawValue)")
      return .success
    }
    center.likeCommand.isActive = false
    center.likeCommand.localizedTitle = "Love"
    center.dislikeCommand.localizedShortTitle = "No"
    center.bookmarkCommand.addTarget { event in
      (event as? MPFeedbackCommandEvent)?.isNegative == true ? .noSuchContent : .success
    }
    center.ratingCommand.maximumRating = 5
  }

  func removeRemoteCommands() {
    let center = MPRemoteCommandCenter.shared()
    for command in [
      center.playCommand, center.pauseCommand, center.togglePlayPauseCommand,
      center.changePlaybackPositionCommand, center.changeRepeatModeCommand,
      center.changeShuffleModeCommand, center.bookmarkCommand,
    ] {
      command.removeTarget(nil)
    }
    player.stop()
  }

  private func updateNowPlaying() {
    let cover = Cover(bytes: [0x89, 0x50, 0x4E, 0x47])
    var info: [String: Any] = [
      MPMediaItemPropertyTitle: "Title",
      MPMediaItemPropertyPlaybackDuration: player.duration,
      MPNowPlayingInfoPropertyElapsedPlaybackTime: player.currentTime,
      MPNowPlayingInfoPropertyPlaybackRate: player.isPlaying ? 1 : 0,
    ]
    info[MPMediaItemPropertyArtwork] = MPMediaItemArtwork(
      boundsSize: CGSize(width: 600, height: 600)
    ) { _ in cover }
    MPNowPlayingInfoCenter.default().nowPlayingInfo = info
  }
}

/// The image of an app's own toolkit.
struct Cover: MPArtworkImage {
  var bytes: [UInt8]

  func pngData() -> Data? { bytes.isEmpty ? nil : Data(bytes) }
}
