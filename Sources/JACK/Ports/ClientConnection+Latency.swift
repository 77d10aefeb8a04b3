// SPDX-License-Identifier: MIT

internal import CJACK

extension ClientConnection {
  /// States the signal paths through this client, with their latencies.
  ///
  /// From then on JACK's question for latencies is answered from this list: every port gets the range
  /// over its own paths. JACK asks at once, if the client is active. Until then it is answered as libjack does by itself:
  /// each port depends on all of the other direction.
  ///
  /// - Parameters:
  ///   - paths: All paths, which replace those stated before.
  ///   - own: Statements of the ports at which signals begin or end in this client.
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func setLatencyPaths(
    _ paths: [LatencyPath],
    own: [OwnLatency] = [],
  ) throws(JACKError) {
    relay.updateLatency { plan in
      plan.paths = paths
      plan.own = own
      plan.isStated = true
    }
    try recomputeTotalLatencies()
  }

  /// Has the server ask all clients for their latencies.
  ///
  /// - Throws: ``JACKError`` with `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func recomputeTotalLatencies() throws(JACKError) {
    let call = "jack_recompute_total_latencies"
    try unsafe withClient(call, name) { client, _ throws(JACKError) in
      guard unsafe jack_recompute_total_latencies(client) == 0 else {
        throw JACKError(.refused, call: call, subject: name)
      }
    }
  }

  /// The latency range of a port of any client.
  ///
  /// - Throws: ``JACKError`` with `noSuchPort`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func latencyRange(
    ofPort name: String,
    _ mode: LatencyMode,
  ) throws(JACKError) -> LatencyRange {
    try unsafe withPort(named: name, "jack_port_get_latency_range") {
      _,
      handle throws(JACKError) in unsafe LatencyRange(handle: handle, mode)
    }
  }

  /// The latency range of one of this client's ports.
  ///
  /// - Throws: ``JACKError`` with `noSuchPort`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func latencyRange<Kind, Direction>(
    of port: ClientPort<Kind, Direction>,
    _ mode: LatencyMode,
  ) throws(JACKError) -> LatencyRange {
    try unsafe withPort(port.untyped, "jack_port_get_latency_range") {
      _,
      handle,
      _ throws(JACKError) in unsafe LatencyRange(handle: handle, mode)
    }
  }
}
