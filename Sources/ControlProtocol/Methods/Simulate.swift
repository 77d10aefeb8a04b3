// SPDX-License-Identifier: MIT

public import Sessions

/// Produces a system event, as a phone's simulator would (SYS-4).
///
/// Pure value: [any-thread].
public enum Simulate: ControlMethod {
  /// The name on the wire.
  public static let name = "simulate"

  /// The events of a machine are the user's; a program may come to the foreground by itself (SYS-5).
  public static func access(of params: Params) -> MethodAccess {
    guard params.event == .foreground, let app = params.app else { return .users }
    return .app(app)
  }

  /// The events that can be produced.
  public enum Event: String, Codable, Sendable, CaseIterable {
    /// An interruption of a class begins.
    case interruptionBegin
    /// It ends.
    case interruptionEnd
    /// A call rings (INT-8).
    case callRing
    /// The user answers the call that rings.
    case callAnswer
    /// The user declines the call that rings.
    case callDecline
    /// The call that was answered is over.
    case callEnd
    /// The silent switch.
    case silentSwitch
    /// The screen lock.
    case lock
    /// The built-in microphone's mute switch.
    case microphoneMute
    /// An app goes to the background, or comes to the foreground.
    case background
    /// One app comes to the foreground, and the others go to the background (SYS-5).
    case foreground
    /// An output route loses its ports.
    case unplug
    /// It has them again.
    case plug
    /// The JACK server is lost; the host attaches again.
    case serverLoss
  }

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The event.
    public var event: Event
    /// The class of an interruption.
    @NamedIfPresent public var priorityClass: PriorityClass?
    /// At the end of an interruption or call: whether those interrupted should resume; true when left out.
    public var shouldResume: Bool?
    /// Whether a switch is on, or the app in the background; true when left out.
    public var on: Bool?
    /// The program, or a session's id, for `background`; the program for `foreground`, where all apps are there when
    /// it is left out.
    public var app: String?
    /// The route, for `unplug` and `plug`.
    public var route: String?

    /// Makes the parameters of an event; set further ones as needed.
    public init(event: Event) { self.event = event }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      ParamField(
        "event",
        allowed: "one of " + Event.allCases.map(\.rawValue).joined(separator: ", "),
      ),
      ParamField(
        "priorityClass",
        allowed: "with interruptionBegin and interruptionEnd one of "
          + PriorityClass.interrupting.map(\.name).joined(separator: ", "),
      ) { params in
        let isInterruption = [.interruptionBegin, .interruptionEnd].contains(params.event)
        guard let priorityClass = params.priorityClass else {
          return isInterruption ? "it is missing" : nil
        }
        return PriorityClass.interrupting.contains(priorityClass)
          ? nil : "'\(priorityClass.name)' interrupts no other session"
      },
      ParamField("shouldResume", allowed: "true or false; true when left out"),
      ParamField("on", allowed: "true or false; true when left out"),
      ParamField(
        "app",
        allowed: "with background and foreground a program's name or a session's id",
      ) {
        $0.event == .background && $0.app == nil ? "it is missing" : nil
      },
      ParamField("route", allowed: "with unplug and plug an output route's name") {
        [.unplug, .plug].contains($0.event) && $0.route == nil ? "it is missing" : nil
      },
    ]
  }

  /// When it was carried out.
  public typealias Result = Applied
}

extension PriorityClass {
  /// The classes of simulated interruptions, the highest first.
  fileprivate static let interrupting: [PriorityClass] = [.phone, .alarm, .assistant]
}
