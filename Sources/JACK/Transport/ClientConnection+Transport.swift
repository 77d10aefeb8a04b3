// SPDX-License-Identifier: MIT

internal import CJACK

extension ClientConnection {
  /// The position of the transport.
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public var transport: Transport {
    get throws(JACKError) {
      try unsafe read("jack_transport_query") { client in
        var position = cjack_position()
        let state = unsafe cjack_transport_query(client, &position)
        return Transport(state: TransportState(state), position: TransportPosition(position))
      }
    }
  }

  /// Lets the transport roll, as soon as all clients are ready.
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func startTransport() throws(JACKError) {
    try unsafe read("jack_transport_start", jack_transport_start)
  }

  /// Stops the transport.
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func stopTransport() throws(JACKError) {
    try unsafe read("jack_transport_stop", jack_transport_stop)
  }

  /// Moves the transport to a frame, in the next cycle or the one after.
  ///
  /// - Throws: ``JACKError`` with `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func locateTransport(toFrame frame: UInt32) throws(JACKError) {
    let call = "jack_transport_locate"
    try unsafe withClient(call, "\(frame)") { client, _ throws(JACKError) in
      guard unsafe jack_transport_locate(client, frame) == 0 else {
        throw JACKError(.refused, call: call, subject: "\(frame)")
      }
    }
  }

  /// Moves the transport to a frame and a musical time.
  ///
  /// - Throws: ``JACKError`` with `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func repositionTransport(to position: TransportPosition) throws(JACKError) {
    let call = "jack_transport_reposition"
    try unsafe withClient(call, "\(position.frame)") { client, _ throws(JACKError) in
      var unpacked = position.unpacked
      guard unsafe cjack_transport_reposition(client, &unpacked) == 0 else {
        throw JACKError(.refused, call: call, subject: "\(position.frame)")
      }
    }
  }

  /// Makes this client the timebase master: it gives the musical time.
  ///
  /// - Parameters:
  ///   - function: Called in every cycle, after the process callback.
  ///   - context: Handed to it. Must stay valid until ``releaseTimebase()`` or closing.
  ///   - conditional: Whether to fail if there is a master already.
  /// - Throws: ``JACKError`` with `timebaseTaken`, `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func becomeTimebaseMaster(
    _ function: TimebaseFunction,
    context: UnsafeMutableRawPointer?,
    conditional: Bool = true,
  ) throws(JACKError) {
    let call = "jack_set_timebase_callback"
    let callback = unsafe unsafeBitCast(function, to: JackTimebaseCallback.self)
    try unsafe withClient(call, name) { client, _ throws(JACKError) in
      let result = unsafe jack_set_timebase_callback(
        client,
        conditional ? 1 : 0,
        callback,
        context,
      )
      guard result != 0 else { return }
      throw JACKError(conditional ? .timebaseTaken : .refused, call: call, subject: name)
    }
  }

  /// Gives up being the timebase master.
  ///
  /// - Throws: ``JACKError`` with `refused` (it is not), `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func releaseTimebase() throws(JACKError) {
    let call = "jack_release_timebase"
    try unsafe withClient(call, name) { client, _ throws(JACKError) in
      guard unsafe jack_release_timebase(client) == 0 else {
        throw JACKError(.refused, call: call, subject: name, detail: "not the timebase master")
      }
    }
  }

  /// Has JACK wait for this client before the transport rolls, or not any more.
  ///
  /// - Parameters:
  ///   - function: Called while the transport starts; answers whether the client is ready. Nil:
  ///     ready always.
  ///   - context: Handed to it. Must stay valid until another function is set, or closing.
  /// - Throws: ``JACKError`` with `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func setSync(
    _ function: SyncFunction?,
    context: UnsafeMutableRawPointer?,
  ) throws(JACKError) {
    let call = "jack_set_sync_callback"
    let callback = unsafe unsafeBitCast(function, to: JackSyncCallback?.self)
    try unsafe withClient(call, name) { client, _ throws(JACKError) in
      guard unsafe jack_set_sync_callback(client, callback, context) == 0 else {
        throw JACKError(.refused, call: call, subject: name)
      }
    }
  }

  /// The time that the transport waits for all slow clients together; 2 s at first.
  ///
  /// - Throws: ``JACKError`` with `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func setSyncTimeout(microseconds: UInt64) throws(JACKError) {
    let call = "jack_set_sync_timeout"
    try unsafe withClient(call, "\(microseconds)") { client, _ throws(JACKError) in
      guard unsafe jack_set_sync_timeout(client, microseconds) == 0 else {
        throw JACKError(.refused, call: call, subject: "\(microseconds)")
      }
    }
  }
}
