// SPDX-License-Identifier: MIT

internal import Foundation
internal import NIOConcurrencyHelpers
internal import Sessions
internal import SystemSupport

/// The app's music player: a queue of files, each with an `AVAudioPlayer` that shares the session of the queue (PLR-1).
///
/// The session is active from the first piece to the last one. As the system's player it resumes by itself after an
/// interruption, and remote controls reach it (VOL-2). [any-thread] except an audio thread.
final class QueuePlayer: MusicPlaying {
  private struct State {
    var items: [MPMediaItem] = []
    var index = 0
    var player: AVAudioPlayer?
    var isPaused = false
    var repeatMode = MPMusicRepeatMode.default
    var tell: @Sendable (NSNotification.Name) -> Void = { _ in }
  }

  private let box = NIOLockedValueBox(State())
  /// Changes run one after the other.
  private let lock = NSRecursiveLock()
  private let ends = QueueEnds()
  private let session: SideSession
  private let bus: MusicBus

  init() {
    let queue = Reference()
    session = .ofMusic { queue.value?.heard($0) }
    bus = MusicBus(
      onCommand: { command in
        // Without a host there is no session to receive it.
        try? queue.value?.session.send(command)
      },
      onMode: { mode in
        if case .repetition(let type) = mode { queue.value?.repeatMode = MPMusicRepeatMode(type) }
      },
      onVolume: { amplitude in
        try? queue.value?.session.setVolume(amplitude)
        queue.value?.show()
      },
      volume: { queue.value?.session.volume ?? 1 },
    )
    queue.value = self
    ends.onEnd = { queue.value?.pieceEnded() }
  }

  func onChange(_ tell: @escaping @Sendable (NSNotification.Name) -> Void) {
    box.withLockedValue { $0.tell = tell }
  }

  /// Tells the app and the remote controls of a change.
  private func tell(_ name: NSNotification.Name) {
    box.withLockedValue { $0.tell }(name)
    show()
  }

  // MARK: - The queue

  var item: MPMediaItem? {
    box.withLockedValue { $0.items.indices.contains($0.index) ? $0.items[$0.index] : nil }
  }

  var index: Int? {
    box.withLockedValue { $0.items.indices.contains($0.index) ? $0.index : nil }
  }

  var repeatMode: MPMusicRepeatMode {
    get { box.withLockedValue { $0.repeatMode } }
    set {
      box.withLockedValue { state in
        state.repeatMode = newValue
        state.player?.numberOfLoops = newValue == .one ? -1 : 0
      }
      show()
    }
  }

  func setQueue(_ items: [MPMediaItem]) {
    lock.withLock {
      leavePiece()
      // Nothing plays, so others may. Without a session there is nothing to end.
      try? session.deactivate()
      box.withLockedValue {
        $0.items = items
        $0.index = 0
        $0.isPaused = false
      }
      tell(.MPMusicPlayerControllerNowPlayingItemDidChange)
    }
  }

  func go(to item: MPMediaItem) {
    guard let place = box.withLockedValue({ $0.items.firstIndex { $0 === item } }) else { return }
    move(to: place)
  }

  func skip(by count: Int) {
    guard let place = next(count) else { return stop() }
    move(to: place)
  }

  /// The place of another piece; nil behind the last one.
  private func next(_ count: Int) -> Int? {
    box.withLockedValue { state in
      guard !state.items.isEmpty else { return nil }
      let place = max(0, state.index + count)
      if place < state.items.count { return place }
      return state.repeatMode == .all ? 0 : nil
    }
  }

  private func move(to place: Int) {
    lock.withLock {
      let isPlaying = state == .playing
      leavePiece()
      box.withLockedValue { $0.index = place }
      tell(.MPMusicPlayerControllerNowPlayingItemDidChange)
      if isPlaying { play() }
    }
  }

  private func leavePiece() {
    let old = box.withLockedValue { state -> AVAudioPlayer? in
      defer { state.player = nil }
      return state.player
    }
    old?.stop()
    old?.move(to: nil)
  }

  private func pieceEnded() {
    lock.withLock {
      guard let place = next(1) else { return stop() }
      leavePiece()
      box.withLockedValue { $0.index = place }
      tell(.MPMusicPlayerControllerNowPlayingItemDidChange)
      play()
    }
  }

  // MARK: - The session and remote controls

  /// Handles an event of the session; called on the session's event thread.
  private func heard(_ event: SessionEvent) {
    if case .remoteCommand(let command) = event {
      carryOut(command)
      return
    }
    lock.withLock {
      let before = state
      box.withLockedValue { $0.player }?.heard(event)
      if case .interruptionEnded(_, _, let held) = event {
        for command in held where !command.isTransport { carryOut(command) }
      }
      let now = state
      guard before != now else { return }
      // A piece that its device or an interruption has left silent keeps nobody else silent.
      guard now == .playing || now == .interrupted else { return paused() }
      tell(.MPMusicPlayerControllerPlaybackStateDidChange)
    }
  }

