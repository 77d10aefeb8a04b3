// SPDX-License-Identifier: MIT

internal import JACK
internal import Patchbay

/// The ports that jackd has lost with freewheeling.
///
/// jackd2 goes back to its state of before, with the lists of each client's ports (`JackGraphManager::Restore`). A port that was
/// registered meanwhile is in none, and jackd ends when somebody connects it (an assertion in `JackEngine::PortConnect`), so the
/// host connects no such port. It keeps the names, too, so a program that is restarted needs another one. Pure
/// value: [any-thread].
struct FreewheelLosses: Sendable {
  private var isFreewheeling = false
  /// The ports that cannot be connected any more: already while JACK freewheels, of which nobody knows when it ends.
  private(set) var ports: Set<String> = []

  /// JACK freewheels, or runs in real time again.
  mutating func freewheel(_ isOn: Bool) { isFreewheeling = isOn }

  /// A port has been registered, or has changed.
  mutating func appeared(_ port: String) {
    if isFreewheeling { ports.insert(port) } else { ports.remove(port) }
  }

  /// A port has gone.
  mutating func vanished(_ port: String) { ports.remove(port) }

  /// A port has another name.
  mutating func renamed(_ port: String, to name: String) {
    if ports.remove(port) != nil { ports.insert(name) }
  }

  /// Ports of these names have been registered anew.
  mutating func registered(_ names: Set<String>) { ports.subtract(names) }

  /// Refuses a connection with a lost port.
  func check(_ pair: ConnectionPair) throws(JACKError) {
    guard let lost = [pair.source, pair.destination].first(where: ports.contains) else { return }
    throw JACKError(
      .refused,
      call: "jack_connect",
      subject: lost,
      detail:
        "JACK has lost it, because it was registered while JACK freewheeled; restart the server, or its program under another name",
    )
  }
}
