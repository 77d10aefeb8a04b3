// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import OSC

/// A client over a WebSocket: the addresses that it listens to, and the values that it has set itself.
///
/// Pure value: [any-thread].
struct OSCQueryClient: Sendable {
  /// The most addresses that a client listens to.
  static let listeningLimit = 4_096
  private static let ownLimit = 16

  /// The way to the client.
  let link: WebLink

  private var addresses: Set<String> = []
  private var own: [String: [[OSCValue]]] = [:]

  /// Makes a client that listens to nothing.
  init(link: WebLink) { self.link = link }

  /// Begins to listen to an address; beyond the limit nothing happens.
  mutating func listen(to path: String) {
    if addresses.count < Self.listeningLimit { addresses.insert(path) }
  }

  /// Ends to listen to an address.
  mutating func ignore(_ path: String) {
    addresses.remove(path)
    own[path] = nil
  }

  /// Listens on at other addresses.
  mutating func rename(_ steps: [ParameterRename]) {
    addresses = Set(addresses.map(steps.path(after:)))
    own = steps.values(after: own)
  }

  /// Notes values that the client has set, so that they are not sent back to it.
  mutating func hasSet(_ method: OSCQueryMethod, to values: [OSCValue]) {
    guard addresses.contains(method.path) else { return }
    own[method.path, default: []].append(values)
    if own[method.path, default: []].count > Self.ownLimit { own[method.path]?.removeFirst() }
  }

  /// Forgets what the client has set an address to, because it was refused.
  mutating func forget(_ path: String) { own[path] = nil }

  /// Whether the present values of a method are news to the client.
  mutating func wants(_ method: OSCQueryMethod) -> Bool {
    guard addresses.contains(method.path) else { return false }
    // Older values of its own have been folded into this one; a newer one is still to come back.
    if let index = own[method.path]?.firstIndex(of: method.values) {
      own[method.path]?.removeSubrange(...index)
      return false
    }
    return true
  }
}
