// SPDX-License-Identifier: MIT

/// Hands a remote-control command to the session that is now playing, or keeps it while that one is
/// interrupted (VOL-2, INT-4).
public enum SendRemoteCommand: ControlMethod {
  /// The name on the wire.
  public static let name = "remoteCommand"

  /// Which command, to whom.
  public struct Params: ControlParams {
    /// The command.
    public var command: String
    /// Where to, in seconds from the start, with `seek`; how far with `skipForward` and `skipBackward`.
    public var seconds: Double?
    /// How fast, with `rate`: 1 is normal.
    public var rate: Double?
    /// The session's id, or its program's name; the session that is now playing when left out.
    public var session: String?

    /// Makes the parameters.
    public init(
      command: String,
      seconds: Double? = nil,
      rate: Double? = nil,
      session: String? = nil,
    ) {
      self.command = command
      self.seconds = seconds
      self.rate = rate
      self.session = session
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      SessionField.choice("command", of: SessionField.remoteCommands) { $0.command },
      .number("seconds", in: 0...31_536_000, "seconds, for seek and skips") { $0.seconds },
      .number("rate", in: 0...100, "times the normal speed, for rate") { $0.rate },
      .session,
    ]
  }

  /// When it was carried out.
  public typealias Result = Applied
}
