// SPDX-License-Identifier: MIT

/// An event of the server, handed over to the control thread.
///
/// It arrives some time after the event: the ports and clients that it names may have changed again.
///
/// Pure value: [any-thread].
public enum ClientNotification: Sendable, Equatable {
  /// A port was registered.
  case portRegistered(PortInfo)
  /// A port was unregistered.
  case portUnregistered(name: String)
  /// A port has another name.
  case portRenamed(from: String, to: String)
  /// Two ports have been connected.
  case portsConnected(source: String, destination: String)
  /// Two ports have been disconnected.
  case portsDisconnected(source: String, destination: String)
  /// The order of execution has changed.
  case graphReordered
  /// The period has another length; also sent once on activation.
  case bufferSizeChanged(frames: UInt32)
  /// The sample rate; also sent once on activation.
  case sampleRateChanged(hz: UInt32)
  /// A cycle was late, with its delay as far as JACK knows it, and its time.
  case xrun(delayMicroseconds: Float, frameTime: UInt32)
  /// Freewheeling has begun or ended.
  case freewheel(isOn: Bool)
  /// JACK has had all clients compute their latencies again.
  case latencyRecomputed(LatencyMode)
  /// A client was opened.
  case clientRegistered(name: String)
  /// A client was closed.
  case clientUnregistered(name: String)
  /// A property of a client or port has changed. `key` is nil when all of them were removed.
  case propertyChanged(subject: UInt64, key: MetadataKey?, change: MetadataChange)
  /// The server has ended, or has closed this client. This is the last notification: close the client.
  case shutdown(status: ClientStatus, reason: String)
}

/// Late cycles that JACK has reported to a client.
public struct XrunStatistics: Equatable, Sendable {
  /// Late cycles since the client was opened.
  public internal(set) var count: UInt64 = 0
  /// Delay of the last one, as far as JACK knows it.
  public internal(set) var lastDelayMicroseconds: Float = 0
  /// Longest delay.
  public internal(set) var maxDelayMicroseconds: Float = 0
  /// The frame time of the last one; nil before the first.
  public internal(set) var lastFrameTime: UInt32?
}
