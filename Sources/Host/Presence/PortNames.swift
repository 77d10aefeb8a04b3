// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import Sessions

/// The names of the host's ports. [any-thread]
///
/// They are short, numbered from 1, and stay the same in all releases, because users' patches
/// depend on them.
enum PortNames {
  /// A strip's input: `deck-a_in_1`.
  static func strip(_ strip: String, channel: Int) -> String { "\(strip)_in_\(channel + 1)" }

  /// A route's output: `main_out_1`.
  static func route(_ route: String, channel: Int) -> String { "\(route)_out_\(channel + 1)" }

  /// The input at which the sound of effects returns, at the client of their strip or route:
  /// `return_1`.
  static func insertReturn(channel: Int) -> String { "return_\(channel + 1)" }

  /// The input of a node that is a strip's source, at the strip's own client: `in_1`.
  static func inlet(channel: Int) -> String { "in_\(channel + 1)" }

  /// The name of the client by which a strip or route hears nodes.
  static func returnClient(of clients: ClientNames, place: String) -> String {
    clientName(clients, place)
  }

  /// The name of the client by which the effects of a route are heard.
  static func outletClient(of clients: ClientNames, route: String) -> String {
    clientName(clients, route, suffix: "-out")
  }

  /// An output of the outlet: `out_1`.
  static func outlet(channel: Int) -> String { "out_\(channel + 1)" }

  /// A client name within JACK's limit: 62 bytes, less a number that JACK appends to a name in use.
  ///
  /// In a session the name that the manager gives stays whole (``ClientNames``).
  private static func clientName(
    _ clients: ClientNames,
    _ place: String,
    suffix: String = "",
  ) -> String {
    guard !clients.isManaged else { return clients.part(place + suffix) }
    return clients.part(place).prefix(bytes: 59 - suffix.utf8.count) + suffix
  }

  /// The output that sends a route's sound to its effects: `main_send_1`.
  static func routeSend(_ route: String, channel: Int) -> String { "\(route)_send_\(channel + 1)" }

  /// An output of the source client: `deck-a_1`.
  static func source(_ source: String, channel: Int) -> String { "\(source)_\(channel + 1)" }

  /// The MIDI input that hears a controller: `ddj-200_midi_in`.
  static func controllerInput(_ controller: String) -> String { "\(controller)_midi_in" }

  /// The MIDI output that a controller hears: `ddj-200_midi_out`.
  static func controllerOutput(_ controller: String) -> String { "\(controller)_midi_out" }

  /// The name of the client that plays files and tones.
  static func sourceClient(of clients: ClientNames) -> String { clients.part("sources") }

  /// The name of the client with the capture gates.
  static func gateClient(of clients: ClientNames) -> String { clients.part("mic") }

  /// The name of the guard's client.
  static func guardClient(of clients: ClientNames) -> String { clients.part("guard") }

  /// A label for people: `Main PA left`, or `Mic 3` with more than two channels.
  static func pretty(_ label: String, channel: Int, of channels: Int) -> String {
    switch (channels, channel) {
    case (1, _): label
    case (2, 0): "\(label) left"
    case (2, _): "\(label) right"
    default: "\(label) \(channel + 1)"
    }
  }
}
