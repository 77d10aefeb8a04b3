// SPDX-License-Identifier: MIT

internal import Foundation

/// The facts about the current item, read from the app's dictionary.
///
/// Pure value: [any-thread].
struct NowPlayingInfo: Hashable, Sendable {
  var title: String?
  var artist: String?
  var album: String?
  var albumArtist: String?
  var composer: String?
  var genre: String?
  var trackNumber: Int?
  var artwork: MPMediaItemArtwork?
  var durationSeconds: Double?
  var elapsedSeconds: Double?
  var rate: Double?
  var defaultRate: Double?
  var isLiveStream: Bool?
  var mediaType: MPNowPlayingInfoMediaType?

  init(_ values: [String: Any]) {
    title = values[MPMediaItemPropertyTitle] as? String
    artist = values[MPMediaItemPropertyArtist] as? String
    album = values[MPMediaItemPropertyAlbumTitle] as? String
    albumArtist = values[MPMediaItemPropertyAlbumArtist] as? String
    composer = values[MPMediaItemPropertyComposer] as? String
    genre = values[MPMediaItemPropertyGenre] as? String
    trackNumber = Self.number(values[MPMediaItemPropertyAlbumTrackNumber])
      .flatMap { Int32(exactly: $0) }.map(Int.init)
    artwork = values[MPMediaItemPropertyArtwork] as? MPMediaItemArtwork
    durationSeconds = Self.number(values[MPMediaItemPropertyPlaybackDuration])
    elapsedSeconds = Self.number(values[MPNowPlayingInfoPropertyElapsedPlaybackTime])
    rate = Self.number(values[MPNowPlayingInfoPropertyPlaybackRate])
    defaultRate = Self.number(values[MPNowPlayingInfoPropertyDefaultPlaybackRate])
    isLiveStream = Self.flag(values[MPNowPlayingInfoPropertyIsLiveStream])
    mediaType = Self.number(values[MPNowPlayingInfoPropertyMediaType])
      .flatMap { UInt(exactly: $0) }.flatMap(MPNowPlayingInfoMediaType.init(rawValue:))
  }

  var values: [String: Any] {
    var values: [String: Any] = [:]
    values[MPMediaItemPropertyTitle] = title
    values[MPMediaItemPropertyArtist] = artist
    values[MPMediaItemPropertyAlbumTitle] = album
    values[MPMediaItemPropertyAlbumArtist] = albumArtist
    values[MPMediaItemPropertyComposer] = composer
    values[MPMediaItemPropertyGenre] = genre
    values[MPMediaItemPropertyAlbumTrackNumber] = trackNumber
    values[MPMediaItemPropertyArtwork] = artwork
    values[MPMediaItemPropertyPlaybackDuration] = durationSeconds
    values[MPNowPlayingInfoPropertyElapsedPlaybackTime] = elapsedSeconds
    values[MPNowPlayingInfoPropertyPlaybackRate] = rate
    values[MPNowPlayingInfoPropertyDefaultPlaybackRate] = defaultRate
    values[MPNowPlayingInfoPropertyIsLiveStream] = isLiveStream
    values[MPNowPlayingInfoPropertyMediaType] = mediaType?.rawValue
    return values
  }

  private static func number(_ value: Any?) -> Double? {
    let number: Double? =
      switch value {
      case let number as NSNumber: number.doubleValue
      case let number as Double: number
      case let number as Float: Double(number)
      case let number as Int: Double(number)
      case let number as UInt: Double(number)
      default: nil
      }
    return number.flatMap { $0.isFinite && abs($0) < 1e9 ? $0 : nil }
  }

  private static func flag(_ value: Any?) -> Bool? {
    (value as? NSNumber)?.boolValue ?? (value as? Bool)
  }
}
