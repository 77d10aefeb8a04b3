// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import FoundationEssentials

/// Players on the user's D-Bus that can be paused: MPRIS, by the tool of systemd.
///
/// Slow, as each call runs a tool; never on the way of the audio.
struct PlayerBus: Sendable {
  /// A player, by the name it has on the bus.
  struct Name: Sendable, Hashable {
    let text: String
  }

  private static let prefix = "org.mpris.MediaPlayer2."
  private static let object = "/org/mpris/MediaPlayer2"
  private static let interface = "org.mpris.MediaPlayer2.Player"

  private let tool = ToolProcess(name: "busctl", package: "systemd")

  /// The player that a program is.
  ///
  /// - Parameters:
  ///   - pid: The program's process, where it is known: that decides.
  ///   - names: What it may be called otherwise, without regard to case.
  /// - Returns: Nil where it has no player, or there is no bus.
  func player(pid: Int32?, names: [String]) async -> Name? {
    guard let output = try? await tool.run(["--user", "--json=short", "--no-pager", "list"]),
      output.exitCode == 0,
      let entries = try? JSONDecoder().decode(
        [Entry].self,
        from: Data(output.standardOutput.utf8),
      )
    else { return nil }
    let players = entries.filter { $0.name.hasPrefix(Self.prefix) }
    let wanted = names.map { $0.lowercased() }
    let found =
      players.first { pid != nil && $0.pid == pid }
      ?? players.first { player in
        // `org.mpris.MediaPlayer2.mpv.instance42`
        let name = player.name.dropFirst(Self.prefix.count).split(separator: ".").first
        return name.map { wanted.contains($0.lowercased()) } ?? false
      }
    return found.map { Name(text: $0.name) }
  }

  /// Whether a player plays; nil where it does not say.
  func isPlaying(_ player: Name) async -> Bool? {
    let arguments = ["get-property", player.text, Self.object, Self.interface, "PlaybackStatus"]
    guard let output = try? await tool.run(["--user"] + arguments), output.exitCode == 0 else {
      return nil
    }
    return output.standardOutput.contains("\"Playing\"")
  }

  /// Has a player pause or go on.
  ///
  /// - Returns: Whether it has taken the call.
  func call(_ command: Command, _ player: Name) async -> Bool {
    let arguments = ["call", player.text, Self.object, Self.interface, command.rawValue]
    return (try? await tool.run(["--user"] + arguments))?.exitCode == 0
  }

  /// What a player can be asked for.
  enum Command: String, Sendable {
    case pause = "Pause"
    case play = "Play"
    case toggle = "PlayPause"
    case stop = "Stop"
    case next = "Next"
    case previous = "Previous"
  }

  private struct Entry: Decodable {
    let name: String
    let pid: Int32?
  }
}
