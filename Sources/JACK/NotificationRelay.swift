// SPDX-License-Identifier: MIT

internal import CJACK
internal import CRealtime
internal import Synchronization

/// Receives JACK's callbacks on JACK's threads and hands values over; nothing else happens there.
///
/// The exceptions are what has to be done in the callback itself: the latency ranges, looking up the names
/// behind port numbers, which reads shared memory, and what a client must know before JACK freewheels.
@safe
final class NotificationRelay: Sendable {
  private static let capacity = 8192

  private struct Shared: Sendable {
    var portNames: [UInt32: String] = [:]
    var xruns = XrunStatistics()
    var latency = LatencyPlan()
    var lostCount: UInt64 = 0
    var onFreewheel: (@Sendable (Bool) -> Void)?
  }

  private nonisolated(unsafe) let client: OpaquePointer
  private let continuation: AsyncStream<ClientNotification>.Continuation
  private let shared = Mutex(Shared())
  private let hasShutDown = Atomic<Bool>(false)
  private let wantedPriority = Atomic<Int32>(0)

  var isServerGone: Bool { hasShutDown.load(ordering: .acquiring) }
  var xruns: XrunStatistics { shared.withLock { $0.xruns } }
  var lostCount: UInt64 { shared.withLock { $0.lostCount } }

  private init(
    client: OpaquePointer,
    continuation: AsyncStream<ClientNotification>.Continuation,
  ) {
    unsafe self.client = unsafe client
    self.continuation = continuation
  }

  static func make(
    client: OpaquePointer
  ) -> (AsyncStream<ClientNotification>, NotificationRelay) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ClientNotification.self,
      bufferingPolicy: .bufferingNewest(capacity),
    )
    return unsafe (stream, NotificationRelay(client: client, continuation: continuation))
  }

  /// Ends the stream.
  func finish() {
    continuation.finish()
  }

  func updateLatency(_ body: (inout LatencyPlan) -> Void) {
    shared.withLock { body(&$0.latency) }
  }

  func raise(priority: Int32) { wantedPriority.store(priority, ordering: .relaxed) }

  func setFreewheelHandler(_ handler: @escaping @Sendable (Bool) -> Void) {
    shared.withLock { $0.onFreewheel = handler }
  }

  // MARK: - On JACK's threads

  /// Gives JACK's thread the priority that is wanted, once: only it can do so itself.
  func settlePriority() {
    guard wantedPriority.load(ordering: .relaxed) > 0 else { return }
    let priority = wantedPriority.exchange(0, ordering: .relaxed)
    // Refused, it stays as it is.
    if priority > 0 { _ = realtime_thread_raise(priority) }
  }

  func yield(_ notification: ClientNotification) {
    if case .dropped = continuation.yield(notification) {
      shared.withLock { $0.lostCount += 1 }
    }
  }

  func portChanged(id: UInt32, isRegistered: Bool) {
    let info = unsafe jack_port_by_id(client, id).flatMap { unsafe PortInfo(port: $0, of: client) }
    if isRegistered {
      guard let info else { return }
      shared.withLock { $0.portNames[id] = info.name }
      yield(.portRegistered(info))
    } else {
      let known = shared.withLock { $0.portNames.removeValue(forKey: id) }
      guard let name = known ?? info?.name else { return }
      yield(.portUnregistered(name: name))
    }
  }

  func portRenamed(id: UInt32, from: String, to: String) {
    shared.withLock { $0.portNames[id] = to }
    yield(.portRenamed(from: from, to: to))
  }

  func portsChanged(source: UInt32, destination: UInt32, isConnected: Bool) {
    guard let source = portName(source), let destination = portName(destination) else { return }
    yield(
      isConnected
        ? .portsConnected(source: source, destination: destination)
        : .portsDisconnected(source: source, destination: destination)
    )
  }

  /// The port may be gone already when we hear of the end of its connections.
  private func portName(_ id: UInt32) -> String? {
    if let known = shared.withLock({ $0.portNames[id] }) { return known }
    guard let port = unsafe jack_port_by_id(client, id),
      let name = unsafe jack_port_name(port), unsafe name.pointee != 0
    else { return nil }
    return unsafe String(cString: name)
  }

  func xrun() {
    let delay = unsafe jack_get_xrun_delayed_usecs(client)
    let frameTime = unsafe jack_frame_time(client)
    shared.withLock { shared in
      shared.xruns.count += 1
      shared.xruns.lastDelayMicroseconds = delay
      shared.xruns.maxDelayMicroseconds = max(shared.xruns.maxDelayMicroseconds, delay)
      shared.xruns.lastFrameTime = frameTime
    }
    yield(.xrun(delayMicroseconds: delay, frameTime: frameTime))
  }

  func freewheel(isOn: Bool) {
    let handler = shared.withLock { $0.onFreewheel }
    handler?(isOn)
    yield(.freewheel(isOn: isOn))
  }

  func computeLatency(_ mode: LatencyMode) {
    let plan = shared.withLock { $0.latency }
    plan.apply(mode)
    yield(.latencyRecomputed(mode))
  }

  func shutDown(status: ClientStatus, reason: String) {
    guard !hasShutDown.exchange(true, ordering: .acquiringAndReleasing) else { return }
    yield(.shutdown(status: status, reason: reason))
  }
}
