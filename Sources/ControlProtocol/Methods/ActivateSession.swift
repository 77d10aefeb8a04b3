// SPDX-License-Identifier: MIT

/// Makes a session active, or says by which rule it cannot be (ACT-1).
///
/// Pure value: [any-thread].
public enum ActivateSession: ControlMethod {
  /// The name on the wire.
  public static let name = "activateSession"

  /// A session is its program's and the user's.
  public static func access(of params: Params) -> MethodAccess { .session(params.session) }

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String

    /// Makes the parameters.
    public init(session: String) { self.session = session }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [.session]
  }

  /// The outcome, once the hardware has its final values.
  public struct Result: Codable, Sendable, Hashable, WaitingResult {
    /// The JACK frame from which others fall silent or are lowered, and the session is heard; `null`
    /// while there is no server.
    @OrNull public var frame: UInt64?
    /// The sample rate asked for and the actual one, in Hz (HW-3).
    public var sampleRate: HardwareStatus.Value
    /// The I/O buffer's duration asked for and the actual one, in seconds (HW-3).
    public var ioBufferDuration: HardwareStatus.Value
    /// The number of the request of a suspended app, as in ``Applied``; left out where it does not wait.
    public var waiting: [UInt64]?

    /// Makes the result.
    public init(
      frame: UInt64?,
      sampleRate: HardwareStatus.Value,
      ioBufferDuration: HardwareStatus.Value,
      waiting: [UInt64] = [],
    ) {
      self.frame = frame
      self.waiting = waiting.isEmpty ? nil : waiting
      self.sampleRate = sampleRate
      self.ioBufferDuration = ioBufferDuration
    }
  }
}

/// Makes a session inactive; the sessions that it interrupted are notified of the end (ACT-6).
///
/// Pure value: [any-thread].
public enum DeactivateSession: ControlMethod {
  /// The name on the wire.
  public static let name = "deactivateSession"

  /// A session is its program's and the user's.
  public static func access(of params: Params) -> MethodAccess { .session(params.session) }

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String
    /// Whether those it interrupted should resume by themselves; false when left out.
    public var notifyOthers: Bool?

    /// Makes the parameters.
    public init(session: String, notifyOthers: Bool? = nil) {
      self.session = session
      self.notifyOthers = notifyOthers
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      .session, ParamField("notifyOthers", allowed: "true or false; false when left out"),
    ]
  }

  /// When it falls silent and others come back.
  public typealias Result = Applied
}

/// The result of a change of the mix.
///
/// Pure value: [any-thread].
public struct Applied: Codable, Sendable, Hashable {
  /// The JACK frame from which the change is heard (the start of its ramp), `null` without a server,
  /// when the change waits for it.
  @OrNull public var frame: UInt64?
  /// The numbers of requests of a suspended app, which are carried out on its return (SYS-2).
  ///
  /// The event `session` with `requestAnswered` reports the outcome of each. Omitted without waiting
  /// requests.
  public var waiting: [UInt64]?

  /// Makes the result.
  public init(frame: UInt64?, waiting: [UInt64] = []) {
    self.frame = frame
    self.waiting = waiting.isEmpty ? nil : waiting
  }
}

extension Applied: WaitingResult {}

/// A result of what may have to wait for a suspended app's return (SYS-2).
public protocol WaitingResult {
  /// The numbers of the requests that wait; nil without any.
  var waiting: [UInt64]? { get }
}
