// SPDX-License-Identifier: MIT

internal import JACK
internal import Patchbay

/// The host's outputs that carry a microphone, and the connections from them that were removed: a program needs the
/// same yes for them as for the microphone (PRM-3).
///
/// They have no gates. A gate behind the host's main client, and another one before it, would close a loop in the
/// client of the gates, where JACK adds a period. Part of the ``CaptureRoom``; belongs to the control thread.
final class WithheldOutputs {
  /// The questions to the capture room, and its work.
  struct Links {
    /// The host's outputs that carry a microphone now.
    var outputs: () -> Set<String>
    /// Whether a client is a program that may need a permission.
    var isProgram: (_ client: String) -> Bool
    /// Whether a client may hear such an output.
    var mayHear: (_ client: String) -> Bool
    /// Removes a connection and reports it; false where that fails.
    var cut: (ConnectionPair, _ client: String) -> Bool
    /// Makes a connection again that was removed.
    var restore: (ConnectionPair) -> Void
  }

  private let links: Links
  /// The connections to make again when their listeners may hear them.
  private var pairs: Set<ConnectionPair> = []

  /// Begins without any.
  init(links: Links) { self.links = links }

  /// The connections that were removed, by the client that heard them.
  var withheld: [String: [ConnectionPair]] {
    Dictionary(grouping: pairs) { JACKNames.client(of: $0.destination) ?? $0.destination }
  }

  /// Removes a connection from an output of the host, if it carries a microphone and its listener may not hear it.
  func enforce(_ pair: ConnectionPair, of client: String) {
    guard links.isProgram(client), !links.mayHear(client), links.outputs().contains(pair.source),
      links.cut(pair, client)
    else { return }
    pairs.insert(pair)
  }

  /// Checks the listeners of all outputs, after an answer or a change of the mix.
  func enforceAll(on server: any CaptureServer) {
    for source in links.outputs().sorted() {
      for destination in server.listeners(of: source) {
        guard let client = JACKNames.client(of: destination) else { continue }
        enforce(ConnectionPair(source: source, destination: destination), of: client)
      }
    }
  }

  /// Makes the connections again of which the listeners may hear the output now, or which carries no microphone any
  /// more.
  func giveBack() {
    guard !pairs.isEmpty else { return }
    let outputs = links.outputs()
    for pair in pairs {
      guard let client = JACKNames.client(of: pair.destination),
        links.mayHear(client) || !outputs.contains(pair.source)
      else { continue }
      pairs.remove(pair)
      links.restore(pair)
    }
  }

  /// Forgets a client that has gone.
  func forget(_ client: String) {
    pairs = pairs.filter { JACKNames.client(of: $0.destination) != client }
  }

  /// Forgets all connections, because their server has gone.
  func removeAll() { pairs.removeAll() }
}
