// SPDX-License-Identifier: MIT

internal import CJACK

extension ClientConnection {
  /// Sets a property of a client or port.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The property.
  ///   - subject: The UUID of a client (``uuid``) or port (``PortInfo/uuid``).
  /// - Throws: ``JACKError`` with `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func setMetadata(
    _ value: MetadataValue,
    for key: MetadataKey,
    of subject: UInt64,
  ) throws(JACKError) {
    let call = "jack_set_property"
    // Between two attempts the client is free for other threads.
    let isSet = try MetadataStore.change { () throws(JACKError) in
      try unsafe withClient(call, key.rawValue) { client, _ throws(JACKError) in
        unsafe jack_set_property(client, subject, key.rawValue, value.text, value.type) == 0
      }
    }
    guard isSet else { throw JACKError(.refused, call: call, subject: key.rawValue) }
    ledger.wrote(value.text, for: key.rawValue, of: subject)
  }

  /// Sets a property of one of this client's ports.
  ///
  /// - Throws: ``JACKError`` with `noSuchPort`, `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func setMetadata<Kind, Direction>(
    _ value: MetadataValue,
    for key: MetadataKey,
    of port: ClientPort<Kind, Direction>,
  ) throws(JACKError) {
    let uuid = try info(of: port).uuid
    try setMetadata(value, for: key, of: uuid)
  }

  /// A property of a client or port; nil if it is not set.
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func metadata(
    for key: MetadataKey,
    of subject: UInt64,
  ) throws(JACKError) -> MetadataValue? {
    try unsafe read("jack_get_property") { _ in
      var value: UnsafeMutablePointer<CChar>?
      var type: UnsafeMutablePointer<CChar>?
      let result = MetadataStore.use {
        unsafe jack_get_property(subject, key.rawValue, &value, &type)
      }
      guard result == 0 else { return nil }
      defer {
        unsafe jack_free(value)
        unsafe jack_free(type)
      }
      return unsafe MetadataValue(text: value, type: type)
    }
  }

  /// All properties of a client or port.
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func metadata(
    of subject: UInt64
  ) throws(JACKError) -> [MetadataKey: MetadataValue] {
    try unsafe read("jack_get_properties") { _ in
      var description = unsafe jack_description_t()
      let count = MetadataStore.use {
        unsafe jack_get_properties(subject, &description)
      }
      guard count > 0 else { return [:] }
      defer { unsafe jack_free_description(&description, 0) }
      var found: [MetadataKey: MetadataValue] = [:]
      for index in 0..<Int(unsafe description.property_cnt) {
        let property = unsafe description.properties[index]
        let key = unsafe MetadataKey(rawValue: Self.string(property.key))
        unsafe found[key] = MetadataValue(text: property.data, type: property.type)
      }
      return found
    }
  }

  /// Removes a property of a client or port.
  ///
  /// - Throws: ``JACKError`` with `refused` (it is not set), `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func removeMetadata(for key: MetadataKey, of subject: UInt64) throws(JACKError) {
    let call = "jack_remove_property"
    let missing = JACKError(
      .refused,
      call: call,
      subject: key.rawValue,
      detail: "there is no such property",
    )
    guard try metadata(for: key, of: subject) != nil else { throw missing }
    let isRemoved = try MetadataStore.change { () throws(JACKError) in
      try unsafe withClient(call, key.rawValue) { client, _ throws(JACKError) in
        unsafe jack_remove_property(client, subject, key.rawValue) == 0
      }
    }
    guard isRemoved else { throw missing }
    ledger.removed(key.rawValue, of: subject)
  }

  /// Removes all properties of a client or port, one after the other.
  ///
  /// `jack_remove_properties` is not used, because it walks through the store, which all servers of a
  /// user share, with a read lock that it turns into a write lock. A server does the same for each
  /// client that leaves. Two of them at once wait for each other, and all other users of the store wait
  /// behind them.
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func removeAllMetadata(of subject: UInt64) throws(JACKError) {
    for key in try metadata(of: subject).keys {
      do {
        try removeMetadata(for: key, of: subject)
      } catch {
        // If another program removed it first, the goal is reached.
        guard error.code == .refused else { throw error }
      }
    }
  }

  /// The subject of a client's metadata.
  ///
  /// - Throws: ``JACKError`` with `noSuchClient`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func uuid(ofClient name: String) throws(JACKError) -> UInt64 {
    let call = "jack_get_uuid_for_client_name"
    return try unsafe withClient(call, name) { client, _ throws(JACKError) in
      guard let text = unsafe jack_get_uuid_for_client_name(client, name) else {
        throw JACKError(.noSuchClient, call: call, subject: name)
      }
      defer { unsafe jack_free(text) }
      var uuid: jack_uuid_t = 0
      guard unsafe jack_uuid_parse(text, &uuid) == 0 else {
        throw JACKError(.noSuchClient, call: call, subject: name)
      }
      return uuid
    }
  }

  /// The name of the client that is a subject of metadata.
  ///
  /// - Throws: ``JACKError`` with `noSuchClient`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func clientName(ofUUID uuid: UInt64) throws(JACKError) -> String {
    let call = "jack_get_client_name_by_uuid"
    return try unsafe withClient(call, "\(uuid)") { client, _ throws(JACKError) in
      guard let name = unsafe jack_get_client_name_by_uuid(client, "\(uuid)") else {
        throw JACKError(.noSuchClient, call: call, subject: "\(uuid)")
      }
      defer { unsafe jack_free(name) }
      return unsafe String(cString: name)
    }
  }
}

extension MetadataValue {
  fileprivate init(text: UnsafePointer<CChar>?, type: UnsafePointer<CChar>?) {
    let type = unsafe ClientConnection.string(type)
    unsafe self.init(ClientConnection.string(text), type: type.isEmpty ? nil : type)
  }
}
