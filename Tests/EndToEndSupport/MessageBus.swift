// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestSupport

/// A message bus of the test's own, which this process takes for the user's while it lasts.
final class MessageBus {
  /// The address, for the environment of programs.
  let environment: [String: String]
  private let shell: ShellSession
  private let before: String?

  private static let name = "DBUS_SESSION_BUS_ADDRESS"

  /// Starts the bus.
  init() throws {
    shell = try ShellSession(
      script: """
        dbus-daemon --session --address="$\(Self.name)" --nofork --print-address & read line; kill $!
        """
    )
    environment = shell.environment.filter { $0.key == Self.name }
    before = ProcessInfo.processInfo.environment[Self.name]
    unsafe setenv(Self.name, environment[Self.name] ?? "", 1)
  }

  deinit { stop() }

  /// Waits until the bus answers.
  func isThere() async throws {
    // It says its address when it listens; its socket is there before.
    try await waitUntil("there is a bus") { shell.log.contains("unix:path") }
  }

  /// Ends the bus; the process has the one of before.
  func stop() {
    shell.stop()
    if let before {
      unsafe setenv(Self.name, before, 1)
    } else {
      unsafe unsetenv(Self.name)
    }
  }

  /// Runs playerctl.
  @discardableResult
  func playerctl(_ words: String...) throws -> String { try shell.run(["playerctl"] + words) }

  /// Whether playerctl answers this.
  func says(_ answer: String, _ words: String...) -> Bool {
    (try? shell.run(["playerctl"] + words)) == answer
  }

  /// Sets a property of the only player to a number, as desktop widgets do.
  func set(_ property: String, _ value: String) throws {
    try properties("Set", property, "variant:double:\(value)")
  }

  /// A property of the only player, in the notation of dbus-send.
  func get(_ property: String) throws -> String { try properties("Get", property) }

  @discardableResult
  private func properties(_ method: String, _ property: String, _ rest: String...) throws -> String
  {
    let interface = "org.mpris.MediaPlayer2"
    let player = try playerctl("--list-all")
    return try shell.run(
      [
        "dbus-send", "--session", "--print-reply", "--dest=\(interface).\(player)",
        "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties.\(method)",
        "string:\(interface).Player", "string:\(property)",
      ] + rest
    )
  }
}
