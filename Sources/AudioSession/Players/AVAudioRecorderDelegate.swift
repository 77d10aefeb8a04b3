// SPDX-License-Identifier: MIT

public import Foundation

/// What a recorder tells, on the main thread.
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
  /// The file is closed.
  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
  /// The file cannot be written further.
  func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
  /// The session was interrupted while it recorded; it has paused by itself.
  func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder)
  /// The interruption is over; flag 1 is `shouldResume`.
  func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int)
}

extension AVAudioRecorderDelegate {
  /// Does nothing.
  public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully: Bool) {}
  /// Does nothing.
  public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
  /// Does nothing.
  public func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder) {}
  /// Does nothing.
  public func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int) {}
}
