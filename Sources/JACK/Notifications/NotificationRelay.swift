// SPDX-License-Identifier: MIT

internal import CJACK
internal import Synchronization
internal import SystemSupport

/// Receives JACK's callbacks on JACK's threads and hands values over to the client's stream.
///
/// Three things are done in the callback itself: setting latency ranges, looking up the names behind port numbers in
/// shared memory, and calling the handler that a client needs before JACK freewheels.
///
/// Safe from any thread but the audio thread: [any-thread].
@safe
final class NotificationRelay: Sendable {
  private static let capacity = 8192

  private struct Shared: Sendable {
    var portNames: [UInt32: String] = [:]
    var xruns = XrunStatistics()
    var latency = LatencyPlan()
    var lostCount: UInt64 = 0
    var markFreewheel: (@Sendable (Bool) -> Void)?
    var onFreewheel: (@Sendable (Bool) -> Void)?
    var connectionReports: [ObjectIdentifier: ConnectionReports] = [:]
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

  /// Tells `reports` of connections and of the graph's order from now on.
  func add(_ reports: ConnectionReports) {
    shared.withLock { $0.connectionReports[ObjectIdentifier(reports)] = reports }
  }

  /// Stops telling `reports`.
  func remove(_ reports: ConnectionReports) {
    shared.withLock { $0.connectionReports[ObjectIdentifier(reports)] = nil }
  }

  func raise(priority: Int32) { wantedPriority.store(priority, ordering: .relaxed) }

  /// Has the client's own process callback know of freewheeling.
  func markFreewheel(_ mark: @escaping @Sendable (Bool) -> Void) {
    shared.withLock { $0.markFreewheel = mark }
  }

  func setFreewheelHandler(_ handler: @escaping @Sendable (Bool) -> Void) {
    shared.withLock { $0.onFreewheel = handler }
  }

  // MARK: - On JACK's threads

  /// Raises the priority of the calling thread, JACK's, once after each ``raise(priority:)``.
  func settlePriority() {
    guard wantedPriority.load(ordering: .relaxed) > 0 else { return }
    let priority = wantedPriority.exchange(0, ordering: .relaxed)
    // Refused, it stays as it is.
    if priority > 0 { BackgroundThread.raisePriority(priority) }
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

  private var connectionReports: Dictionary<ObjectIdentifier, ConnectionReports>.Values {
    shared.withLock { $0.connectionReports }.values
  }

  func graphReordered() {
    yield(.graphReordered)
    for reports in connectionReports { reports.graphReordered() }
  }

  func portsChanged(source: UInt32, destination: UInt32, isConnected: Bool) {
    guard let source = portName(source), let destination = portName(destination) else { return }
    yield(
      isConnected
        ? .portsConnected(source: source, destination: destination)
        : .portsDisconnected(source: source, destination: destination)
    )
    guard isConnected else { return }
    for reports in connectionReports { reports.connected(source, to: destination) }
  }

  /// Name of a port; nil for one that is gone.
  ///
  /// A port may be gone before the report of its last disconnection, so its name is kept from its
  /// registration.
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
    let (mark, handler) = shared.withLock { ($0.markFreewheel, $0.onFreewheel) }
    mark?(isOn)
    handler?(isOn)
    yield(.freewheel(isOn: isOn))
  }

  func computeLatency(_ mode: LatencyMode) {
    let plan = shared.withLock { $0.latency }
    if plan.isStated { plan.apply(mode) } else { plan.applyStandard(mode) }
    yield(.latencyRecomputed(mode))
  }

  func shutDown(status: ClientStatus, reason: String) {
    guard !hasShutDown.exchange(true, ordering: .acquiringAndReleasing) else { return }
    yield(.shutdown(status: status, reason: reason))
  }
}

/// JACK's reports on one connection, for a thread that waits for them. [any-thread]
///
/// JACK reports a connection when it accepts it, and the graph's new order when the connection is listed. Asking for the
/// list in between puts the asking thread to sleep for longer than a period (jackd2, `WaitGraphChange`).
final class ConnectionReports: Sendable {
  private enum Progress { case nothing, accepted, listed }

  private let source: String
  private let destination: String
  private let progress = Mutex(Progress.nothing)
  private let reports = MonotonicSemaphore(value: 0)

  /// Makes an account of the connection between two ports, named in full as JACK names them.
  init(from source: String, to destination: String) {
    self.source = source
    self.destination = destination
  }

  func connected(_ source: String, to destination: String) {
    guard source == self.source, destination == self.destination else { return }
    progress.withLock { if $0 == .nothing { $0 = .accepted } }
    reports.signal()
  }

  func graphReordered() {
    progress.withLock { if $0 == .accepted { $0 = .listed } }
    reports.signal()
  }

  /// Returns whether JACK has reported the connection before `deadline`: as accepted, or `forListing` as listed.
  func wait(forListing: Bool, until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let progress = progress.withLock { $0 }
      if progress == .listed || (!forListing && progress == .accepted) { return true }
      guard reports.wait(until: deadline) else { return false }
    }
  }
}
