// SPDX-License-Identifier: MIT

internal import CMediaPlayer
internal import Foundation
internal import NIOConcurrencyHelpers
internal import Sessions
internal import SystemSupport

/// The app as a player on the user's message bus (MPRIS), from `init` to ``close()``. [any-thread]
@safe
final class MediaPlayerBus: @unchecked Sendable {
  /// The facts that remote controls show.
  ///
  /// Pure value.
  struct Facts: Hashable, Sendable {
    var status = "Stopped"
    var info: NowPlayingInfo?
    var canPlay = false
    var canPause = false
    var canGoNext = false
    var canGoPrevious = false
    var canSeek = false
    var canSkip = false
    var rates = 1.0...1.0
    var repetition = MPRepeatType.off
    var isShuffled = false
    /// The volume as a linear amplitude, 0 to 1.
    var volume = 1.0
  }

  private let player: OpaquePointer
  private let ended = MonotonicSemaphore(value: 0)
  private let isOver = NIOLockedValueBox(false)

  /// Joins the bus; nil if the user has none.
  ///
  /// - Parameters:
  ///   - app: The app's name.
  ///   - onCommand: Called with each command, on the bus's thread; it must not block.
  ///   - onMode: Called with each requested order or repetition, in the same manner.
  ///   - onVolume: Called with each requested volume, an amplitude of 0 to 1, in the same manner.
  init?(
    app: String,
    onCommand: @escaping @Sendable (RemoteCommand) -> Void,
    onMode: @escaping @Sendable (PlayMode) -> Void,
    onVolume: @escaping @Sendable (Double) -> Void,
  ) {
    // The C handler finds this object by its address; the thread below keeps it alive.
    let callback = Callback(onCommand: onCommand, onMode: onMode, onVolume: onVolume)
    let name = "\(Self.element(app)).instance\(ProcessInfo.processInfo.processIdentifier)"
    var made: OpaquePointer?
    let status = unsafe media_player_open(
      name,
      app,
      mediaPlayerCalled,
      Unmanaged.passUnretained(callback).toOpaque(),
      &made,
    )
    guard status == 0, let made = unsafe made else { return nil }
    unsafe player = made
    let thread = Thread { [self] in
      withExtendedLifetime(callback) { _ = unsafe media_player_run(player) }
      isOver.withLockedValue { $0 = true }
      ended.signal()
    }
    thread.name = "multiroute mpris"
    thread.start()
  }

  /// Whether the connection to the bus has ended.
  var hasEnded: Bool { isOver.withLockedValue { $0 } }

  /// Publishes new facts; with a nil position, remote controls keep counting from the last one.
  func update(_ facts: Facts, positionSeconds: Double?) {
    let info = facts.info
    let texts = [
      facts.status, info?.title, info?.artist, info?.album, info?.albumArtist, info?.composer,
      info?.genre, info?.artwork?.url?.absoluteString,
    ]
    unsafe Self.withCStrings(texts) { texts in
      var told = unsafe media_player_facts()
      unsafe told.status = texts[0]
      unsafe told.title = texts[1]
      unsafe told.artist = texts[2]
      unsafe told.album = texts[3]
      unsafe told.album_artist = texts[4]
      unsafe told.composer = texts[5]
      unsafe told.genre = texts[6]
      unsafe told.art_url = texts[7]
      unsafe told.track_number = Int32(info?.trackNumber ?? 0)
      let isEndless = info?.isLiveStream == true
      unsafe told.length_microseconds = isEndless ? 0 : Self.microseconds(info?.durationSeconds)
      unsafe told.position_microseconds = positionSeconds.map { Self.microseconds($0) } ?? -1
      unsafe told.rate = info?.rate ?? info?.defaultRate ?? 1
      unsafe told.minimum_rate = facts.rates.lowerBound
      unsafe told.maximum_rate = facts.rates.upperBound
      unsafe told.repetition = Int32(facts.repetition.rawValue)
      unsafe told.is_shuffled = facts.isShuffled
      unsafe told.volume = facts.volume
      unsafe told.can_play = facts.canPlay
      unsafe told.can_pause = facts.canPause
      unsafe told.can_go_next = facts.canGoNext
      unsafe told.can_go_previous = facts.canGoPrevious
      unsafe told.can_seek = facts.canSeek
      unsafe told.can_skip = facts.canSkip
      unsafe media_player_update(player, &told)
    }
  }

  /// Leaves the bus; called once.
  func close() {
    unsafe media_player_stop(player)
    ended.wait()
    unsafe media_player_close(player)
  }

  private static func microseconds(_ seconds: Double?) -> Int64 { Int64((seconds ?? 0) * 1e6) }

  /// A bus name's element: letters, digits, `_` and `-`, no digit first.
  private static func element(_ text: String) -> String {
    let allowed = text.map { character in
      character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
        ? character : "_"
    }
    let name = String(allowed.prefix(60))
    return name.first?.isNumber ?? true ? "_" + name : name
  }

  private static func withCStrings(
    _ texts: [String?],
    _ body: ([UnsafePointer<CChar>?]) -> Void,
  ) {
    let copies = unsafe texts.map { unsafe $0.flatMap { unsafe strdup($0) } }
    defer { unsafe copies.forEach { unsafe free($0) } }
    unsafe body(copies.map { unsafe $0.map { unsafe UnsafePointer($0) } })
  }
}

/// The closures that the bus calls.
private final class Callback: Sendable {
  let onCommand: @Sendable (RemoteCommand) -> Void
  let onMode: @Sendable (PlayMode) -> Void
  let onVolume: @Sendable (Double) -> Void

  init(
    onCommand: @escaping @Sendable (RemoteCommand) -> Void,
    onMode: @escaping @Sendable (PlayMode) -> Void,
    onVolume: @escaping @Sendable (Double) -> Void,
  ) {
    self.onCommand = onCommand
    self.onMode = onMode
    self.onVolume = onVolume
  }
}

/// Receives a command by its number in `media_player_command`.
///
/// Called on the bus's thread.
@c(multiroute_media_player_called)
private func mediaPlayerCalled(
  _ context: UnsafeMutableRawPointer?,
  _ command: Int32,
  _ value: Double,
) {
  guard let context = unsafe context else { return }
  let callback = unsafe Unmanaged<Callback>.fromOpaque(context).takeUnretainedValue()
  let plain: [RemoteCommand] = [.play, .pause, .toggle, .stop, .next, .previous]
  switch Int(command) {
  case plain.indices: callback.onCommand(plain[Int(command)])
  case 6: callback.onCommand(.seek(seconds: value / 1e6))
  case 7:
    let seconds = abs(value) / 1e6
    callback.onCommand(
      value < 0 ? .skipBackward(seconds: seconds) : .skipForward(seconds: seconds)
    )
  case 8: callback.onCommand(.rate(factor: value))
  case 9: callback.onVolume(value)
  case 10: MPRepeatType(rawValue: Int(value)).map { callback.onMode(.repetition($0)) }
  case 11: callback.onMode(.order(value == 0 ? .off : .items))
  default: break
  }
}
