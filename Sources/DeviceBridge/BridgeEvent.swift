// SPDX-License-Identifier: MIT

/// Something that happened to a bridge: the `event` line.
public struct BridgeEvent: Sendable, Equatable, Codable {
  /// What kind of thing.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// The process runs.
    case started
    /// The lock state changed.
    case lockChanged
    /// The read pointer was moved while sound passed.
    case resync
    /// The device ran empty or full.
    case xrun
    /// JACK itself was late.
    case jackXrun
    /// The device is there.
    case deviceOpened
    /// The device went away, or could not be opened.
    case deviceLost
    /// A call into the device's driver does not come back.
    case deviceStuck
    /// The client is on the server.
    case serverConnected
    /// The server went away, or is not there.
    case serverLost
    /// JACK's period has another length.
    case bufferSizeChanged
    /// JACK's rate is another one.
    case sampleRateChanged
    /// JACK's freewheeling began or ended.
    case freewheel
    /// The process ends.
    case stopped
  }

  /// Always `event`.
  public var type = "event"
  /// What kind of thing.
  public var kind: Kind
  /// The lock state before.
  public var from: String?
  /// The lock state after.
  public var to: String?
  /// What happened, for people.
  public var message: String

  init(_ kind: Kind, _ message: String, from: LockState? = nil, to: LockState? = nil) {
    self.kind = kind
    self.message = message
    self.from = from?.name
    self.to = to?.name
  }
}

/// A line of a bridge's output.
public enum BridgeOutput: Sendable {
  /// How it is.
  case status(BridgeStatus)
  /// What happened.
  case event(BridgeEvent)
}
