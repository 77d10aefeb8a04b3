// SPDX-License-Identifier: MIT

internal import Sessions

/// A part of an adopted client that has a strip of its own: all of its outputs, or those that its rule gives the strip.
///
/// Pure value: [any-thread].
struct AdoptedPart: Hashable, Comparable, Sendable {
  /// The session of the client.
  let session: SessionID
  /// The number of the strip in the session, from 0.
  let index: Int

  /// Orders parts by age of their sessions, then by number.
  static func < (first: AdoptedPart, second: AdoptedPart) -> Bool {
    (first.session, first.index) < (second.session, second.index)
  }
}

/// The adopted clients on the server, part by part, by their sessions.
///
/// Belongs to the control thread.
final class AdoptedClients {
  private var parts: [AdoptedPart: AdoptedClient] = [:]
  private var sessionsByName: [String: SessionID] = [:]

  /// A part of a client; nil for an unknown one.
  subscript(_ part: AdoptedPart) -> AdoptedClient? { parts[part] }

  /// The first part of the client of a session, for its name and rule; nil for other sessions.
  func first(of id: SessionID) -> AdoptedClient? { parts[AdoptedPart(session: id, index: 0)] }

  /// The parts of the client of a session, in order.
  func parts(of id: SessionID) -> [AdoptedPart] {
    var found: [AdoptedPart] = []
    while parts[AdoptedPart(session: id, index: found.count)] != nil {
      found.append(AdoptedPart(session: id, index: found.count))
    }
    return found
  }

  /// All parts, by age of their sessions.
  var all: [(part: AdoptedPart, client: AdoptedClient)] {
    parts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The sessions of all clients, by age, with the first part of each.
  var sessions: [(id: SessionID, client: AdoptedClient)] {
    all.filter { $0.part.index == 0 }.map { ($0.part.session, $0.client) }
  }

  /// The part of a client that an output belongs to; nil for other ports.
  func part(ofPort port: String) -> AdoptedPart? {
    // The outputs are indexed by client: a port's name begins with its client's name.
    guard let end = port.firstIndex(of: ":"), let id = sessionsByName[String(port[..<end])] else {
      return nil
    }
    return parts(of: id).first { parts[$0]?.ports.contains(port) == true }
  }

  /// The session of the client of that name; nil for other clients.
  func session(ofClient name: String) -> SessionID? { sessionsByName[name] }

  /// Adds the parts of a client.
  func add(_ clients: [AdoptedClient], as id: SessionID) {
    for (index, client) in clients.enumerated() {
      parts[AdoptedPart(session: id, index: index)] = client
      sessionsByName[client.name] = id
    }
  }

  /// Forgets a client.
  func remove(_ id: SessionID) {
    for part in parts(of: id) {
      guard let client = parts.removeValue(forKey: part) else { continue }
      if sessionsByName[client.name] == id { sessionsByName[client.name] = nil }
    }
  }

  /// Forgets all clients, because the server is gone.
  func removeAll() {
    parts.removeAll()
    sessionsByName.removeAll()
  }

  /// Changes the state of a part; nil for an unknown one.
  @discardableResult
  func change<Result>(_ part: AdoptedPart, _ body: (inout AdoptedClient) -> Result) -> Result? {
    // In place: a copy beside the dictionary's would have all its connections copied with each change.
    guard let place = parts.index(forKey: part) else { return nil }
    return body(&parts.values[place])
  }

  /// Whether a client is so new that it is probably connecting itself.
  func isAnyArriving(nowNanoseconds: UInt64) -> Bool {
    parts.values.contains { $0.isArriving(nowNanoseconds: nowNanoseconds) }
  }
}
