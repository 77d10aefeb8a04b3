// SPDX-License-Identifier: MIT

/// The kinds of events of this protocol version; the raw value is the name on the wire.
///
/// docs/protocol.md has a row for each. Pure value: [any-thread].
public enum EventKind: String, CaseIterable, Hashable, Sendable {
  /// The JACK server is gone.
  case serverLost
  /// The JACK server is back and the host plays again.
  case serverBack
  /// The buffer size or the sample rate changed.
  case hardwareChanged
  /// The latency between a route and its device changed.
  case latencyChanged
  /// A cycle was late.
  case xrun
  /// The host no longer enforces a hardware value or a connection against another program.
  case gaveWay
  /// A route has its ports.
  case routeAvailable
  /// A route's ports are gone.
  case routeUnavailable
  /// A route's delay was changed to align it.
  case alignment
  /// The helper program of a route started, ended, or reported something.
  case helper
  /// A sound card appeared or vanished.
  case device
  /// A source's ports are there and connected.
  case sourceConnected
  /// A source's ports are gone.
  case sourceDisconnected
  /// A file source played to its end.
  case fileEnded
  /// Samples of a strip, a route or a capture were no sound, and were silenced or clamped.
  case inputFault
  /// A fade reached its end, or another change took over.
  case fadeFinished
  /// A gain, mute, solo, cue, pan, send, effect or the crossfader was changed.
  case mixChanged
  /// A recorder began or finished a file, failed, or lost frames.
  case recording
  /// A session was notified: of an interruption, a route, the loss of the server.
  case session
  /// A session's strip is exact silence from the frame in `time` on.
  case gateClosed
  /// The tower decided something, by the rule in the details.
  case decision
  /// A call rings, is answered, is declined or ends.
  case call
  /// A program needs the user's answer, or has a new one.
  case permission
  /// A program keeps connecting itself to what it may not hear, or has ended that.
  case alarm
  /// A node is connected.
  case nodeConnected
  /// A node is gone, or the host waits for it.
  case nodeGone
  /// A node's program was started.
  case nodeStarted
  /// A strip or route continues without its late nodes.
  case nodeLate
  /// A node is left out because of a fault.
  case nodeFault
  /// A node asked something of the transport.
  case remoteControl
  /// Another version of the graph is in force.
  case graphApplied
  /// A version of the graph was refused; the one before stays in force.
  case graphRefused
  /// A failure; the host continues with the rest.
  case error
  /// The host is ending.
  case stopping
}
