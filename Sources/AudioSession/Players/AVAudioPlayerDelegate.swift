// SPDX-License-Identifier: MIT

public import Foundation

/// What a player tells, on the main thread.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
  /// It has played to the end.
  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
  /// The file cannot be read further.
  func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
  /// The session was interrupted while it played; it has paused by itself.
  func audioPlayerBeginInterruption(_ player: AVAudioPlayer)
  /// The interruption is over; flag 1 is `shouldResume`, and it plays again by itself then.
  func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int)
}

extension AVAudioPlayerDelegate {
  /// Does nothing.
  public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
  /// Does nothing.
  public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
  /// Does nothing.
  public func audioPlayerBeginInterruption(_ player: AVAudioPlayer) {}
  /// Does nothing.
  public func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {}
}
