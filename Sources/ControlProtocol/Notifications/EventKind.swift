// SPDX-License-Identifier: MIT

/// What an event tells of.
///
/// A structure and not an enumeration, so that an older client meets newer kinds without an error.
public struct EventKind: RawRepresentable, Hashable, Sendable, Codable {
  /// The name on the wire.
  public let rawValue: String

  /// Makes a kind from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The JACK server is gone.
  public static let serverLost = Self(rawValue: "serverLost")
  /// The JACK server is back and the host plays again.
  public static let serverBack = Self(rawValue: "serverBack")
  /// The buffer size or the sample rate changed.
  public static let hardwareChanged = Self(rawValue: "hardwareChanged")
  /// The way between a route and its device has become longer or shorter.
  public static let latencyChanged = Self(rawValue: "latencyChanged")
  /// A cycle was late.
  public static let xrun = Self(rawValue: "xrun")
  /// A route's ports are there.
  public static let routeAvailable = Self(rawValue: "routeAvailable")
  /// A route's ports are gone.
  public static let routeUnavailable = Self(rawValue: "routeUnavailable")
  /// A source's ports are there and connected.
  public static let sourceConnected = Self(rawValue: "sourceConnected")
  /// A source's ports are gone.
  public static let sourceDisconnected = Self(rawValue: "sourceDisconnected")
  /// A fade reached its end or was taken over.
  public static let fadeFinished = Self(rawValue: "fadeFinished")
  /// A gain, mute, solo, cue, pan, send or the crossfader was changed.
  public static let mixChanged = Self(rawValue: "mixChanged")
  /// The host gives up enforcing a hardware value against another program.
  public static let gaveWay = Self(rawValue: "gaveWay")
  /// A route's delay was changed to align it.
  public static let alignment = Self(rawValue: "alignment")
  /// The helper program of a route started, ended, or told something.
  public static let helper = Self(rawValue: "helper")
  /// A sound card appeared or vanished.
  public static let device = Self(rawValue: "device")
  /// A recorder began or finished a file, failed or lost frames.
  public static let recording = Self(rawValue: "recording")
  /// A file source played to its end.
  public static let fileEnded = Self(rawValue: "fileEnded")
  /// A session is told something: an interruption, a route, the loss of the server.
  public static let session = Self(rawValue: "session")
  /// A session's gate has closed: it is exact silence from the frame in `time` on.
  public static let gateClosed = Self(rawValue: "gateClosed")
  /// The tower decided something, by the rule in the details.
  public static let decision = Self(rawValue: "decision")
  /// A program needs the user's answer, or has another one.
  public static let permission = Self(rawValue: "permission")
  /// A node has been connected.
  public static let nodeConnected = Self(rawValue: "nodeConnected")
  /// A node is gone, or is waited for.
  public static let nodeGone = Self(rawValue: "nodeGone")
  /// A node's program has been started.
  public static let nodeStarted = Self(rawValue: "nodeStarted")
  /// A strip goes on without nodes that have not been in time.
  public static let nodeLate = Self(rawValue: "nodeLate")
  /// A node is left out because something is wrong with it.
  public static let nodeFault = Self(rawValue: "nodeFault")
  /// A node has asked something of the transport.
  public static let remoteControl = Self(rawValue: "remoteControl")
  /// Something failed; the host goes on with the rest.
  public static let error = Self(rawValue: "error")
  /// The host is ending.
  public static let stopping = Self(rawValue: "stopping")

  /// Every kind of this protocol version.
  public static let known: [EventKind] = [
    .serverLost, .serverBack, .hardwareChanged, .latencyChanged, .xrun, .routeAvailable,
    .routeUnavailable,
    .sourceConnected, .sourceDisconnected, .fadeFinished, .mixChanged, .gaveWay, .fileEnded,
    .session, .gateClosed, .decision, .permission, .recording, .nodeConnected, .nodeGone,
    .nodeStarted, .nodeLate, .nodeFault, .remoteControl, .error, .stopping,
  ]
}
