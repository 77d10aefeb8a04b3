// SPDX-License-Identifier: MIT

internal import CJACK
internal import Glibc

/// What came of connecting two ports.
public enum ConnectOutcome: Sendable, Hashable {
  /// They are connected now.
  case connected
  /// They were connected before.
  case alreadyConnected
  /// The server says yes and does nothing: it was told to ignore clients that connect themselves.
  case ignored
}

extension ClientConnection {
  /// Connects an output to an input, of any clients.
  ///
  /// - Parameters:
  ///   - source: The full name of the output.
  ///   - destination: The full name of the input.
  ///   - awaitsEffect: Whether to wait until a connection of this client's own is listed, which takes up
  ///     to a period; without, `ignored` is not found out.
  /// - Returns: Whether they are connected, and since when.
  /// - Throws: ``JACKError`` with `noSuchPort`, `invalidValue` (direction or type), `refused`,
  ///   `closed` or `serverGone`.
  ///
  /// [control-thread & active]
  @discardableResult
  public func connect(
    _ source: String,
    to destination: String,
    awaitsEffect: Bool = true,
  ) throws(JACKError) -> ConnectOutcome {
    let call = "jack_connect"
    let subject = "\(source)\" → \"\(destination)"
    return try unsafe withClient(call, subject) { client, _ throws(JACKError) in
      let from = try unsafe Self.port(source, client, call)
      let to = try unsafe Self.port(destination, client, call)
      switch unsafe jack_connect(client, source, destination) {
      case 0:
        // Only connections of one's own can be ignored (jackd -a).
        guard awaitsEffect, from.isMine || to.isMine else { return .connected }
        return unsafe Self.sees(from.name, to.name, client) ? .connected : .ignored
      case EEXIST:
        return .alreadyConnected
      default:
        throw Self.connectError(from: from, to: to, call: call, subject: subject)
      }
    }
  }

  /// Disconnects an output from an input, of any clients.
  ///
  /// The connection ends with the current cycle, and is listed until then.
  ///
  /// - Throws: ``JACKError`` with `noSuchPort`, `notConnected`, `refused`, `closed` or
  ///   `serverGone`.
  ///
  /// [control-thread & active]
  public func disconnect(
    _ source: String,
    from destination: String,
  ) throws(JACKError) {
    let call = "jack_disconnect"
    let subject = "\(source)\" → \"\(destination)"
    try unsafe withClient(call, subject) { client, _ throws(JACKError) in
      let from = try unsafe Self.port(source, client, call)
      let to = try unsafe Self.port(destination, client, call)
      guard unsafe jack_disconnect(client, source, destination) != 0 else { return }
      let isConnected = unsafe Self.connections(from.name, client).contains(to.name)
      throw JACKError(isConnected ? .refused : .notConnected, call: call, subject: subject)
    }
  }

  /// Disconnects everything from one of this client's ports.
  ///
  /// - Throws: ``JACKError`` with `noSuchPort`, `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread & active]
  public func disconnectAll<Kind, Direction>(
    from port: ClientPort<Kind, Direction>
  ) throws(JACKError) {
    let call = "jack_port_disconnect"
    try unsafe withPort(port.untyped, call) { client, handle, _ throws(JACKError) in
      guard unsafe jack_port_disconnect(client, handle) == 0 else {
        throw JACKError(.refused, call: call, subject: name)
      }
    }
  }

  /// The full names of the ports that a port of any client is connected to.
  ///
  /// - Throws: ``JACKError`` with `noSuchPort`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func connections(ofPort name: String) throws(JACKError) -> [String] {
    let call = "jack_port_get_all_connections"
    return try unsafe withPort(named: name, call) { client, _ throws(JACKError) in
      unsafe Self.connections(name, client)
    }
  }

  // MARK: - Helpers

  /// Whether a new connection shows up: it is listed from the next cycle on.
  private static func sees(_ source: String, _ destination: String, _ client: OpaquePointer) -> Bool
  {
    let frames = unsafe Double(jack_get_buffer_size(client))
    let hz = unsafe Double(max(jack_get_sample_rate(client), 1))
    let deadline = ContinuousClock.now + .seconds(2 * frames / hz) + .milliseconds(20)
    while unsafe !connections(source, client).contains(destination) {
      guard ContinuousClock.now < deadline else { return false }
      usleep(500)
    }
    return true
  }

  private static func connections(_ name: String, _ client: OpaquePointer) -> [String] {
    guard let handle = unsafe jack_port_by_name(client, name) else { return [] }
    return unsafe strings(jack_port_get_all_connections(client, handle))
  }

  private static func port(
    _ name: String,
    _ client: OpaquePointer,
    _ call: String,
  ) throws(JACKError) -> PortInfo {
    let handle = unsafe jack_port_by_name(client, name)
    guard let info = unsafe handle.flatMap({ unsafe PortInfo(port: $0, of: client) }) else {
      throw JACKError(.noSuchPort, call: call, subject: name)
    }
    return info
  }

  private static func connectError(
    from: PortInfo,
    to: PortInfo,
    call: String,
    subject: String,
  ) -> JACKError {
    let fault: String? =
      if !from.isOutput {
        "\"\(from.name)\" is not an output"
      } else if !to.isInput {
        "\"\(to.name)\" is not an input"
      } else if from.type != to.type {
        "the types differ: \(from.type), \(to.type)"
      } else {
        nil
      }
    guard let fault else {
      let detail = "refused: both clients must be active, and the server must allow it (jackd -a)"
      return JACKError(.refused, call: call, subject: subject, detail: detail)
    }
    return JACKError(.invalidValue, call: call, subject: subject, detail: fault)
  }
}
