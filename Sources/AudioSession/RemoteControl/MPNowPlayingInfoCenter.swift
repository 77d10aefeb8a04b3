// SPDX-License-Identifier: MIT

public import Foundation
internal import NIOConcurrencyHelpers

/// The title, a `String`.
public let MPMediaItemPropertyTitle = "title"
/// The artist, a `String`.
public let MPMediaItemPropertyArtist = "artist"
/// The album, a `String`.
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// The length in seconds, a number.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// The place when the information was set, in seconds, a number.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime =
  "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// How fast the place moves: 1 is normal, a number.
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"

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

  /// What plays, by the keys above; others are left out.
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

/// What is known of what plays.
struct NowPlayingInfo: Hashable, Sendable {
  var title: String?
  var artist: String?
  var album: String?
  var durationSeconds: Double?
  var elapsedSeconds: Double?
  var rate: Double?

  init(_ values: [String: Any]) {
    title = values[MPMediaItemPropertyTitle] as? String
    artist = values[MPMediaItemPropertyArtist] as? String
    album = values[MPMediaItemPropertyAlbumTitle] as? String
    durationSeconds = Self.number(values[MPMediaItemPropertyPlaybackDuration])
    elapsedSeconds = Self.number(values[MPNowPlayingInfoPropertyElapsedPlaybackTime])
    rate = Self.number(values[MPNowPlayingInfoPropertyPlaybackRate])
  }

  var values: [String: Any] {
    var values: [String: Any] = [:]
    values[MPMediaItemPropertyTitle] = title
    values[MPMediaItemPropertyArtist] = artist
    values[MPMediaItemPropertyAlbumTitle] = album
    values[MPMediaItemPropertyPlaybackDuration] = durationSeconds
    values[MPNowPlayingInfoPropertyElapsedPlaybackTime] = elapsedSeconds
    values[MPNowPlayingInfoPropertyPlaybackRate] = rate
    return values
  }

  private static func number(_ value: Any?) -> Double? {
    let number: Double? =
      switch value {
      case let number as NSNumber: number.doubleValue
      case let number as Double: number
      case let number as Int: Double(number)
      default: nil
      }
    return number.flatMap { $0.isFinite && abs($0) < 1e9 ? $0 : nil }
  }
}
