// SPDX-License-Identifier: MIT

import AVFoundation
import Foundation
import MediaPlayer

/// Players, recorders, remote control and system sounds, as such apps use them.
extension AudioManager {
  func play(_ url: URL) {
    do {
      player = try AVAudioPlayer(contentsOf: url, fileTypeHint: AVFileType.mp3.rawValue)
      guard let player else { return }
      player.delegate = self
      player.numberOfLoops = -1
      player.volume = 0.5
      player.setVolume(1, fadeDuration: 2)
      player.pan = -0.5
      player.enableRate = true
      player.rate = 1.5
      player.isMeteringEnabled = true
      player.prepareToPlay()
      player.play(atTime: player.deviceCurrentTime + 0.1)
      player.updateMeters()
      print(
        player.averagePower(forChannel: 0),
        player.peakPower(forChannel: 0),
        player.currentTime / player.duration
      )
      print(
        player.isPlaying,
        player.numberOfChannels,
        player.format.sampleRate,
        player.settings[AVSampleRateKey] as Any
      )
    } catch let error as NSError {
      print(error.localizedDescription)
    }
  }

  nonisolated func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
  nonisolated func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: Error?) {}
  nonisolated func audioRecorderDidFinishRecording(
    _ recorder: AVAudioRecorder,
    successfully flag: Bool
  ) {}
  nonisolated func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: Error?) {}

  func record() {
    let audioFilename = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
      .appendingPathComponent("recording.wav")
    let settings: [String: Any] = [
      AVFormatIDKey: Int(kAudioFormatLinearPCM),
      AVSampleRateKey: 44100.0,
      AVNumberOfChannelsKey: 1,
      AVLinearPCMBitDepthKey: 16,
      AVLinearPCMIsFloatKey: false,
      AVLinearPCMIsBigEndianKey: false,
      AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
    ]
    do {
      recorder = try AVAudioRecorder(url: audioFilename, settings: settings)
      recorder?.delegate = self
      recorder?.isMeteringEnabled = true
      recorder?.prepareToRecord()
      recorder?.record()
      recorder?.record(forDuration: 10)
      recorder?.updateMeters()
      print(recorder?.averagePower(forChannel: 0) ?? 0, recorder?.isRecording == true)
      recorder?.pause()
      recorder?.stop()
      recorder?.deleteRecording()
    } catch {
      print(error)
    }
  }

  func remote() {
    let commandCenter = MPRemoteCommandCenter.shared()
    commandCenter.playCommand.isEnabled = true
    commandCenter.playCommand.addTarget { [weak self] event in
      guard let self else { return .commandFailed }
      _ = self
      return .success
    }
    commandCenter.skipForwardCommand.preferredIntervals = [15]
    commandCenter.skipBackwardCommand.preferredIntervals = [15.0]
    commandCenter.skipForwardCommand.addTarget { event -> MPRemoteCommandHandlerStatus in
      guard let event = event as? MPSkipIntervalCommandEvent else { return .commandFailed }
      print(event.interval)
      return .success
    }
    commandCenter.changePlaybackPositionCommand.addTarget { event in
      let position = (event as? MPChangePlaybackPositionCommandEvent)?.positionTime ?? 0
      print(position)
      return MPRemoteCommandHandlerStatus.success
    }
    commandCenter.togglePlayPauseCommand.addTarget { _ in .noActionableNowPlayingItem }
    commandCenter.nextTrackCommand.isEnabled = false
    commandCenter.changePlaybackRateCommand.supportedPlaybackRates = [0.5, 1, 2]
    commandCenter.seekForwardCommand.addTarget { _ in .success }
    commandCenter.likeCommand.isEnabled = false
    var nowPlayingInfo = [String: Any]()
    nowPlayingInfo[MPMediaItemPropertyTitle] = "Title"
    nowPlayingInfo[MPMediaItemPropertyArtist] = "Artist"
    nowPlayingInfo[MPNowPlayingInfoPropertyElapsedPlaybackTime] = player?.currentTime
    nowPlayingInfo[MPMediaItemPropertyPlaybackDuration] = player?.duration
    nowPlayingInfo[MPNowPlayingInfoPropertyPlaybackRate] = player?.rate
    nowPlayingInfo[MPNowPlayingInfoPropertyIsLiveStream] = false
    nowPlayingInfo[MPNowPlayingInfoPropertyMediaType] = MPNowPlayingInfoMediaType.audio.rawValue
    MPNowPlayingInfoCenter.default().nowPlayingInfo = nowPlayingInfo
    MPNowPlayingInfoCenter.default().playbackState = .playing
  }

  func sounds() {
    AudioServicesPlaySystemSound(1103)
    AudioServicesPlaySystemSound(kSystemSoundID_Vibrate)
    AudioServicesPlayAlertSound(SystemSoundID(1322))
    var sound: SystemSoundID = 0
    AudioServicesCreateSystemSoundID(URL(fileURLWithPath: "/tmp/x.wav") as CFURL, &sound)
    AudioServicesPlaySystemSoundWithCompletion(sound) { [sound] in
      AudioServicesDisposeSystemSoundID(sound)
    }
  }
}
