// SPDX-License-Identifier: MIT

internal import CJACK
internal import Glibc
internal import Synchronization

/// The properties that a client has written, to be removed should its server die.
///
/// jackd removes a client's properties when the client leaves. A killed jackd cannot, and its next one gives the same
/// subjects to other clients and ports, which would carry these properties then.
///
/// Safe from any thread: [any-thread].
final class MetadataLedger: Sendable {
  private struct State {
    /// Texts by subject and key.
    var written: [UInt64: [String: String]] = [:]
    var described: Set<UInt64> = []
    var server: ProcessIdentity?
    var isServerKnown = false
  }

  private let state = Mutex(State())

  /// Notes that the client has written a property.
  func wrote(_ text: String, for key: String, of subject: UInt64) {
    state.withLock { $0.written[subject, default: [:]][key] = text }
  }

  /// Notes that the client has removed a property.
  func removed(_ key: String, of subject: UInt64) {
    state.withLock { _ = $0.written[subject]?.removeValue(forKey: key) }
  }

  /// Forgets a port that was unregistered: the server removes its properties, and uses its number again.
  func forget(_ subject: UInt64) {
    state.withLock {
      $0.written[subject] = nil
      $0.described.remove(subject)
    }
  }

  /// Whether the client has described a subject.
  func hasDescribed(_ subject: UInt64) -> Bool { state.withLock { $0.described.contains(subject) } }

  /// The client's server, which `find` looks up once.
  func server(_ find: () -> Int32?) -> ProcessIdentity? {
    state.withLock { state in
      if !state.isServerKnown {
        state.server = find().flatMap { ProcessIdentity(pid: $0) }
        state.isServerKnown = true
      }
      return state.server
    }
  }

  /// The mark of a subject that this client describes, with what it has written before.
  func owner(
    of subject: UInt64,
    adding texts: [(MetadataKey, String)],
    server: ProcessIdentity?,
  ) -> DescriptionOwner {
    state.withLock { state in
      state.described.insert(subject)
      var values = state.written[subject] ?? [:]
      values[DescriptionOwner.key.rawValue] = nil
      for (key, text) in texts { values[key.rawValue] = text }
      return DescriptionOwner(
        writer: ProcessIdentity(pid: getpid()),
        server: server,
        values: values,
      )
    }
  }

  /// Removes the properties that still have the client's values; the client is open, and its server has gone.
  func withdraw(_ client: OpaquePointer) {
    let written = state.withLock { state in
      defer { state = State() }
      return state.written
    }
    guard !JACKLibrary.isPipeWire else { return }
    let markKey = DescriptionOwner.key.rawValue
    for (subject, texts) in written {
      let mark = texts[markKey]
      let last = texts.filter { $0.key == markKey }
      for (key, text) in texts.filter({ $0.key != markKey }) + last {
        _ = MetadataStore.change {
          unsafe MetadataStore.remove(text, at: (subject, key), markedWith: mark, client)
        }
      }
    }
  }
}

extension MetadataStore {
  /// Removes a property if it still has a text, and its subject still a mark, or none; false if it has to be tried again.
  ///
  /// libjack needs an open client for that; its server may have gone.
  static func remove(
    _ text: String,
    at place: (subject: UInt64, key: String),
    markedWith mark: String?,
    _ client: OpaquePointer,
  ) -> Bool {
    // Another client may have got the number, and described it, since the text was read.
    guard self.text(DescriptionOwner.key.rawValue, of: place.subject) == mark,
      self.text(place.key, of: place.subject) == text
    else { return true }
    return unsafe jack_remove_property(client, place.subject, place.key) == 0
  }

  /// The text of a property; nil if it is not set.
  private static func text(_ key: String, of subject: UInt64) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    var type: UnsafeMutablePointer<CChar>?
    guard unsafe jack_get_property(subject, key, &value, &type) == 0 else { return nil }
    defer {
      unsafe jack_free(value)
      unsafe jack_free(type)
    }
    return unsafe ClientConnection.string(value)
  }

  /// The texts of all properties of all servers, by subject and key; a client of this process is open.
  static func texts() -> [UInt64: [String: String]] {
    var descriptions: UnsafeMutablePointer<jack_description_t>?
    let count = use { unsafe jack_get_all_properties(&descriptions) }
    guard count > 0, let descriptions = unsafe descriptions else { return [:] }
    defer { unsafe jack_free(descriptions) }
    var texts: [UInt64: [String: String]] = [:]
    for index in 0..<Int(count) {
      defer { unsafe jack_free_description(descriptions + index, 0) }
      let description = unsafe descriptions[index]
      for place in 0..<Int(unsafe description.property_cnt) {
        let property = unsafe description.properties[place]
        let key = unsafe ClientConnection.string(property.key)
        unsafe texts[description.subject, default: [:]][key] = ClientConnection.string(
          property.data
        )
      }
    }
    return texts
  }
}
