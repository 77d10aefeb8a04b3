// SPDX-License-Identifier: MIT

/// The program that makes a route's ports: a bridge to another card, or a network engine.
public struct HelperStatus: Codable, Sendable, Hashable {
  /// `device`, `njbridge` or `jacktrip`.
  public var kind: String
  /// The program's name.
  public var program: String
  /// Whether it runs.
  public var state: HelperState
  /// Its process id, `null` while it does not run.
  @OrNull public var pid: Int32?
  /// How often it was started again.
  public var restarts: Int
  /// How it ended last, why it is not run, or what is wrong while it runs; `null` when nothing is.
  @OrNull public var reason: String?
  /// What a bridge says of itself, `null` for other programs and before its first word.
  @OrNull public var bridge: BridgeStatus?

  /// Makes the value from its parts.
  public init(
    kind: String,
    program: String,
    state: HelperState,
    pid: Int32?,
    restarts: Int,
    reason: String?,
    bridge: BridgeStatus?,
  ) {
    self.kind = kind
    self.program = program
    self.state = state
    self.pid = pid
    self.restarts = restarts
    self.reason = reason
    self.bridge = bridge
  }
}

/// Where a helper program stands.
public enum HelperState: String, Codable, Sendable, Hashable, CaseIterable {
  /// It runs.
  case running
  /// It has ended and is started again after a pause.
  case waiting
  /// It is not needed or cannot be run here.
  case off
}
