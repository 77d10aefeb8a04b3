// SPDX-License-Identifier: MIT

internal import Foundation
internal import NIOConcurrencyHelpers
internal import SystemSupport

/// The music player of the desktop over MPRIS: one that plays, else the one that was used last, else the first.
///
/// It has its own session, or one that the host gave it by adoption. [any-thread] except an audio thread.
final class DesktopPlayer: MusicPlaying {
  private static let prefix = "org.mpris.MediaPlayer2."
  private static let object = "/org/mpris/MediaPlayer2"
  private static let interface = "org.mpris.MediaPlayer2.Player"

  private let last = NIOLockedValueBox<String?>(nil)
  private let tell = NIOLockedValueBox<@Sendable (NSNotification.Name) -> Void>({ _ in })

  // MARK: - The bus

  /// Makes calls to the player; nil without a bus or a player, or without an answer within two seconds.
  private func perform<Value>(
    _ body: (borrowing DBusConnection, String) throws(DBusError) -> Value?
  ) -> Value? {
    do throws(DBusError) {
      let connection = try DBusConnection.open(limit: .seconds(2))
      guard let name = try player(on: connection) else { return nil }
      return try body(connection, name)
    } catch {
      // As on a machine without a player.
      return nil
    }
  }

  /// The name of the player on the bus; nil without one.
  private func player(on connection: borrowing DBusConnection) throws(DBusError) -> String? {
    let daemon = DBusMethod(
      destination: "org.freedesktop.DBus",
      path: "/org/freedesktop/DBus",
      interface: "org.freedesktop.DBus",
      name: "ListNames",
    )
    // This app is no player of the desktop.
    let own = ".instance\(ProcessInfo.processInfo.processIdentifier)"
    let names = (try connection.call(daemon).first?.elements ?? []).compactMap(\.text)
      .filter { $0.hasPrefix(Self.prefix) && !$0.hasSuffix(own) }.sorted()
    var playing: [String] = []
    for name in names
    where Self.property("PlaybackStatus", of: name, on: connection)?.text == "Playing" {
      playing.append(name)
    }
    let before = last.withLockedValue { $0 }.flatMap { names.contains($0) ? $0 : nil }
    let player: String?
    if let before, playing.isEmpty || playing.contains(before) {
      player = before
    } else {
      player = playing.first ?? names.first
    }
    last.withLockedValue { $0 = player }
    return player
  }

  /// A property of a player; nil for one that has left the bus, or does not have it.
  private static func property(
    _ name: String,
    of player: String,
    on connection: borrowing DBusConnection,
  ) -> DBusValue? {
    do throws(DBusError) {
      return try connection.property(name, of: player, path: object, interface: interface)
    } catch {
      return nil
    }
  }

  private func read(_ name: String) -> DBusValue? {
    perform { connection, player throws(DBusError) -> DBusValue? in
      Self.property(name, of: player, on: connection)
    }
  }

  private func send(_ command: String, _ arguments: [DBusValue] = []) {
    _ = perform { connection, player throws(DBusError) -> Bool? in
      let method = DBusMethod(
        destination: player,
        path: Self.object,
        interface: Self.interface,
        name: command,
      )
      _ = try connection.call(method, arguments)
      return true
    }
  }

  private func set(_ name: String, _ value: DBusValue) {
    _ = perform { connection, player throws(DBusError) -> Bool? in
      let method = DBusMethod(
        destination: player,
        path: Self.object,
        interface: "org.freedesktop.DBus.Properties",
        name: "Set",
      )
      _ = try connection.call(method, [.string(Self.interface), .string(name), .variant(value)])
      return true
    }
  }

  // MARK: - The player

  func onChange(_ tell: @escaping @Sendable (NSNotification.Name) -> Void) {
    self.tell.withLockedValue { $0 = tell }
  }

  /// The facts of the current piece by their MPRIS names.
  private var metadata: [String: DBusValue] {
    var facts: [String: DBusValue] = [:]
    for element in read("Metadata")?.elements ?? [] {
      guard case .entry(let key, let value) = element, let name = key.text else { continue }
      facts[name] = value.inner ?? value
    }
    return facts
  }

  var item: MPMediaItem? {
    let facts = metadata
    guard !facts.isEmpty else { return nil }
    let microseconds = facts["mpris:length"]?.integer ?? 0
    return MPMediaItem(
      assetURL: facts["xesam:url"]?.text.flatMap { URL(string: $0) },
      title: facts["xesam:title"]?.text,
      artist: facts["xesam:artist"]?.elements?.first?.text,
      albumTitle: facts["xesam:album"]?.text,
      playbackDuration: max(0, Double(microseconds) / 1e6),
    )
  }

  var index: Int? { item == nil ? nil : 0 }

  var state: MPMusicPlaybackState {
    switch read("PlaybackStatus")?.text {
    case "Playing": .playing
    case "Paused": .paused
    default: .stopped
    }
  }

  var repeatMode: MPMusicRepeatMode {
    get {
      switch read("LoopStatus")?.text {
      case "Track": .one
      case "Playlist": .all
      default: .none
      }
    }
    set {
      let name =
        switch newValue {
        case .default, .none: "None"
        case .one: "Track"
        case .all: "Playlist"
        }
      set("LoopStatus", .string(name))
    }
  }

  var seconds: TimeInterval {
    get { Double(read("Position")?.integer ?? 0) / 1e6 }
    set {
      let now = seconds
      send("Seek", [.int64(Int64((min(newValue, 1e9) - now) * 1e6))])
    }
  }

  func setQueue(_ items: [MPMediaItem]) {}
  func go(to item: MPMediaItem) {}

  func skip(by count: Int) {
    send(count > 0 ? "Next" : "Previous")
    tell.withLockedValue { $0 }(.MPMusicPlayerControllerNowPlayingItemDidChange)
  }

  func prepare() {}
  func play() { change("Play") }
  func pause() { change("Pause") }
  func stop() { change("Stop") }

  private func change(_ command: String) {
    send(command)
    tell.withLockedValue { $0 }(.MPMusicPlayerControllerPlaybackStateDidChange)
  }
}
