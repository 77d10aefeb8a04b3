// SPDX-License-Identifier: MIT

public import Foundation
internal import NIOConcurrencyHelpers

/// Whether the app plays, as remote controls show it.
public enum MPNowPlayingPlaybackState: UInt, Sendable {
  /// What the session's audio does.
  case unknown = 0
  /// It plays.
  case playing = 1
  /// It is paused.
  case paused = 2
  /// It is stopped.
  case stopped = 3
  /// It is interrupted; shown as paused.
  case interrupted = 4
}

/// What remote controls show of the app that is now playing.
open class MPNowPlayingInfoCenter: NSObject, @unchecked Sendable {
  private struct State {
    var info: NowPlayingInfo?
    var playbackState = MPNowPlayingPlaybackState.unknown
  }

  private static let only = MPNowPlayingInfoCenter()
  private let box = NIOLockedValueBox(State())

  /// The center of this app.
  /// [any-thread]
  public class func `default`() -> MPNowPlayingInfoCenter { only }

  private override init() {}

  /// What plays, by ``MPMediaItemPropertyTitle`` and the like; other keys are left out.
  public var nowPlayingInfo: [String: Any]? {
    get { box.withLockedValue { $0.info }?.values }
    set {
      let info = newValue.map { NowPlayingInfo($0) }
      box.withLockedValue { $0.info = info }
      RemoteControl.shared.review()
    }
  }

  /// Whether it plays; `unknown` is what the session's audio does.
  public var playbackState: MPNowPlayingPlaybackState {
    get { box.withLockedValue { $0.playbackState } }
    set {
      box.withLockedValue { $0.playbackState = newValue }
      RemoteControl.shared.review()
    }
  }

  var info: NowPlayingInfo? { box.withLockedValue { $0.info } }
}
