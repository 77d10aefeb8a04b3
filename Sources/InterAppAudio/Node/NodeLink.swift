// SPDX-License-Identifier: MIT

internal import JACK
internal import Realtime
internal import Synchronization

/// The control side of a published node: follows the host through JACK's metadata.
///
/// One task reads the client's notifications. It hands the host's state to the audio thread through ``HostSignals``, and
/// to the program as events. [any-thread] except the audio thread.
final class NodeLink: Sendable {
  private struct State: Sendable {
    var host: HostInfo?
    var hostUUID: UInt64?
    var isStopped = false
    var remoteControlCount = 0
    var overruns = 0
  }

  let connection: ClientConnection
  let events: AsyncStream<NodeEvent>
  private let continuation: AsyncStream<NodeEvent>.Continuation
  private let signals: HostSignals
  private let parameters: [NodeParameter]
  private let hostWasRead: @Sendable () -> Void
  private let state = Mutex(State())
  private let task = Mutex<[Task<Void, Never>]>([])

  init(
    connection: ClientConnection,
    signals: HostSignals,
    parameters: [NodeParameter],
    hostWasRead: @escaping @Sendable () -> Void,
  ) {
    self.connection = connection
    self.signals = signals
    self.parameters = parameters
    self.hostWasRead = hostWasRead
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

  /// Ends the tasks without waiting for them; a host that is being read now is not taken up any more.
  ///
  /// The events end as soon as the task that reads notifications has ended. [any-thread]
  func stop() {
    state.withLock { state in
      state.isStopped = true
      leaveHost(&state)
    }
    for task in task.withLock({ $0 }) { task.cancel() }
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

  /// Publishes the number of callbacks that took longer than their period (IAA-6).
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
    // If the server has just ended, there is no host to read it.
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
      } else if subject == connection.uuid, let name = key.flatMap(NodeMetadata.parameterName) {
        takeParameter(name)
      } else if subject == connection.uuid, key == NodeMetadata.activate {
        let text = (try? connection.metadata(for: NodeMetadata.activate, of: subject))?.text ?? ""
        continuation.yield(.activated(by: String(text.prefix { $0 != " " })))
      } else if subject == state.withLock({ $0.hostUUID }), key == NodeMetadata.hostTransport {
        if takeTransport(of: subject) { continuation.yield(.hostTransportChanged) }
      } else if subject == state.withLock({ $0.hostUUID }), key == NodeMetadata.hostFlags {
        takeFlags(of: subject)
      }
    case .clientUnregistered(let name):
      guard host?.client == name else { return }
      forgetHost()
      // The property of the dead host on this client would refuse other hosts.
      try? connection.removeMetadata(for: NodeMetadata.connectedHost, of: connection.uuid)
      continuation.yield(.hostDied(name: name))
    case .shutdown:
      forgetHost()
      continuation.yield(.serverGone)
    default:
      break
    }
  }

  /// Hands the value of a parameter to the audio thread; one that is not allowed is ignored.
  private func takeParameter(_ name: String) {
    let key = NodeMetadata.parameter(name)
    guard let index = parameters.firstIndex(where: { $0.name == name }),
      let text = (try? connection.metadata(for: key, of: connection.uuid))?.text,
      let value = NodeParameterList.value(text, of: parameters[index])
    else { return }
    signals.parameters.set(value, at: index)
    continuation.yield(.parameterChanged(name: name, value: value))
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
    let flags = NodeFlags(text: metadata[NodeMetadata.hostFlags]?.text ?? "")
    let component = try? connection.metadata(
      for: NodeMetadata.hostComponent,
      of: connection.uuid,
    )
    let info = HostInfo(
      client: client,
      name: metadata[.prettyName]?.text ?? client,
      iconName: metadata[.iconName]?.text,
      takesRemoteControl: flags.contains(.remoteControl),
      hasBackgroundAudio: flags.contains(.backgroundAudio),
      component: component.flatMap { AudioComponentDescription(text: $0.text) },
    )
    hostWasRead()
    if uuid.map(takeTransport) != true { endTransport() }
    let isConnected = state.withLock { state in
      guard !state.isStopped else { return false }
      state.host = info
      state.hostUUID = uuid
      signals.setConnected(true)
      return true
    }
    if isConnected { continuation.yield(.connected(info)) }
  }

  /// Takes in a host's changed flags (IAA-8).
  private func takeFlags(of host: UInt64) {
    guard let text = (try? connection.metadata(for: NodeMetadata.hostFlags, of: host))?.text else {
      return
    }
    let flags = NodeFlags(text: text)
    state.withLock { state in
      guard state.hostUUID == host else { return }
      state.host?.takesRemoteControl = flags.contains(.remoteControl)
      state.host?.hasBackgroundAudio = flags.contains(.backgroundAudio)
    }
  }

  /// Hands a host's announced state to the audio thread; false if it announced none.
  private func takeTransport(of host: UInt64) -> Bool {
    guard
      let text = (try? connection.metadata(for: NodeMetadata.hostTransport, of: host))?.text,
      let announced = HostTransportState(text: text)
    else { return false }
    // The queue is full only while the callback does not run; the next change has the whole state again.
    _ = signals.announcements.push(announced)
    return true
  }

  /// Reports to the audio thread that recording and loop ended with their host.
  private func endTransport() {
    // Without a server, no callback runs any more.
    guard let frame = try? connection.frameTime else { return }
    _ = signals.announcements.push(HostTransportState(fromFrame: frame))
  }

  private func forgetHost() {
    endTransport()
    state.withLock { leaveHost(&$0) }
  }

  private func leaveHost(_ state: inout State) {
    state.host = nil
    state.hostUUID = nil
    signals.setConnected(false)
  }
}

extension ClientConnection {
  /// Asks the program of a client to come to the front, as opening PeerURL does in the original.
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
