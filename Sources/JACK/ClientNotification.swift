// SPDX-License-Identifier: MIT

/// Something that happened on the server, handed over to the control side.
///
/// Arrives some time after the fact: what it names may have changed again.
public enum ClientNotification: Sendable, Equatable {
  /// A port has come.
  case portRegistered(PortInfo)
  /// A port has gone.
  case portUnregistered(name: String)
  /// A port has another name.
  case portRenamed(from: String, to: String)
  /// Two ports have been connected.
  case portsConnected(source: String, destination: String)
  /// Two ports have been disconnected.
  case portsDisconnected(source: String, destination: String)
  /// The order of execution has changed.
  case graphReordered
  /// The period has another length; the first one is also told on activation.
  case bufferSizeChanged(frames: UInt32)
  /// The sample rate; also sent once on activation.
  case sampleRateChanged(hz: UInt32)
  /// A cycle was late: by how much, as far as JACK knows, and when.
  case xrun(delayMicroseconds: Float, frameTime: UInt32)
  /// Freewheeling has begun or ended.
  case freewheel(isOn: Bool)
  /// JACK has had the latencies computed anew.
  case latencyRecomputed(LatencyMode)
  /// A client has come.
  case clientRegistered(name: String)
  /// A client has gone.
  case clientUnregistered(name: String)
  /// A property of a client or port has changed. `key` is nil when all of them were removed.
  case propertyChanged(subject: UInt64, key: MetadataKey?, change: MetadataChange)
  /// The server has gone, or has thrown this client out. Nothing follows: close the client.
  case shutdown(status: ClientStatus, reason: String)
}
