// SPDX-License-Identifier: MIT

public import Foundation

/// A piece of media: a file of the user's, or what a player of the desktop says of its current piece.
///
/// Immutable: [any-thread].
open class MPMediaItem: NSObject, @unchecked Sendable {
  /// The file; nil if it is not known.
  public let assetURL: URL?
  /// The title.
  public let title: String?
  /// The artist.
  public let artist: String?
  /// The album.
  public let albumTitle: String?
  /// The duration in seconds; 0 if it is not known.
  public let playbackDuration: TimeInterval

  /// Makes an item.
  ///
  /// Not in the SDK, where items come from the user's library.
  /// - Parameters:
  ///   - assetURL: A sound file.
  ///   - title: The title; nil for the file's name.
  ///   - artist: The artist.
  ///   - albumTitle: The album.
  ///   - playbackDuration: The duration in seconds.
  public init(
    assetURL: URL?,
    title: String? = nil,
    artist: String? = nil,
    albumTitle: String? = nil,
    playbackDuration: TimeInterval = 0,
  ) {
    self.assetURL = assetURL
    self.title = title ?? assetURL?.deletingPathExtension().lastPathComponent
    self.artist = artist
    self.albumTitle = albumTitle
    self.playbackDuration = playbackDuration
  }
}

/// Pieces of media in order.
///
/// Immutable: [any-thread].
open class MPMediaItemCollection: NSObject, @unchecked Sendable {
  /// The pieces.
  public let items: [MPMediaItem]

  /// Makes a collection.
  public init(items: [MPMediaItem]) { self.items = items }

  /// The number of pieces.
  public var count: Int { items.count }

  /// The first piece; nil without any.
  public var representativeItem: MPMediaItem? { items.first }
}

/// The state of a music player.
public enum MPMusicPlaybackState: Int, Sendable {
  /// It is stopped, or there is none.
  case stopped = 0
  /// It plays.
  case playing = 1
  /// It is paused.
  case paused = 2
  /// It is interrupted.
  case interrupted = 3
  /// It winds forward; never on Linux.
  case seekingForward = 4
  /// It winds back; never on Linux.
  case seekingBackward = 5
}

/// The repetition of a music player.
public enum MPMusicRepeatMode: Int, Sendable {
  /// The user's choice: nothing.
  case `default` = 0
  /// Nothing.
  case none = 1
  /// The current piece.
  case one = 2
  /// The queue.
  case all = 3
}

extension NSNotification.Name {
  /// A music player began, paused or stopped; posted on the main thread. [any-thread]
  public static let MPMusicPlayerControllerPlaybackStateDidChange = NSNotification.Name(
    "MPMusicPlayerControllerPlaybackStateDidChangeNotification"
  )
  /// A music player went to another piece; posted on the main thread. [any-thread]
  public static let MPMusicPlayerControllerNowPlayingItemDidChange = NSNotification.Name(
    "MPMusicPlayerControllerNowPlayingItemDidChangeNotification"
  )
}
