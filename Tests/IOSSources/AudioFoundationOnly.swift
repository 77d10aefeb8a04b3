// SPDX-License-Identifier: MIT

import AVFoundation

/// A file that imports AVFoundation and nothing else, although it uses Foundation, Core Media, Core Audio and AudioToolbox.
final class AudioFoundationOnly: NSObject {
  private var recorder: AVAudioRecorder?
  private var timer: Timer?
  private var sound = SystemSoundID(0)

  var documents: URL {
    FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
  }

  func describe(_ seconds: Double) -> String {
    let time = CMTime(seconds: seconds, preferredTimescale: 600)
    let end = CMTimeAdd(time, CMTimeMake(value: 1, timescale: 2))
    guard time.isValid, CMTimeCompare(time, end) < 0 else { return "?" }
    return String(format: "%.1f", CMTimeGetSeconds(end))
  }

  func makeRecorder(_ url: URL) throws -> AVAudioRecorder {
    let settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM,
      AVSampleRateKey: 44_100.0 as Float,
      AVNumberOfChannelsKey: NSNumber(value: 1),
      AVLinearPCMBitDepthKey: 16,
      AVLinearPCMIsFloatKey: false,
      AVLinearPCMIsNonInterleaved: false,
      AVEncoderBitRateKey: 128_000,
    ]
    let recorder = try AVAudioRecorder(url: url, settings: settings)
    self.recorder = recorder
    return recorder
  }

  func startLater(_ recorder: AVAudioRecorder) -> Bool {
    recorder.record(atTime: recorder.deviceCurrentTime + 0.1, forDuration: 1)
  }

  func formats() -> [AVAudioFormat] {
    var description = AudioStreamBasicDescription()
    description.mSampleRate = 44_100
    description.mFormatID = kAudioFormatLinearPCM
    description.mFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
    let settings: [String: Any] = [
      AVFormatIDKey: Int(description.mFormatID), AVSampleRateKey: description.mSampleRate,
      AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
    ]
    return [AVAudioFormat(), AVAudioFormat(settings: settings)].compactMap { $0 }
  }

  func click(_ url: URL) -> OSStatus {
    let status = AudioServicesCreateSystemSoundID(url as CFURL, &sound)
    guard status == noErr else { return status }
    AudioServicesPlaySystemSound(sound)
    return AudioServicesDisposeSystemSoundID(sound)
  }

  func isFull(_ error: Error) -> Bool {
    if let error = error as? AVError { return error.code == .diskFull }
    let error = error as NSError
    return error.domain == AVFoundationErrorDomain && error.code == AVError.Code.diskFull.rawValue
  }
}

/// The players that apps put behind a protocol, so that tests can have their own.
protocol SoundPlaying: AnyObject {
  init(contentsOf url: URL) throws
  func play() -> Bool
}

extension AVAudioPlayer: SoundPlaying {}

enum SoundFactory {
  static func make<Player: SoundPlaying>(_ type: Player.Type, _ url: URL) throws -> Player {
    try Player(contentsOf: url)
  }
}
