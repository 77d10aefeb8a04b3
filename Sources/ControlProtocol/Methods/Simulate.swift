// SPDX-License-Identifier: MIT

/// Produces a system event, as a phone's simulator would (SYS-4).
public enum Simulate: ControlMethod {
  /// The name on the wire.
  public static let name = "simulate"

  /// What can be produced.
  public enum Event: String, Codable, Sendable, CaseIterable {
    /// An interruption of a class begins.
    case interruptionBegin
    /// It ends.
    case interruptionEnd
    /// The silent switch.
    case silentSwitch
    /// The screen lock.
    case lock
    /// The built-in microphone's mute switch.
    case microphoneMute
    /// An app goes to the background, or comes to the foreground.
    case background
    /// An output route loses its ports.
    case unplug
    /// It has them again.
    case plug
    /// The JACK server is lost; the host attaches again.
    case serverLoss
  }

  /// What to produce.
  public struct Params: ControlParams {
    /// What.
    public var event: Event
    /// The class of an interruption.
    public var priorityClass: String?
    /// At the end of an interruption: whether those interrupted should resume; true when left out.
    public var shouldResume: Bool?
    /// Whether a switch is on, or the app in the background; true when left out.
    public var on: Bool?
    /// The program, or a session's id, for `background`.
    public var app: String?
    /// The route, for `unplug` and `plug`.
    public var route: String?

    /// Makes the parameters; set what the event needs.
    public init(event: Event) { self.event = event }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      ParamField(
        "event",
        allowed: "one of " + Event.allCases.map(\.rawValue).joined(separator: ", "),
      ),
      ParamField(
        "priorityClass",
        allowed: "with interruptionBegin and interruptionEnd one of "
          + SessionField.interruptingClasses.joined(separator: ", "),
      ) { params in
        let isInterruption = [.interruptionBegin, .interruptionEnd].contains(params.event)
        guard let priorityClass = params.priorityClass else {
          return isInterruption ? "it is missing" : nil
        }
        let isKnown = SessionField.interruptingClasses.contains(priorityClass)
        return isKnown ? nil : "'\(priorityClass.prefix(64))' is not known"
      },
      ParamField("shouldResume", allowed: "true or false; true when left out"),
      ParamField("on", allowed: "true or false; true when left out"),
      ParamField("app", allowed: "with background a program's name or a session's id") {
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
