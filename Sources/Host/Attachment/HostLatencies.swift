// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK
internal import Mixing

/// The latencies of the signal paths on one server: those that JACK gives, and those that the host states.
///
/// A statement of latencies lets the server ask every client, which takes long where there are many: changes that
/// follow each other are stated together. Part of an ``Attachment``. Belongs to the control thread.
final class HostLatencies {
  private static let delay = Duration.milliseconds(10)
  /// The longest delay of postponed work while clients keep coming.
  private static let longestWaitNanoseconds: UInt64 = 1_000_000_000

  private let presence: any HostPresence
  private let engine: MixEngine
  private let connections: HostConnections
  private let control: Control
  /// Whether the latencies have changed since they were stated.
  private var isStale = false
  /// Whether a statement would wait for a stopped client.
  private var isHeld = false
  private var isUnderWay = false
  private var caughtUpNanoseconds: UInt64 = 0

  /// Knows the latencies of a presence and its engine.
  init(
    presence: any HostPresence,
    engine: MixEngine,
    connections: HostConnections,
    control: Control,
  ) {
    self.presence = presence
    self.engine = engine
    self.connections = connections
    self.control = control
  }

  // MARK: - What JACK names

  /// The longest latency between the host and the device of a route in frames (HW-6); nil where JACK gives
  /// none.
  func frames(of route: GraphFile.Route) -> UInt32? {
    route.direction == .input
      ? captureFrames(of: connections.inputPorts(of: route))
      : presence.outputLatencyFrames(ofRoute: route.name)
  }

  /// The longest latency between devices and these ports in frames; nil where JACK gives none.
  func captureFrames(of ports: some Sequence<String>) -> UInt32? {
    ports.compactMap { presence.latencyFrames(ofPort: $0, .capture) }.max()
  }

  /// Whether JACK names other latencies of the chains' ports than when this was asked last.
  func haveChainsChanged() -> Bool { presence.haveChainLatenciesChanged() }

  // MARK: - Stated latencies

  /// States the latencies of the signal paths through the host to JACK, 10 ms from now.
  func restate() {
    guard !isUnderWay else { return }
    isUnderWay = true
    control.task { [weak self, control] in
      // Wall time: all that a user's step changes on the control thread is stated at once.
      await control.sleep(Self.delay)
      self?.restateNow()
    }
  }

  /// States the latencies at the next ``catchUp(isBusy:)``, because they can wait.
  func restateLater() { isStale = true }

  /// Holds the statement of latencies back while a client is stopped: the server would ask it too, and let everybody
  /// wait for 5 s.
  func hold(_ isHeld: Bool) {
    guard isHeld != self.isHeld else { return }
    self.isHeld = isHeld
    if !isHeld, isStale { restate() }
  }

  /// States what could wait, unless clients are just connecting; these hold it up for up to a second.
  ///
  /// - Returns: Whether it is the time for what can wait.
  func catchUp(isBusy: Bool) -> Bool {
    let now = control.nowNanoseconds
    guard !isBusy || now &- caughtUpNanoseconds > Self.longestWaitNanoseconds else { return false }
    caughtUpNanoseconds = now
    if isStale { restate() }
    return true
  }

  private func restateNow() {
    isUnderWay = false
    isStale = isHeld
    guard !isHeld else { return }
    presence.stateLatencies(of: engine.spec) { [engine] in engine.latencyFrames(ofRoute: $0) ?? 0 }
  }
}
