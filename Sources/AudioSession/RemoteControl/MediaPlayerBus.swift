// SPDX-License-Identifier: MIT

internal import CMediaPlayer
internal import Foundation
internal import NIOConcurrencyHelpers

/// The app as a player on the user's message bus (MPRIS), from its making on until ``close()``.
@safe
final class MediaPlayerBus: @unchecked Sendable {
  /// What remote controls are told.
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
    /// As an amplitude.
    var volume = 1.0
  }

  private let player: OpaquePointer
  private let ended = DispatchSemaphore(value: 0)
  private let isOver = NIOLockedValueBox(false)

  /// Joins the bus; nil where there is none.
  ///
  /// - Parameters:
  ///   - app: The app's name.
  ///   - onCommand: Hears what remote controls ask for, on the bus's thread; must not block.
  ///   - onVolume: Hears the volume asked for, an amplitude of 0 to 1; as `onCommand`.
  init?(
    app: String,
    onCommand: @escaping @Sendable (RemoteCommandCall) -> Void,
    onVolume: @escaping @Sendable (Double) -> Void,
  ) {
    // The handler finds its way back by this, which the thread below keeps alive.
    let callback = Callback(onCommand: onCommand, onVolume: onVolume)
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

  /// Whether the bus has gone.
  var hasEnded: Bool { isOver.withLockedValue { $0 } }

  /// Changes what remote controls are told; without a place it stays where it is.
  func update(_ facts: Facts, positionSeconds: Double?) {
    let info = facts.info
    let texts = [
      facts.status, info?.title, info?.artist, info?.album, info?.albumArtist, info?.composer,
      info?.genre, info?.artwork?.absoluteString,
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

/// Where the bus's calls go.
private final class Callback: Sendable {
  let onCommand: @Sendable (RemoteCommandCall) -> Void
  let onVolume: @Sendable (Double) -> Void

  init(
    onCommand: @escaping @Sendable (RemoteCommandCall) -> Void,
    onVolume: @escaping @Sendable (Double) -> Void,
  ) {
    self.onCommand = onCommand
    self.onVolume = onVolume
  }
}

/// Takes what a remote control asks for, as `media_player_command` numbers it.
@c(multiroute_media_player_called)
private func mediaPlayerCalled(
  _ context: UnsafeMutableRawPointer?,
  _ command: Int32,
  _ value: Double,
) {
  guard let context = unsafe context else { return }
  let callback = unsafe Unmanaged<Callback>.fromOpaque(context).takeUnretainedValue()
  let names = ["play", "pause", "toggle", "stop", "next", "previous"]
  switch Int(command) {
  case names.indices: callback.onCommand(RemoteCommandCall(names[Int(command)]))
  case 6: callback.onCommand(RemoteCommandCall("seek", seconds: value / 1e6))
  case 7:
    let name = value < 0 ? "skipBackward" : "skipForward"
    callback.onCommand(RemoteCommandCall(name, seconds: abs(value) / 1e6))
  case 8: callback.onCommand(RemoteCommandCall("rate", rate: value))
  case 9: callback.onVolume(value)
  default: break
  }
}
