// SPDX-License-Identifier: MIT

internal import CJACK

extension ClientConnection {
  /// Describes this client, or a port of its own, so that no later client or port inherits the description.
  ///
  /// At first all properties are removed that others have left under the same number. Then a mark says with which program and server
  /// the description ends: ``removeLeftDescriptions(afterEndOf:betweenRemovals:)``. Where another server that runs has described the
  /// same number, neither description stays, because each would be shown for both.
  ///
  /// - Parameters:
  ///   - subject: The UUID of this client (``uuid``) or port (``PortInfo/uuid``).
  ///   - properties: The properties, in the order in which they are written. Properties that this client has set before stay.
  ///   - replacesOthers: Whether the description of another server that runs is replaced by this one.
  /// - Returns: Whether it is described; false for a number of two servers.
  /// - Throws: ``JACKError`` with `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  @discardableResult
  public func describe(
    _ subject: UInt64,
    as properties: some Sequence<(key: MetadataKey, value: MetadataValue)>,
    replacingOthers replacesOthers: Bool = false,
  ) throws(JACKError) -> Bool {
    let properties = Array(properties)
    let name = self.server
    let server = ledger.server {
      JACKLibrary.isPipeWire ? nil : ServerIdentity.find(name: name).pid
    }
    if !ledger.hasDescribed(subject) {
      let mark = try metadata(for: DescriptionOwner.key, of: subject)
      try removeAllMetadata(of: subject)
      if let other = DescriptionOwner(mark?.text), other.server != server, !other.isLeft(),
        !replacesOthers
      {
        return false
      }
    }
    // PipeWire's metadata is its own, and ends with it.
    if !JACKLibrary.isPipeWire {
      let texts = properties.map { ($0.key, $0.value.text) }
      let owner = ledger.owner(of: subject, adding: texts, server: server)
      try setMetadata(MetadataValue(owner.text), for: DescriptionOwner.key, of: subject)
    }
    for property in properties { try setMetadata(property.value, for: property.key, of: subject) }
    return true
  }

  /// Describes one of this client's ports, so that no later port inherits the description.
  ///
  /// - Throws: ``JACKError`` with `noSuchPort`, `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  @discardableResult
  public func describe<Kind, Direction>(
    _ port: ClientPort<Kind, Direction>,
    as properties: some Sequence<(key: MetadataKey, value: MetadataValue)>,
  ) throws(JACKError) -> Bool {
    try describe(try info(of: port).uuid, as: properties)
  }

  /// Removes the descriptions of clients whose program or server has ended; values that others have set since stay.
  ///
  /// A server does the same for clients that leave, unless it is killed. Works also if this client's server has gone.
  ///
  /// - Parameters:
  ///   - pid: A process that counts as ended, because its end has been noticed by other means; nil for none.
  ///   - betweenRemovals: Called before each removal, which takes about a millisecond.
  ///
  /// [control-thread]
  public func removeLeftDescriptions(
    afterEndOf pid: Int32? = nil,
    betweenRemovals: () -> Void = {},
  ) {
    guard !JACKLibrary.isPipeWire else { return }
    let described = unsafe withOpenClient { _ in MetadataStore.texts() } ?? [:]
    for (subject, texts) in described {
      guard let mark = texts[DescriptionOwner.key.rawValue], let owner = DescriptionOwner(mark),
        owner.isLeft(afterEndOf: pid)
      else { continue }
      for property in owner.leftovers(of: texts) {
        betweenRemovals()
        // Between two attempts the client is free for other threads. A closed client can do nothing more.
        _ = MetadataStore.change {
          unsafe withOpenClient {
            let place = (subject: subject, key: property.key)
            return unsafe MetadataStore.remove(property.text, at: place, markedWith: mark, $0)
          } ?? true
        }
      }
    }
  }
}