  private func carryOut(_ command: RemoteCommand) {
    switch command {
    case .play: play()
    case .pause: pause()
    case .toggle: state == .playing ? pause() : play()
    case .stop: stop()
    case .next: skip(by: 1)
    case .previous: skip(by: -1)
    case .seek(let place): seconds = place
    case .skipForward(let distance): seconds += distance
    case .skipBackward(let distance): seconds = max(0, seconds - distance)
    case .rate, .record: break
    }
  }

  /// Shows remote controls the piece, or that there is none.
  private func show() {
    let state = state
    guard state != .stopped, let item else { return bus.show(nil) }
    var facts = MediaPlayerBus.Facts()
    facts.status = state == .playing ? "Playing" : "Paused"
    var info: [String: Any] = [
      MPNowPlayingInfoPropertyElapsedPlaybackTime: seconds,
      MPNowPlayingInfoPropertyPlaybackRate: state == .playing ? 1 : 0,
    ]
    info[MPMediaItemPropertyTitle] = item.title
    info[MPMediaItemPropertyArtist] = item.artist
    info[MPMediaItemPropertyAlbumTitle] = item.albumTitle
    info[MPMediaItemPropertyPlaybackDuration] = box.withLockedValue { $0.player }?.duration
    facts.info = NowPlayingInfo(info)
    (facts.canPlay, facts.canPause, facts.canSeek, facts.canSkip) = (true, true, true, true)
    facts.canGoNext = next(1) != nil
    facts.canGoPrevious = true
    facts.repetition = MPRepeatType(repeatMode)
    bus.show(facts)
  }

  // MARK: - Playing

  var state: MPMusicPlaybackState {
    let (player, isPaused) = box.withLockedValue { ($0.player, $0.isPaused) }
    guard let player else { return isPaused ? .paused : .stopped }
    if player.isPlaying { return .playing }
    if player.isInterrupted { return .interrupted }
    return isPaused ? .paused : .stopped
  }

  var seconds: TimeInterval {
    get { box.withLockedValue { $0.player }?.currentTime ?? 0 }
    set {
      box.withLockedValue { $0.player }?.currentTime = newValue
      show()
    }
  }

  func prepare() { _ = piece() }

  /// The player of the current piece; a piece that cannot be played is passed over.
  private func piece() -> AVAudioPlayer? {
    lock.withLock {
      if let player = box.withLockedValue({ $0.player }) { return player }
      while let url = item?.assetURL {
        if let player = try? AVAudioPlayer(contentsOf: url) {
          player.move(to: session)
          player.resumesAutomatically = true
          player.numberOfLoops = repeatMode == .one ? -1 : 0
          player.delegate = ends
          box.withLockedValue { $0.player = player }
          return player
        }
        let place = box.withLockedValue { $0.index + 1 }
        guard place < box.withLockedValue({ $0.items.count }) else { return nil }
        box.withLockedValue { $0.index = place }
        tell(.MPMusicPlayerControllerNowPlayingItemDidChange)
      }
      return nil
    }
  }

  func play() {
    lock.withLock {
      guard piece()?.play() == true else { return }
      box.withLockedValue { $0.isPaused = false }
      tell(.MPMusicPlayerControllerPlaybackStateDidChange)
    }
  }

  func pause() {
    lock.withLock {
      guard let player = box.withLockedValue({ $0.player }) else { return }
      player.pause()
      paused()
    }
  }

  /// Notes that the piece is paused; sessions that it interrupted may resume.
  private func paused() {
    box.withLockedValue { $0.isPaused = true }
    // Without a host there is nothing to end.
    try? session.deactivate()
    tell(.MPMusicPlayerControllerPlaybackStateDidChange)
  }

  func stop() {
    lock.withLock {
      leavePiece()
      session.close()
      box.withLockedValue {
        $0.index = 0
        $0.isPaused = false
      }
      tell(.MPMusicPlayerControllerPlaybackStateDidChange)
    }
  }
}

extension QueuePlayer {
  /// A reference to the queue, which its session and its bus hold weakly. [any-thread]
  private final class Reference: Sendable {
    private let box = NIOLockedValueBox<WeakBox<QueuePlayer>?>(nil)

    var value: QueuePlayer? {
      get { box.withLockedValue { $0?.value } }
      set { box.withLockedValue { $0 = newValue.map { WeakBox($0) } } }
    }
  }
}

extension MPMusicRepeatMode {
  /// The same repetition as remote controls name it.
  fileprivate init(_ type: MPRepeatType) {
    self =
      switch type {
      case .off: .none
      case .one: .one
      case .all: .all
      }
  }
}

extension MPRepeatType {
  /// The same repetition as music players name it.
  fileprivate init(_ mode: MPMusicRepeatMode) {
    self =
      switch mode {
      case .default, .none: .off
      case .one: .one
      case .all: .all
      }
  }
}

/// Hands the ends of pieces to the queue. [any-thread]
private final class QueueEnds: NSObject, AVAudioPlayerDelegate, @unchecked Sendable {
  private let box = NIOLockedValueBox<@Sendable () -> Void>({})

  var onEnd: @Sendable () -> Void {
    get { box.withLockedValue { $0 } }
    set { box.withLockedValue { $0 = newValue } }
  }

  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) { onEnd() }
}
