// SPDX-License-Identifier: MIT

public import Sessions

/// A program that keeps connecting itself to what it may not hear (PRM-4); also the details of the event `alarm`.
///
/// Pure value: [any-thread].
public struct AlarmStatus: Codable, Sendable, Hashable {
  /// The rule that forbids the connection: PRM-1 for a capture, PRM-3 for an output that carries a microphone.
  @NamedIfKnown public var rule: RuleID?
  /// The program.
  public var app: String
  /// The path of its executable, `null` if unknown.
  @OrNull public var executable: String?
  /// Its JACK client in the latest attempt.
  public var client: String
  /// The capture port, or the output that carries a microphone.
  public var capture: String
  /// The program's port.
  public var port: String
  /// The number of connections that were cut since the first one.
  public var attempts: Int
  /// Whether it has ended: by a permission, or because the program has been quiet for a minute.
  public var over: Bool

  /// Makes the value from its parts.
  public init(
    rule: RuleID,
    app: String,
    executable: String?,
    client: String,
    capture: String,
    port: String,
    attempts: Int,
    over: Bool = false,
  ) {
    _rule = NamedIfKnown(rule)
    self.app = app
    self.executable = executable
    self.client = client
    self.capture = capture
    self.port = port
    self.attempts = attempts
    self.over = over
  }
}
