// SPDX-License-Identifier: MIT

internal import CJACK
internal import Glibc
internal import SystemSupport

/// Result of connecting two ports.
///
/// Pure value: [any-thread].
public enum ConnectOutcome: Sendable, Hashable {
  /// They are connected now.
  case connected
  /// They were connected before.
  case alreadyConnected
  /// The server accepted the call without effect: it ignores clients that connect their own ports
  /// (jackd -a).
  case ignored
}

/// Moment at which ``ClientConnection/connect(_:to:awaiting:)`` returns.
///
/// Pure value: [any-thread].
public enum ConnectWait: Sendable, Hashable {
  /// When the server has accepted the call; `ignored` is never returned.
  case nothing
  /// When it is known whether the server honours such connections: after the first one of this client, at once.
  case acceptance
  /// When a connection of this client's own is listed, which takes up to a period.
  case listing
}

extension ClientConnection {
  /// Kind of connection by its ends, as `jackd -a` distinguishes them.
  enum OwnReach: Sendable, Hashable {
    /// Both ports are this client's.
    case within
    /// One port is this client's.
    case outward
  }

  /// Connects an output to an input, of any clients.
  ///
  /// Other calls of this client go on while it waits.
  ///
  /// - Parameters:
  ///   - source: The full name of the output.
  ///   - destination: The full name of the input.
  ///   - wait: Moment at which the call returns.
  /// - Returns: Whether they are connected, and whether they were before.
  /// - Throws: ``JACKError`` with `noSuchPort`, `invalidValue` (direction or type), `refused`,
  ///   `closed` or `serverGone`.
  ///
  /// [control-thread & active]
  @discardableResult
  public func connect(
    _ source: String,
    to destination: String,
    awaiting wait: ConnectWait = .listing,
  ) throws(JACKError) -> ConnectOutcome {
    let call = "jack_connect"
    let subject = "\(source)\" → \"\(destination)"
    let (from, to) = try unsafe withClient(call, subject) {
      client,
      _ throws(JACKError) -> (PortInfo, PortInfo) in
      (try unsafe Self.port(source, client, call), try unsafe Self.port(destination, client, call))
    }
    // From before the call on, so that no report is missed.
    let reports = ConnectionReports(from: from.name, to: to.name)
    relay.add(reports)
    defer { relay.remove(reports) }
    let step = try unsafe withClient(call, subject) {
      client,
      state throws(JACKError) -> ConnectStep in
      switch unsafe jack_connect(client, from.name, to.name) {
      case 0: break
      case EEXIST: return .done(.alreadyConnected)
      default: throw Self.connectError(from: from, to: to, call: call, subject: subject)
      }
      // Only connections of this client's own ports can be ignored (jackd -a).
      guard from.isMine || to.isMine else { return .done(.connected) }
      let reach: OwnReach = from.isMine && to.isMine ? .within : .outward
      switch wait {
      case .nothing: return .done(.connected)
      case .acceptance where state.honoured.contains(reach): return .done(.connected)
      case .acceptance, .listing: break
      }
      let frames = unsafe jack_get_buffer_size(client)
      let hz = unsafe Double(max(jack_get_sample_rate(client), 1))
      return .wait(
        reach,
        limit: .seconds(2 * Double(frames) / hz) + Self.margin,
        untilFrame: unsafe jack_last_frame_time(client) &+ 3 * frames,
      )
    }
    switch step {
    case .done(let outcome): return outcome
    case .wait(let reach, let limit, let end):
      let deadline = ContinuousClock.now + Self.standstill
      while !reports.wait(forListing: wait == .listing, until: .now + limit) {
        // Without the reports the list decides, which is up to date after two cycles.
        if try connections(ofPort: from.name).contains(to.name) { break }
        let hasPassed = try unsafe withClient(call, subject) { client, _ in
          unsafe Int32(bitPattern: jack_last_frame_time(client) &- end) >= 0
        }
        guard !hasPassed, ContinuousClock.now < deadline else { return .ignored }
      }
      try unsafe withClient(call, subject) { _, state in _ = state.honoured.insert(reach) }
      return .connected
    }
  }

  /// The rest of `connect` after libjack's call.
  private enum ConnectStep: Sendable {
    case done(ConnectOutcome)
    case wait(OwnReach, limit: Duration, untilFrame: UInt32)
  }

  /// Time that a report may take beyond the cycle in which the connection begins, before the list is asked.
  private static let margin = Duration.milliseconds(20)
  /// A server that runs no cycle for so long connects nothing.
  private static let standstill = Duration.seconds(2)

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
