// SPDX-License-Identifier: MIT

package import ControlProtocol
internal import Synchronization

/// The keys to the web page, and the connections that they hold open. [any-thread]
package final class WebTokens: Sendable {
  /// The most keys at once.
  package static let limit = 64

  /// The keys as a file has them.
  package struct Kept: Codable, Hashable, Sendable {
    /// The version of the format.
    package var multirouteWebTokens = 1
    /// The number of the latest key.
    var lastID = 0
    /// The keys in the order in which they were made.
    var keys: [WebKey] = []

    /// Makes a file without keys.
    package init() {}
  }

  /// A key that has just been made; nothing but this value has its secret.
  package struct Made: Sendable {
    /// The key's number.
    package let id: Int
    /// The secret, for the fragment of an address.
    package let token: WebToken
    /// The end of the key if nobody uses it, in seconds since 1970.
    package let expiresSeconds: Int
  }

  private struct State {
    var kept: Kept
    var links: [Int: [ObjectIdentifier: WebLink]] = [:]
  }

  /// The shortest time between two uses that are kept, in seconds.
  private static let useSeconds = 3_600

  private let state: Mutex<State>
  private let nowSeconds: @Sendable () -> Int
  private let changed: @Sendable () -> Void

  /// Takes up the keys of a file.
  ///
  /// - Parameters:
  ///   - kept: The file.
  ///   - nowSeconds: The time, in seconds since 1970.
  ///   - changed: Is called when the file has to be written, on any thread.
  package init(
    kept: Kept = Kept(),
    nowSeconds: @escaping @Sendable () -> Int,
    changed: @escaping @Sendable () -> Void = {},
  ) {
    state = Mutex(State(kept: kept))
    self.nowSeconds = nowSeconds
    self.changed = changed
    // A file from elsewhere has no more keys than this program makes.
    state.withLock { state in
      state.kept.keys = Array(state.kept.keys.suffix(Self.limit))
      state.kept.lastID = max(state.kept.lastID, state.kept.keys.map(\.id).max() ?? 0)
    }
  }

  /// The keys as a file has them.
  package var kept: Kept { state.withLock { $0.kept } }

  /// The keys that can still be used.
  package var list: WebTokenList {
    let now = nowSeconds()
    return state.withLock { state in
      Self.forgetEnded(&state, now)
      return WebTokenList(
        tokens: state.kept.keys.map { key in
          WebTokenList.Token(
            id: key.id,
            role: key.role,
            route: key.route,
            label: key.label,
            madeSeconds: key.madeSeconds,
            usedSeconds: key.usedSeconds,
            expiresSeconds: key.expiresSeconds,
            connections: state.links[key.id]?.count ?? 0,
          )
        }
      )
    }
  }

  // MARK: - Keys

  /// Makes a key for one use.
  ///
  /// - Returns: Nil when there are ``limit`` keys.
  package func make(role: WebRole, route: String? = nil, label: String = "") -> Made? {
    let now = nowSeconds()
    let token = WebToken()
    let made: Made? = state.withLock { state in
      Self.forgetEnded(&state, now)
      guard state.kept.keys.count < Self.limit else { return nil }
      state.kept.lastID += 1
      let key = WebKey(
        id: state.kept.lastID,
        role: role,
        route: route,
        label: label,
        madeSeconds: now,
        digest: WebDigest(of: token.description),
      )
      state.kept.keys.append(key)
      return Made(id: key.id, token: token, expiresSeconds: key.expiresSeconds)
    }
    if made != nil { changed() }
    return made
  }

  /// Takes a key back, and closes its connections.
  ///
  /// - Returns: Whether there was such a key.
  package func revoke(_ id: Int) -> Bool {
    let links: [WebLink]? = state.withLock { state in
      guard let place = state.kept.keys.firstIndex(where: { $0.id == id }) else { return nil }
      state.kept.keys.remove(at: place)
      return state.links.removeValue(forKey: id).map { Array($0.values) } ?? []
    }
    guard let links else { return false }
    for link in links { link.close() }
    changed()
    return true
  }

  /// Gives routes other names; connections for one of them are closed, and come back with the rights over the new name.
  package func rename(routes names: [String: String]) {
    let links: [[WebLink]] = state.withLock { state in
      state.kept.keys.indices.compactMap { place in
        let key = state.kept.keys[place]
        guard let name = key.route.flatMap({ names[$0] }) else { return nil }
        state.kept.keys[place].route = name
        return state.links[key.id].map { Array($0.values) } ?? []
      }
    }
    for link in links.joined() { link.close() }
    if !links.isEmpty { changed() }
  }

  /// Exchanges a token, which cannot be used again, for the secret of a session.
  ///
  /// - Returns: Nil for a token that is wrong, used, too old or taken back.
  func spend(_ token: some StringProtocol) -> WebToken? {
    let now = nowSeconds()
    let digest = WebDigest(of: token)
    let secret = WebToken()
    let isSpent = state.withLock { state in
      Self.forgetEnded(&state, now)
      guard let place = Self.place(of: digest, in: state), state.kept.keys[place].isForOneUse
      else { return false }
      state.kept.keys[place].usedSeconds = now
      state.kept.keys[place].digest = WebDigest(of: secret.description)
      return true
    }
    if isSpent { changed() }
    return isSpent ? secret : nil
  }

  /// Finds the visitor who has the secret of a session.
  func visitor(withSecret secret: some StringProtocol) -> WebVisitor? {
    let now = nowSeconds()
    let digest = WebDigest(of: secret)
    let (visitor, isToKeep): (WebVisitor?, Bool) = state.withLock { state in
      Self.forgetEnded(&state, now)
      guard let place = Self.place(of: digest, in: state), !state.kept.keys[place].isForOneUse
      else { return (nil, false) }
      let key = state.kept.keys[place]
      let isToKeep = now - (key.usedSeconds ?? 0) >= Self.useSeconds
      if isToKeep { state.kept.keys[place].usedSeconds = now }
      return (WebVisitor(token: key.id, rights: key.rights), isToKeep)
    }
    if isToKeep { changed() }
    return visitor
  }

  /// Looks at all keys, however early one fits.
  private static func place(of digest: WebDigest, in state: State) -> Int? {
    var found: Int?
    for (place, key) in state.kept.keys.enumerated() where key.digest.matches(digest) {
      found = place
    }
    return found
  }

  /// Forgets the keys that have ended; an open connection is a use.
  private static func forgetEnded(_ state: inout State, _ now: Int) {
    let links = state.links
    state.kept.keys.removeAll { $0.expiresSeconds <= now && links[$0.id] == nil }
  }

  // MARK: - Connections

  /// Notes a connection, which is closed at once if its key has ended.
  func join(_ link: WebLink, _ id: Int) {
    let isIn = state.withLock { state in
      guard state.kept.keys.contains(where: { $0.id == id }) else { return false }
      state.links[id, default: [:]][ObjectIdentifier(link)] = link
      return true
    }
    if !isIn { link.close() }
  }

  /// Forgets a connection that has ended.
  func leave(_ link: WebLink, _ id: Int) {
    let now = nowSeconds()
    let isUse = state.withLock { state in
      guard state.links[id]?.removeValue(forKey: ObjectIdentifier(link)) != nil else {
        return false
      }
      if state.links[id]?.isEmpty == true { state.links[id] = nil }
      guard let place = state.kept.keys.firstIndex(where: { $0.id == id }) else { return false }
      state.kept.keys[place].usedSeconds = now
      return true
    }
    if isUse { changed() }
  }
}
