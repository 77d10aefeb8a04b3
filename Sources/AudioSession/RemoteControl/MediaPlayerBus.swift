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
  }

  private let player: OpaquePointer
  private let ended = DispatchSemaphore(value: 0)
  private let isOver = NIOLockedValueBox(false)
  private let onCommand: @Sendable (RemoteCommandCall) -> Void

  /// Joins the bus; nil where there is none.
  ///
  /// - Parameters:
  ///   - app: The app's name.
  ///   - onCommand: Hears what remote controls ask for, on the bus's thread; must not block.
  init?(app: String, onCommand: @escaping @Sendable (RemoteCommandCall) -> Void) {
    self.onCommand = onCommand
    // The handler finds its way back by this, which the thread below keeps alive.
    let callback = Callback(onCommand)
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
    unsafe Self.withCStrings([facts.status, info?.title, info?.artist, info?.album]) { texts in
      var told = unsafe media_player_facts()
      unsafe told.status = texts[0]
      unsafe told.title = texts[1]
      unsafe told.artist = texts[2]
      unsafe told.album = texts[3]
      unsafe told.length_microseconds = Self.microseconds(info?.durationSeconds)
      unsafe told.position_microseconds = positionSeconds.map { Self.microseconds($0) } ?? -1
      unsafe told.rate = info?.rate ?? 1
      unsafe told.can_play = facts.canPlay
      unsafe told.can_pause = facts.canPause
      unsafe told.can_go_next = facts.canGoNext
      unsafe told.can_go_previous = facts.canGoPrevious
      unsafe told.can_seek = facts.canSeek
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

  init(_ onCommand: @escaping @Sendable (RemoteCommandCall) -> Void) { self.onCommand = onCommand }
}

@c(multiroute_media_player_called)
private func mediaPlayerCalled(
  _ context: UnsafeMutableRawPointer?,
  _ command: Int32,
  _ microseconds: Int64,
) {
  guard let context = unsafe context else { return }
  let callback = unsafe Unmanaged<Callback>.fromOpaque(context).takeUnretainedValue()
  let names = ["play", "pause", "toggle", "stop", "next", "previous", "seek"]
  guard names.indices.contains(Int(command)) else { return }
  let seconds = command == 6 ? Double(microseconds) / 1e6 : nil
  callback.onCommand(RemoteCommandCall(names[Int(command)], seconds: seconds))
}
