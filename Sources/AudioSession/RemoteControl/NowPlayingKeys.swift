// SPDX-License-Identifier: MIT

/// The title, a `String`.
public let MPMediaItemPropertyTitle = "title"
/// The artist, a `String`.
public let MPMediaItemPropertyArtist = "artist"
/// The album, a `String`.
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// The artist of the whole album, a `String`.
public let MPMediaItemPropertyAlbumArtist = "albumArtist"
/// Who composed it, a `String`.
public let MPMediaItemPropertyComposer = "composer"
/// The genre, a `String`.
public let MPMediaItemPropertyGenre = "genre"
/// Its number in the album, a number.
public let MPMediaItemPropertyAlbumTrackNumber = "albumTrackNumber"
/// The picture, an ``MPMediaItemArtwork``.
public let MPMediaItemPropertyArtwork = "artwork"
/// The length in seconds, a number.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// The place when the information was set, in seconds, a number.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime =
  "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// How fast the place moves: 1 is normal, a number.
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"
/// How fast it plays when nobody has chosen, a number; what ``MPNowPlayingInfoPropertyPlaybackRate`` is where that is missing.
public let MPNowPlayingInfoPropertyDefaultPlaybackRate =
  "MPNowPlayingInfoPropertyDefaultPlaybackRate"
/// Whether it is a live stream, whose length remote controls do not show, a `Bool`.
public let MPNowPlayingInfoPropertyIsLiveStream = "MPNowPlayingInfoPropertyIsLiveStream"
/// What kind of thing plays, the `rawValue` of an ``MPNowPlayingInfoMediaType``.
public let MPNowPlayingInfoPropertyMediaType = "MPNowPlayingInfoPropertyMediaType"
