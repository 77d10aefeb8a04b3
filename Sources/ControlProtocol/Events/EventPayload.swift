// SPDX-License-Identifier: MIT

/// The kind of an event, with the details of that kind.
///
/// In JSON the details are the object `details` next to `kind`; docs/protocol.md lists them. Pure
/// value: [any-thread].
public enum EventPayload: Hashable, Sendable {
  /// The JACK server is gone.
  case serverLost(ServerLost)
  /// The JACK server is back and the host plays again.
  case serverBack(ServerBack)
  /// The buffer size or the sample rate changed.
  case hardwareChanged(HardwareChanged = HardwareChanged())
  /// The latency between a route and its device changed.
  case latencyChanged(LatencyChanged)
  /// A cycle was late.
  case xrun(Xrun)
  /// The host no longer enforces a hardware value or a connection against another program.
  case gaveWay(GaveWay)
  /// A route has its ports.
  case routeAvailable(Route)
  /// A route's ports are gone.
  case routeUnavailable(Route)
  /// A route's delay was changed to align it.
  case alignment(Alignment)
  /// The helper program of a route started, ended, or reported something.
  case helper(Helper)
  /// A sound card appeared or vanished.
  case device(Device)
  /// A source's ports are there and connected.
  case sourceConnected(Strip)
  /// A source's ports are gone.
  case sourceDisconnected(Strip)
  /// A file source played to its end.
  case fileEnded(Strip)
  /// Samples of a strip or route were no sound, and were silenced or clamped.
  case inputFault(InputFault)
  /// A fade reached its end, or another change took over.
  case fadeFinished(FadeFinished)
  /// A gain, mute, solo, cue, pan, send, effect or the crossfader was changed.
  case mixChanged(MixChanged)
  /// A recorder began or finished a file, failed, or lost frames.
  case recording(Recording)
  /// A session was notified.
  case session(SessionNotice)
  /// A session's strip is exact silence from the frame in `time` on.
  case gateClosed(GateClosed)
  /// The tower decided something.
  case decision(Decision)
  /// A call rings, is answered, is declined or ends.
  case call(Call)
  /// A program needs the user's answer, or has a new one.
  case permission(Permission)
  /// A program keeps connecting itself to what it may not hear, or has ended that.
  case alarm(AlarmStatus)
  /// A node is connected.
  case nodeConnected(Node)
  /// A node is gone, or the host waits for it.
  case nodeGone(Node)
  /// A node's program was started.
  case nodeStarted(NodeStarted)
  /// A strip or route continues without its late nodes.
  case nodeLate(NodeLate)
  /// A node is left out because of a fault.
  case nodeFault(NodeFault)
  /// A node asked something of the transport.
  case remoteControl(RemoteControl)
  /// Another version of the graph is in force.
  case graphApplied(GraphApplied)
  /// A version of the graph was refused; the one before stays in force.
  case graphRefused(GraphRefused)
  /// A failure; the host continues with the rest.
  case error(Failure = Failure())
  /// The host is ending.
  case stopping
  /// A kind, or details of a kind, that this version does not know.
  case unknown(kind: String, details: JSONValue)
}

extension EventPayload {
  /// The kind; nil for one that this version does not know.
  public var kind: EventKind? { parts.kind }

  /// The kind's name on the wire.
  public var kindName: String {
    if case .unknown(let kind, _) = self { kind } else { parts.kind?.rawValue ?? "" }
  }

  /// The details, as they travel.
  var details: any Encodable { parts.details }

  private var parts: (kind: EventKind?, details: any Encodable) {
    switch self {
    case .serverLost(let details): (.serverLost, details)
    case .serverBack(let details): (.serverBack, details)
    case .hardwareChanged(let details): (.hardwareChanged, details)
    case .latencyChanged(let details): (.latencyChanged, details)
    case .xrun(let details): (.xrun, details)
    case .gaveWay(let details): (.gaveWay, details)
    case .routeAvailable(let details): (.routeAvailable, details)
    case .routeUnavailable(let details): (.routeUnavailable, details)
    case .alignment(let details): (.alignment, details)
    case .helper(let details): (.helper, details)
    case .device(let details): (.device, details)
    case .sourceConnected(let details): (.sourceConnected, details)
    case .sourceDisconnected(let details): (.sourceDisconnected, details)
    case .fileEnded(let details): (.fileEnded, details)
    case .inputFault(let details): (.inputFault, details)
    case .fadeFinished(let details): (.fadeFinished, details)
    case .mixChanged(let details): (.mixChanged, details)
    case .recording(let details): (.recording, details)
    case .session(let details): (.session, details)
    case .gateClosed(let details): (.gateClosed, details)
    case .decision(let details): (.decision, details)
    case .call(let details): (.call, details)
    case .permission(let details): (.permission, details)
    case .alarm(let details): (.alarm, details)
    case .nodeConnected(let details): (.nodeConnected, details)
    case .nodeGone(let details): (.nodeGone, details)
    case .nodeStarted(let details): (.nodeStarted, details)
    case .nodeLate(let details): (.nodeLate, details)
    case .nodeFault(let details): (.nodeFault, details)
    case .remoteControl(let details): (.remoteControl, details)
    case .graphApplied(let details): (.graphApplied, details)
    case .graphRefused(let details): (.graphRefused, details)
    case .error(let details): (.error, details)
    case .stopping: (.stopping, NoResult())
    case .unknown(_, let details): (nil, details)
    }
  }

  /// Reads the details that belong to a kind.
  ///
  /// - Throws: A `DecodingError` or `ControlError` where the details do not fit the kind.
  init(kind name: String, details: EventDetailsReader) throws {
    self =
      switch EventKind(rawValue: name) {
      case .serverLost: .serverLost(try details())
      case .serverBack: .serverBack(try details())
      case .hardwareChanged: .hardwareChanged(try details())
      case .latencyChanged: .latencyChanged(try details())
      case .xrun: .xrun(try details())
      case .gaveWay: .gaveWay(try details())
      case .routeAvailable: .routeAvailable(try details())
      case .routeUnavailable: .routeUnavailable(try details())
      case .alignment: .alignment(try details())
      case .helper: .helper(try details())
      case .device: .device(try details())
      case .sourceConnected: .sourceConnected(try details())
      case .sourceDisconnected: .sourceDisconnected(try details())
      case .fileEnded: .fileEnded(try details())
      case .inputFault: .inputFault(try details())
      case .fadeFinished: .fadeFinished(try details())
      case .mixChanged: .mixChanged(try details())
      case .recording: .recording(try details())
      case .session: .session(try details())
      case .gateClosed: .gateClosed(try details())
      case .decision: .decision(try details())
      case .call: .call(try details())
      case .permission: .permission(try details())
      case .alarm: .alarm(try details())
      case .nodeConnected: .nodeConnected(try details())
      case .nodeGone: .nodeGone(try details())
      case .nodeStarted: .nodeStarted(try details())
      case .nodeLate: .nodeLate(try details())
      case .nodeFault: .nodeFault(try details())
      case .remoteControl: .remoteControl(try details())
      case .graphApplied: .graphApplied(try details())
      case .graphRefused: .graphRefused(try details())
      case .error: .error(try details())
      case .stopping: .stopping
      case nil: .unknown(kind: name, details: try details())
      }
  }
}
