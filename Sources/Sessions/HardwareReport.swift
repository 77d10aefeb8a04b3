// SPDX-License-Identifier: MIT

/// What one session wished for and what it got, each difference with its reason (rule HW-3).
public struct HardwareReport: Hashable, Codable, Sendable {
  /// Why a wish was not met.
  public enum Difference: Hashable, Codable, Sendable {
    /// The wish takes effect with the next activation.
    case atNextActivation
    /// The driver has no such value; the nearest was taken.
    case notSupported
    /// The server is not the host's: its rate is given.
    case serverNotOwned
    /// Another session asked for a smaller buffer, or decides the rate.
    case decidedBy(session: SessionID)
    /// Another JACK client keeps changing it, and the host stopped putting it back.
    case changedByOthers
    /// The server was asked and has not confirmed yet.
    case pending
  }

  /// One value.
  public struct Value: Hashable, Codable, Sendable {
    /// The wish, nil when there is none.
    public let preferred: Double?
    /// What it is.
    public let actual: Double
    /// Why the two differ, nil when they do not or when there is no wish.
    public let difference: Difference?
  }

  /// The sample rate in Hz.
  public let sampleRateHz: Value
  /// The duration of one I/O buffer in seconds.
  public let ioBufferSeconds: Value
  /// Whether the values mean anything now: the session is active (rule HW-7).
  public let isCurrent: Bool
}
