// SPDX-License-Identifier: MIT

internal import SystemSupport

/// Players on the user's session bus that can be paused (MPRIS).
///
/// Pure value: [any-thread]. A call can take as long as the player takes to answer, up to five seconds.
struct PlayerBus: Sendable {
  /// A player, by its name on the bus.
  struct Name: Sendable, Hashable {
    let text: String
  }

  /// A command that players understand.
  enum Command: String, Sendable {
    case pause = "Pause"
    case play = "Play"
    case toggle = "PlayPause"
    case stop = "Stop"
    case next = "Next"
    case previous = "Previous"
  }

  private static let prefix = "org.mpris.MediaPlayer2."
  private static let object = "/org/mpris/MediaPlayer2"
  private static let interface = "org.mpris.MediaPlayer2.Player"

  private let bus = DBus(limit: .seconds(5))

  /// Finds the player of a program.
  ///
  /// - Parameters:
  ///   - pid: The program's process if known; a player of that process comes first.
  ///   - names: Other names of the program; upper and lower case count as equal.
  /// - Returns: The player; nil if it has none, or if there is no bus.
  func player(pid: Int32?, names: [String]) async -> Name? {
    let wanted = names.map { $0.lowercased() }
    let found = try? await bus.perform { connection throws(DBusError) -> String? in
      let players = try Self.names(on: connection).filter { $0.hasPrefix(Self.prefix) }
      for player in players where pid != nil {
        if try Self.process(of: player, on: connection) == pid { return player }
      }
      return players.first { player in
        // `org.mpris.MediaPlayer2.mpv.instance42`
        let name = player.dropFirst(Self.prefix.count).split(separator: ".").first
        return name.map { wanted.contains($0.lowercased()) } ?? false
      }
    }
    return found.map { Name(text: $0) }
  }

  /// Whether a player plays; nil if it does not answer.
  func isPlaying(_ player: Name) async -> Bool? {
    let status = try? await bus.perform { connection throws(DBusError) in
      try connection.property(
        "PlaybackStatus",
        of: player.text,
        path: Self.object,
        interface: Self.interface,
      )
    }
    return status?.text.map { $0 == "Playing" }
  }

  /// Sends a command to a player.
  ///
  /// - Returns: Whether the player accepted it.
  func call(_ command: Command, _ player: Name) async -> Bool {
    let method = DBusMethod(
      destination: player.text,
      path: Self.object,
      interface: Self.interface,
      name: command.rawValue,
    )
    return (try? await bus.call(method)) != nil
  }

  /// Sets the speed of a player; 1 is normal.
  ///
  /// - Returns: Whether the player accepted it.
  func setRate(_ factor: Double, _ player: Name) async -> Bool {
    let method = DBusMethod(
      destination: player.text,
      path: Self.object,
      interface: "org.freedesktop.DBus.Properties",
      name: "Set",
    )
    let arguments: [DBusValue] = [
      .string(Self.interface), .string("Rate"), .variant(.double(factor)),
    ]
    return (try? await bus.call(method, arguments)) != nil
  }

  // MARK: - The bus itself

  private static func names(on connection: borrowing DBusConnection) throws(DBusError) -> [String] {
    try connection.call(daemon("ListNames")).first?.elements?.compactMap(\.text) ?? []
  }

  /// The process of a name; nil if it has left the bus in the meantime.
  private static func process(
    of name: String,
    on connection: borrowing DBusConnection,
  ) throws(DBusError) -> Int32? {
    do throws(DBusError) {
      let reply = try connection.call(daemon("GetConnectionUnixProcessID"), [.string(name)])
      return reply.first?.integer.flatMap { Int32(exactly: $0) }
    } catch {
      guard error.name == "org.freedesktop.DBus.Error.NameHasNoOwner" else { throw error }
      return nil
    }
  }

  private static func daemon(_ method: String) -> DBusMethod {
    DBusMethod(
      destination: "org.freedesktop.DBus",
      path: "/org/freedesktop/DBus",
      interface: "org.freedesktop.DBus",
      name: method,
    )
  }
}
