// SPDX-License-Identifier: MIT

internal import JACK
internal import Realtime
internal import Synchronization

/// The control side of a published node: follows the host through metadata.
///
/// One task reads the client's notifications; what it learns goes to the audio thread through a
/// queue and a flag, to the program as events.
final class NodeLink: Sendable {
  private struct State: Sendable {
    var host: HostInfo?
    var hostUUID: UInt64?
    var remoteControlCount = 0
    var overruns = 0
  }

  let connection: ClientConnection
  let events: AsyncStream<NodeEvent>
  private let continuation: AsyncStream<NodeEvent>.Continuation
  private let announcements: SPSCQueue<HostTransportState>.Producer
  private let setConnected: @Sendable (Bool) -> Void
  private let state = Mutex(State())
  private let task = Mutex<[Task<Void, Never>]>([])

  init(
    connection: ClientConnection,
    announcements: SPSCQueue<HostTransportState>.Producer,
    setConnected: @escaping @Sendable (Bool) -> Void,
  ) {
    self.connection = connection
    self.announcements = announcements
    self.setConnected = setConnected
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
  }

  var host: HostInfo? { state.withLock { $0.host } }

  func start() {
    let listening = Task { [self] in
      for await notification in connection.notifications { take(notification) }
      continuation.finish()
    }
    let watching = Task { [self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(100))
        watchDuration()
      }
    }
    task.withLock { $0 = [listening, watching] }
  }

  func stop() {
    for task in task.withLock({ $0 }) { task.cancel() }
    setConnected(false)
    continuation.finish()
  }

  // MARK: - To the host

  func sendRemoteControl(_ event: AudioUnitRemoteControlEvent) throws(JACKError) {
    let count = state.withLock { state in
      state.remoteControlCount += 1
      return state.remoteControlCount
    }
    try connection.setMetadata(
      MetadataValue("\(event.rawValue) \(count)"),
      for: NodeMetadata.remoteControl,
      of: connection.uuid,
    )
  }

  /// Asks the host to come to the front.
  func activateHost() throws(JACKError) {
    guard let uuid = state.withLock({ $0.hostUUID }) else { return }
    try connection.askToActivate(uuid)
  }

  /// Tells the host of callbacks that took longer than their period (IAA-6).
  private func watchDuration() {
    guard let frames = try? connection.bufferFrames, let rate = try? connection.sampleRateHz else {
      return
    }
    let periodNanoseconds = UInt64(frames) * 1_000_000_000 / UInt64(max(1, rate))
    guard connection.processStatistics.maxNanoseconds > periodNanoseconds else { return }
    connection.resetProcessStatistics()
    let count = state.withLock { state in
      state.overruns += 1
      return state.overruns
    }
    // Where the server has just gone, nobody is left to be told.
    try? connection.setMetadata(
      .integer(count),
      for: NodeMetadata.overruns,
      of: connection.uuid,
    )
  }

  // MARK: - From the host

  private func take(_ notification: ClientNotification) {
    switch notification {
    case .propertyChanged(let subject, let key, _):
      if subject == connection.uuid, key == NodeMetadata.connectedHost || key == nil {
        hostChanged()
      } else if subject == connection.uuid, key == NodeMetadata.activate {
        let text = (try? connection.metadata(for: NodeMetadata.activate, of: subject))?.text ?? ""
        continuation.yield(.activated(by: String(text.prefix { $0 != " " })))
      } else if subject == state.withLock({ $0.hostUUID }), key == NodeMetadata.hostTransport {
        if takeTransport(of: subject) { continuation.yield(.hostTransportChanged) }
      }
    case .clientUnregistered(let name):
      guard host?.client == name else { return }
      forgetHost()
      // What the dead host has written on this client would keep others away.
      try? connection.removeMetadata(for: NodeMetadata.connectedHost, of: connection.uuid)
      continuation.yield(.hostDied(name: name))
    case .shutdown:
      forgetHost()
      continuation.yield(.serverGone)
    default:
      break
    }
  }

  private func hostChanged() {
    let written = (try? connection.metadata(for: NodeMetadata.connectedHost, of: connection.uuid))?
      .text
    let prefix = connection.server + "/"
    guard let written, written.hasPrefix(prefix) else {
      guard host != nil else { return }
      forgetHost()
      continuation.yield(.disconnected)
      return
    }
    let client = String(written.dropFirst(prefix.count))
    guard host?.client != client else { return }
    let uuid = try? connection.uuid(ofClient: client)
    let metadata = uuid.flatMap { try? connection.metadata(of: $0) } ?? [:]
    let info = HostInfo(
      client: client,
      name: metadata[.prettyName]?.text ?? client,
      iconName: metadata[.iconName]?.text,
    )
    state.withLock { state in
      state.host = info
      state.hostUUID = uuid
    }
    if uuid.map(takeTransport) != true { endTransport() }
    setConnected(true)
    continuation.yield(.connected(info))
  }

  /// Hands what a host has announced to the audio thread; false where it has announced nothing.
  private func takeTransport(of host: UInt64) -> Bool {
    guard
      let text = (try? connection.metadata(for: NodeMetadata.hostTransport, of: host))?.text,
      let announced = HostTransportState(text: text)
    else { return false }
    // Full only when the callback stands still; the next change tells all there is to know again.
    _ = announcements.push(announced)
    return true
  }

  /// Recording and cycle end with the host that announced them.
  private func endTransport() {
    // Where the server is gone no callback comes any more.
    guard let frame = try? connection.frameTime else { return }
    _ = announcements.push(HostTransportState(fromFrame: frame))
  }

  private func forgetHost() {
    endTransport()
    state.withLock { state in
      state.host = nil
      state.hostUUID = nil
    }
    setConnected(false)
  }
}

extension ClientConnection {
  /// Asks the program behind a client to come to the front: the original's opening of PeerURL.
  func askToActivate(_ uuid: UInt64) throws(JACKError) {
    let before = try metadata(for: NodeMetadata.activate, of: uuid)?.text ?? ""
    let count = before.split(separator: " ").last.flatMap { Int($0) } ?? 0
    try setMetadata(
      MetadataValue("\(name) \(count + 1)"),
      for: NodeMetadata.activate,
      of: uuid,
    )
  }
}
