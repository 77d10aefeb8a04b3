// SPDX-License-Identifier: MIT

import AVFoundation

/// A voice memo with the settings that tutorials of the SDK have.
final class VoiceMemo: NSObject, AVAudioRecorderDelegate, AVAudioPlayerDelegate,
  @unchecked Sendable
{
  private var recorder: AVAudioRecorder?
  private var player: AVAudioPlayer?
  private(set) var isSaved = false
  private(set) var isPlayed = false

  func record(to url: URL, forDuration duration: TimeInterval) throws {
    let session = AVAudioSession.sharedInstance()
    try session.setCategory(.playAndRecord, mode: .default)
    try session.setActive(true)
    let settings = [
      AVFormatIDKey: Int(kAudioFormatMPEG4AAC),
      AVSampleRateKey: 12000,
      AVNumberOfChannelsKey: 1,
      AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
    ]
    recorder = try AVAudioRecorder(url: url, settings: settings)
    recorder?.delegate = self
    recorder?.record(forDuration: duration)
  }

  func play(_ url: URL) throws {
    player = try AVAudioPlayer(contentsOf: url)
    player?.delegate = self
    player?.play()
  }

  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
    isSaved = flag
  }

  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
    isPlayed = flag
  }
}
