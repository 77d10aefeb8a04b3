// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import OSC

/// The values that clients have set themselves, and which they do not get back.
///
/// Pure value: [any-thread].
struct OSCEchoes: Sendable {
  private struct Own: Sendable {
    var client: OSCClient
    var values: [ParameterValue]
  }

  /// More values than one fader sends between two reports of the tree.
  private static let limit = 64

  /// By address, not by parameter: whoever moves a fader wants the gain that belongs to it.
  private var own: [String: Own] = [:]

  /// Notes a value that a client gives an address.
  mutating func note(_ value: ParameterValue, at address: String, by client: OSCClient) {
    var known = own[address] ?? Own(client: client, values: [])
    if known.client != client { known = Own(client: client, values: []) }
    known.values.append(value)
    if known.values.count > Self.limit { known.values.removeFirst() }
    own[address] = known
  }

  /// Forgets the values that an address was given, as those of a change that was refused.
  mutating func forget(_ address: String) { own[address] = nil }

  /// Goes on with other addresses.
  mutating func rename(_ steps: [ParameterRename]) { own = steps.values(after: own) }

  /// The client that has set this value itself; nil if the value is anybody else's.
  ///
  /// A value that is not its own ends what is known of the address: the client is told of all values that follow.
  mutating func owner(of value: ParameterValue, at address: String) -> OSCClient? {
    guard let known = own[address] else { return nil }
    if known.values.contains(where: { OSCMapping.values(of: $0) == OSCMapping.values(of: value) }) {
      return known.client
    }
    own[address] = nil
    return nil
  }
}
