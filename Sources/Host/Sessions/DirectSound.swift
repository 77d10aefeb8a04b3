// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Patchbay
internal import Sessions

/// Sound of a session that reaches the hardware past its strips, where no session silences it.
///
/// Pure value: [any-thread].
struct DirectSound: Sendable, Equatable {
  /// The reason why the host leaves the connection.
  enum Cause: Sendable, Equatable {
    /// No route of the graph names the hardware.
    case noRoute
    /// Another program has made the connection again and again, and the host has given way.
    case insisted
    /// The rule leaves the client's cables to others.
    case leftToOthers
    /// The ports are those of a source, whose program is not adopted.
    case source(strip: String, client: String)
  }

  /// The ports of the hardware.
  let hardware: Set<String>
  /// The reason why the host leaves the connection.
  let cause: Cause

  /// The ports of the hardware, in natural order.
  var ports: [String] { hardware.sorted(by: NaturalOrder.areInIncreasingOrder) }

  /// The answer to `why` for a session of that name.
  func explanation(of session: String) -> Why.Explanation {
    let list = ports.joined(separator: ", ")
    let sentence: String
    let remedy: String
    switch cause {
    case .noRoute:
      sentence = "\(session) plays directly to \(list), where no session silences it."
      remedy = "Name the ports in a route of the graph."
    case .insisted:
      sentence =
        "\(session) plays directly to \(list), where no session silences it: another program insists on that "
        + "connection, and the host has given way."
      remedy =
        "Remove the connection in that program (a patch bay, perhaps), or write 'patch: theirs' in the rule."
    case .leftToOthers:
      sentence =
        "\(session) plays directly to \(list), where no session silences it: its rule leaves its cables to others."
      remedy = "Connect it to its strip, or remove 'patch: theirs' from the rule."
    case .source(let strip, let client):
      sentence =
        "\(client) feeds source '\(strip)' and plays directly to \(list) too, so it is heard twice: fader, mute "
        + "and session of '\(strip)' do not reach it there."
      remedy = Self.adoptionRemedy(client: client, strip: strip)
    }
    return Why.Explanation(
      session: session,
      level: .full,
      sentence: sentence,
      remedy: remedy,
      rule: .int1,
    )
  }

  /// The line of the graph file that keeps a program from connecting itself past its source's strip.
  static func adoptionRemedy(client: String, strip: String) -> String {
    "Adopt the program in place of source '\(strip)': "
      + "adopt: [{client: \"\(client)\", session: {preset: musicMaking}}]."
  }
}
