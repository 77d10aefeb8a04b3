// SPDX-License-Identifier: MIT

/// Makes a session active, or says by which rule it cannot be (ACT-1).
public enum ActivateSession: ControlMethod {
  /// The name on the wire.
  public static let name = "activateSession"

  /// Which one.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String

    /// Makes the parameters.
    public init(session: String) { self.session = session }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [.session]
  }

  /// What came of it, once the hardware runs as it then will.
  public struct Result: Codable, Sendable, Hashable, WaitingResult {
    /// The JACK frame from which others fall silent or are lowered, and the session is heard; `null`
    /// while there is no server.
    @OrNull public var frame: UInt64?
    /// The sample rate asked for and the actual one, in Hz (HW-3).
    public var sampleRate: HardwareValue
    /// The I/O buffer's duration asked for and the actual one, in seconds (HW-3).
    public var ioBufferDuration: HardwareValue
    /// The number of the request of a suspended app, as in ``Applied``; left out where it does not wait.
    public var waiting: [UInt64]?

    /// Makes the result.
    public init(
      frame: UInt64?,
      sampleRate: HardwareValue,
      ioBufferDuration: HardwareValue,
      waiting: [UInt64] = [],
    ) {
      self.frame = frame
      self.waiting = waiting.isEmpty ? nil : waiting
      self.sampleRate = sampleRate
      self.ioBufferDuration = ioBufferDuration
    }
  }
}
