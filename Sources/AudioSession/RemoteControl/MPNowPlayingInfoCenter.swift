// SPDX-License-Identifier: MIT

public import Foundation
internal import NIOConcurrencyHelpers

/// The state of playback that remote controls show.
public enum MPNowPlayingPlaybackState: UInt, Sendable {
  /// The app gives no state: remote controls show whether the session's audio runs.
  case unknown = 0
  /// It plays.
  case playing = 1
  /// It is paused.
  case paused = 2
  /// It is stopped.
  case stopped = 3
  /// It is interrupted; remote controls show it as paused.
  case interrupted = 4
}

/// The information that remote controls show about the app that is now playing. [any-thread]
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

  /// The facts about the current item, by ``MPMediaItemPropertyTitle`` and the like; other keys are dropped.
  public var nowPlayingInfo: [String: Any]? {
    get { box.withLockedValue { $0.info }?.values }
    set {
      let info = newValue.map { NowPlayingInfo($0) }
      box.withLockedValue { $0.info = info }
      RemoteControl.shared.review()
    }
  }

  /// The state of playback; with `unknown`, remote controls show whether the session's audio runs.
  public var playbackState: MPNowPlayingPlaybackState {
    get { box.withLockedValue { $0.playbackState } }
    set {
      box.withLockedValue { $0.playbackState = newValue }
      RemoteControl.shared.review()
    }
  }

  var info: NowPlayingInfo? { box.withLockedValue { $0.info } }
}

/// The title, a `String`.
public let MPMediaItemPropertyTitle = "title"
/// The artist, a `String`.
public let MPMediaItemPropertyArtist = "artist"
/// The album, a `String`.
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// The artist of the whole album, a `String`.
public let MPMediaItemPropertyAlbumArtist = "albumArtist"
/// The composer, a `String`.
public let MPMediaItemPropertyComposer = "composer"
/// The genre, a `String`.
public let MPMediaItemPropertyGenre = "genre"
/// The track's number in the album, a number.
public let MPMediaItemPropertyAlbumTrackNumber = "albumTrackNumber"
/// The picture, an ``MPMediaItemArtwork``.
public let MPMediaItemPropertyArtwork = "artwork"
/// The item's duration in seconds, a number.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// The position in the item when the information was set, in seconds, a number.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime =
  "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// The rate at which the position moves, a number: 1 is normal.
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"
/// The rate of normal playback, a number; used when ``MPNowPlayingInfoPropertyPlaybackRate`` is missing.
public let MPNowPlayingInfoPropertyDefaultPlaybackRate =
  "MPNowPlayingInfoPropertyDefaultPlaybackRate"
/// Whether the item is a live stream, a `Bool`; remote controls show no duration for it.
public let MPNowPlayingInfoPropertyIsLiveStream = "MPNowPlayingInfoPropertyIsLiveStream"
/// The kind of the item: the `rawValue` of an ``MPNowPlayingInfoMediaType``.
public let MPNowPlayingInfoPropertyMediaType = "MPNowPlayingInfoPropertyMediaType"

/// The kind of an item; remote controls on Linux show all kinds alike.
public enum MPNowPlayingInfoMediaType: UInt, Sendable {
  /// The app did not say.
  case none = 0
  /// Audio.
  case audio = 1
  /// Video.
  case video = 2
}

/// Kinds of media.
///
/// Pure value: [any-thread].
public struct MPMediaType: OptionSet, Hashable, Sendable {
  /// The SDK's bits.
  public let rawValue: UInt

  /// Makes a set from the SDK's bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Music.
  public static let music = MPMediaType(rawValue: 1)
  /// Podcasts.
  public static let podcast = MPMediaType(rawValue: 1 << 1)
  /// Books that are read aloud.
  public static let audioBook = MPMediaType(rawValue: 1 << 2)
  /// Lessons as audio.
  public static let audioITunesU = MPMediaType(rawValue: 1 << 3)
  /// All audio.
  public static let anyAudio = MPMediaType(rawValue: 0xFF)
  /// Films.
  public static let movie = MPMediaType(rawValue: 1 << 8)
  /// Parts of series.
  public static let tvShow = MPMediaType(rawValue: 1 << 9)
  /// Podcasts with pictures.
  public static let videoPodcast = MPMediaType(rawValue: 1 << 10)
  /// Music with pictures.
  public static let musicVideo = MPMediaType(rawValue: 1 << 11)
  /// Lessons with pictures.
  public static let videoITunesU = MPMediaType(rawValue: 1 << 12)
  /// The user's own films.
  public static let homeVideo = MPMediaType(rawValue: 1 << 13)
  /// All video.
  public static let anyVideo = MPMediaType(rawValue: 0xFF00)
  /// All media.
  public static let any = MPMediaType(rawValue: .max)
}
