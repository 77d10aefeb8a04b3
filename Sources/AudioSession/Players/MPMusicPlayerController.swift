// SPDX-License-Identifier: MIT

public import Foundation

/// A music player with a session of its own, provided by the system (PLR-1, PLR-4).
///
/// ``applicationMusicPlayer`` plays files of the app beside the app's own audio: other sessions interrupt and lower it, those of
/// this app too. ``systemMusicPlayer`` is the player of the desktop that plays, or played last, such as a radio or mpv, over
/// MPRIS. [any-thread] except an audio thread; calls of the system player wait for it, two seconds at most.
open class MPMusicPlayerController: NSObject, @unchecked Sendable {
  private static let application = MPMusicPlayerController(QueuePlayer())
  private static let system = MPMusicPlayerController(DesktopPlayer())

  private let player: any MusicPlaying

  private init(_ player: any MusicPlaying) {
    self.player = player
    super.init()
    player.onChange { [weak self] name in
      let controller = self
      SessionController.shared.onMain {
        NotificationCenter.default.post(name: name, object: controller)
      }
    }
  }

  /// The player of this app, which ends with it.
  public class var applicationMusicPlayer: MPMusicPlayerController { application }
  /// The player of this app, whose queue the app may change.
  public class var applicationQueuePlayer: MPMusicPlayerController { application }
  /// The player of the desktop.
  public class var systemMusicPlayer: MPMusicPlayerController { system }
  /// Old name of ``systemMusicPlayer``.
  @available(*, deprecated, renamed: "systemMusicPlayer")
  public class var iPodMusicPlayer: MPMusicPlayerController { system }

  // MARK: - The queue

  /// Sets the pieces to play; without effect on the system's player, which has its own.
  /// [control-thread]
  open func setQueue(with collection: MPMediaItemCollection) { player.setQueue(collection.items) }

  /// The current piece, nil without one; setting it goes to that piece of the queue.
  open var nowPlayingItem: MPMediaItem? {
    get { player.item }
    set { if let newValue { player.go(to: newValue) } }
  }

  /// The place of the current piece in the queue; `NSNotFound` without one.
  open var indexOfNowPlayingItem: Int { player.index ?? NSNotFound }

  /// The repetition of the piece or the queue.
  open var repeatMode: MPMusicRepeatMode {
    get { player.repeatMode }
    set { player.repeatMode = newValue }
  }

  // MARK: - Playing

  /// The state.
  open var playbackState: MPMusicPlaybackState { player.state }

  /// Whether a piece is ready to be played.
  open var isPreparedToPlay: Bool { player.item != nil }

  /// Makes the first piece of the queue ready.
  /// [control-thread]
  open func prepareToPlay() { player.prepare() }

  /// Plays from the current place; others that do not mix are interrupted.
  /// [control-thread]
  open func play() { player.play() }

  /// Pauses.
  /// [control-thread]
  open func pause() { player.pause() }

  /// Stops, and goes back to the beginning of the queue.
  /// [control-thread]
  open func stop() { player.stop() }

  /// Goes to the next piece.
  /// [control-thread]
  open func skipToNextItem() { player.skip(by: 1) }

  /// Goes to the beginning of the piece.
  /// [control-thread]
  open func skipToBeginning() { player.seconds = 0 }

  /// Goes to the piece before.
  /// [control-thread]
  open func skipToPreviousItem() { player.skip(by: -1) }

  /// The place in the piece, in seconds.
  open var currentPlaybackTime: TimeInterval {
    get { player.seconds }
    set { player.seconds = newValue.isFinite ? max(0, newValue) : 0 }
  }

  /// 1 while it plays, otherwise 0; setting 0 pauses, any other rate plays.
  open var currentPlaybackRate: Float {
    get { playbackState == .playing ? 1 : 0 }
    set { newValue == 0 ? pause() : play() }
  }

  /// Without effect: notifications of the app's player are always posted.
  open func beginGeneratingPlaybackNotifications() {}
  /// Without effect.
  open func endGeneratingPlaybackNotifications() {}
}

/// The player behind a ``MPMusicPlayerController``.
///
/// [any-thread] except an audio thread.
protocol MusicPlaying: AnyObject, Sendable {
  /// The current piece.
  var item: MPMediaItem? { get }
  /// The place of the current piece in the queue.
  var index: Int? { get }
  var state: MPMusicPlaybackState { get }
  var repeatMode: MPMusicRepeatMode { get set }
  /// The place in the current piece.
  var seconds: TimeInterval { get set }
  /// Calls a closure with the name of each notification that is due.
  func onChange(_ tell: @escaping @Sendable (NSNotification.Name) -> Void)
  func setQueue(_ items: [MPMediaItem])
  func go(to item: MPMediaItem)
  func skip(by count: Int)
  func prepare()
  func play()
  func pause()
  func stop()
}
