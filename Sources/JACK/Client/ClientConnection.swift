// SPDX-License-Identifier: MIT

internal import CJACK
internal import Glibc
internal import Synchronization
internal import SystemSupport

/// The calls of an open client: ports, connections, metadata, transport, time.
///
/// May be shared and kept: after closing, every call throws `closed` without a call of libjack. Calls
/// of one client wait for each other, as libjack requires, so the audio thread may not make them.
///
/// Safe from any thread but the audio thread: [any-thread].
@safe
public final class ClientConnection: Sendable {
  /// The name JACK has given.
  public let name: String
  /// The name that was asked for.
  public let requestedName: String
  /// The server's name.
  public let server: String
  /// The subject of the client's metadata.
  public let uuid: UInt64
  /// Events of the server, from activation on, for one reader.
  ///
  /// Ends when the client is closed. The newest 8192 are kept until they are read.
  public let notifications: AsyncStream<ClientNotification>

  /// State guarded by the lock.
  @safe
  struct State: @unchecked Sendable {
    var client: OpaquePointer?
    var ports: Set<AnyClientPort> = []
    /// The kinds of own connections that the server is known to honour.
    var honoured: Set<OwnReach> = []
  }

  let relay: NotificationRelay
  let ledger = MetadataLedger()
  private let state: Mutex<State>
  /// The process that opened the client: libjack's threads are there, and nowhere else.
  private let owner = ForkMark()
  private let isClosing = Atomic<Bool>(false)
  private nonisolated(unsafe) let process: UnsafeMutablePointer<ProcessContext>

  /// Whether JACK has given another name than the one asked for.
  public var wasRenamed: Bool { name != requestedName }
  /// Whether the client is closed, or being closed.
  public var isClosed: Bool { isClosing.load(ordering: .acquiring) }
  /// Whether the server has gone: all that is left to do is to close the client.
  public var isServerGone: Bool { relay.isServerGone }

  private init(client: OpaquePointer, requestedName: String, server: String) {
    let process = UnsafeMutablePointer<ProcessContext>.allocate(capacity: 1)
    unsafe process.initialize(to: ProcessContext(client: client))
    unsafe self.process = unsafe process
    self.name = unsafe String(cString: jack_get_client_name(client))
    self.requestedName = requestedName
    self.server = server
    self.uuid = unsafe Self.uuid(of: client)
    unsafe self.state = Mutex(State(client: client))
    (self.notifications, self.relay) = unsafe NotificationRelay.make(client: client)
  }

  deinit {
    unsafe process.deinitialize(count: 1)
    unsafe process.deallocate()
  }

  private static func uuid(of client: OpaquePointer) -> UInt64 {
    guard let text = unsafe jack_get_uuid_for_client_name(client, jack_get_client_name(client))
    else { return 0 }
    defer { unsafe jack_free(text) }
    var uuid: jack_uuid_t = 0
    return unsafe jack_uuid_parse(text, &uuid) == 0 ? uuid : 0
  }

  /// Runs `body` with libjack's client while no other call of the client runs.
  func withClient<Result: Sendable>(
    _ call: String,
    _ subject: String,
    _ body: (OpaquePointer, inout State) throws(JACKError) -> Result,
  ) throws(JACKError) -> Result {
    guard !owner.isInChild else { throw JACKError(.forked, call: call, subject: subject) }
    guard !isClosed else { throw JACKError(.closed, call: call, subject: subject) }
    guard !isServerGone else { throw JACKError(.serverGone, call: call, subject: subject) }
    return try state.withLock { state throws(JACKError) in
      guard let client = unsafe state.client else {
        throw JACKError(.closed, call: call, subject: subject)
      }
      return try unsafe body(client, &state)
    }
  }

  /// Runs `body` with libjack's client, also if its server has gone; nil once the client is closed, and in a forked child.
  func withOpenClient<Result: Sendable>(_ body: (OpaquePointer) -> Result) -> Result? {
    guard !owner.isInChild else { return nil }
    return state.withLock { state in
      guard let client = unsafe state.client else { return nil }
      return unsafe body(client)
    }
  }

  /// Delivers JACK's notifications at a real-time priority, from the next one on, where that is allowed.
  ///
  /// The server waits for the answer of each client's notification thread when it computes latencies.
  ///
  /// - Parameter priority: SCHED_FIFO, 1…99; below that of the audio threads.
  ///
  /// [any-thread]
  public func raiseNotifications(priority: Int32) { relay.raise(priority: priority) }

  // MARK: - Opening and closing

  /// A thread of libjack may begin late.
  private static let createsThreads: Void = cjack_create_threads()

  static func open(
    name: String,
    server: String?,
    exactName: Bool,
    hearsXruns: Bool,
  ) throws(JACKError) -> ClientConnection {
    let call = "jack_client_open"
    JACKLogging.installDefault()
    if let fault = JACKLibrary.fault(inClientName: name) {
      throw JACKError(.invalidName, call: call, subject: name, detail: fault)
    }
    guard !Lifecycle.isInChild else { throw JACKError(.forked, call: call, subject: name) }
    let serverName = server ?? ServerIdentity.defaultName
    return try Lifecycle.exclusively(call: call, subject: name) { () throws(JACKError) in
      try Lifecycle.check(server: serverName, call: call, subject: name)
      _ = Self.createsThreads
      // Already the search for a server opens the store.
      MetadataStore.prepare()
      let client = try unsafe openClient(name: name, server: server, exactName: exactName)
      let connection = unsafe ClientConnection(
        client: client,
        requestedName: name,
        server: serverName,
      )
      connection.relay.markFreewheel { [weak connection] isOn in
        guard let connection else { return }
        unsafe connection.process.pointee.isFreewheeling.store(isOn, ordering: .relaxed)
      }
      unsafe connection.relay.attach(to: client, hearsXruns: hearsXruns)
      Lifecycle.add(connection.relay, server: serverName)
      return connection
    }
  }

  /// How often a client is opened, and activated, before a failure counts.
  ///
  /// jackd has limits of wall time that libjack does not meet with a second try, and a machine that is busy for a moment is later now and
  /// then: the thread of a new client's notifications has 2 s to answer (`SOCKET_TIME_OUT` of jack2's JackConstants.h; seen beside
  /// `stress-ng --cpu 4`), and its audio thread 20 periods to begin, 27 ms with 64 frames, unless the user gives more by `-t`
  /// (`ClientActivate` of JackEngine.cpp).
  private static let openTries = 3

  /// Opens a client of libjack, again where it fails though the server listens.
  private static func openClient(
    name: String,
    server: String?,
    exactName: Bool,
  ) throws(JACKError) -> OpaquePointer {
    let serverName = server ?? ServerIdentity.defaultName
    let options = JackNoStartServer.rawValue | (exactName ? JackUseExactName.rawValue : 0)
    var tries = 0
    while true {
      var status = jack_status_t(rawValue: 0)
      let client = unsafe MetadataStore.use {
        unsafe cjack_client_open(name, jack_options_t(options), &status, server)
      }
      if let client = unsafe client { return unsafe client }
      tries += 1
      var reason = ClientStatus(status)
      if exactName, isTaken(name, server: server) { reason.insert(.nameNotUnique) }
      // libjack says so of all that happens once the server's socket is open.
      let isForNow = reason.contains(.serverError) && !reason.contains(.nameNotUnique)
      guard isForNow, tries < openTries, ServerIdentity.isListening(name: serverName) else {
        throw openError(name: name, server: serverName, status: reason)
      }
    }
  }

  /// Whether a client of this name exists: jackd does not say that this was the reason.
  private static func isTaken(_ name: String, server: String?) -> Bool {
    var status = jack_status_t(rawValue: 0)
    let probe = unsafe MetadataStore.use {
      unsafe cjack_client_open("probe", JackNoStartServer, &status, server)
    }
    guard let probe = unsafe probe else { return false }
    defer { MetadataStore.use { _ = unsafe jack_client_close(probe) } }
    guard let uuid = unsafe jack_get_uuid_for_client_name(probe, name) else { return false }
    unsafe jack_free(uuid)
    return true
  }

  private static func openError(name: String, server: String, status: ClientStatus) -> JACKError {
    let (code, detail): (JACKError.Code, String) =
      if status.contains(.nameNotUnique) {
        (.nameTaken, "another client of the server \"\(server)\" has this name")
      } else if status.contains(.versionError) {
        (.openFailed, "the server \"\(server)\" is of another version than libjack")
      } else if status.contains(.serverFailed) {
        (.noServer, "no JACK server answers under the name \"\(server)\"")
      } else {
        (.openFailed, "the server \"\(server)\" did not accept the client")
      }
    return JACKError(code, call: "jack_client_open", subject: name, status: status, detail: detail)
  }

  func activate(process: ProcessFunction, context: UnsafeMutableRawPointer?) throws(JACKError) {
    let call = "jack_activate"
    guard !owner.isInChild else { throw JACKError(.forked, call: call, subject: name) }
    try Lifecycle.exclusively(call: call, subject: name) { () throws(JACKError) in
      try unsafe withClient(call, name) { client, _ throws(JACKError) in
        unsafe self.process.pointee.userContext = unsafe context
        unsafe jack_set_process_callback(client, process, self.process)
        for _ in 1..<Self.openTries {
          guard unsafe jack_activate(client) != 0 else { return }
          // jackd activates it later, and libjack takes it for active.
          unsafe jack_deactivate(client)
        }
        guard unsafe jack_activate(client) == 0 else {
          throw JACKError(.refused, call: call, subject: name)
        }
      }
    }
  }

  func deactivate() throws(JACKError) {
    let call = "jack_deactivate"
    guard !owner.isInChild else { throw JACKError(.forked, call: call, subject: name) }
    try Lifecycle.exclusively(call: call, subject: name) { () throws(JACKError) in
      try unsafe withClient(call, name) { client, _ throws(JACKError) in
        guard unsafe jack_deactivate(client) == 0 else {
          throw JACKError(.refused, call: call, subject: name)
        }
      }
    }
  }

  /// Closes on a separate thread, which keeps everything alive that libjack may still use.
  @discardableResult
  func close(within limit: Duration) -> CloseOutcome {
    // A forked child would close the client of its parent.
    guard !owner.isInChild else { return .closed }
    guard !isClosing.exchange(true, ordering: .acquiringAndReleasing) else { return .closed }
    let serverWasGone = isServerGone
    let isDone = MonotonicSemaphore(value: 0)
    let hasThread = BackgroundThread.start(name: "jack-close") {
      self.closeNow()
      isDone.signal()
    }
    if !hasThread { closeNow() }
    if hasThread, !isDone.wait(within: limit) {
      return .timedOut
    }
    return serverWasGone ? .serverWasGone : .closed
  }

  private func closeNow() {
    Lifecycle.exclusively {
      let last = state.withLock { state in
        defer { unsafe state = State(client: nil) }
        return state
      }
      if let client = unsafe last.client {
        if isServerGone { unsafe ledger.withdraw(client) }
        // The last client of a process closes the store.
        let close = { _ = MetadataStore.use { unsafe jack_client_close(client) } }
        NotificationDrain(client: name)?.drain(while: close) ?? close()
      }
      relay.finish()
      Lifecycle.remove(relay)
    }
  }

  // MARK: - Statistics

  /// Cost of the process callback since activation, or since the last reset. [any-thread]
  public var processStatistics: ProcessStatistics {
    unsafe process.pointee.statistics
  }

  /// Starts the process statistics anew with the next cycle. [any-thread]
  public func resetProcessStatistics() {
    unsafe process.pointee.shouldReset.store(true, ordering: .relaxed)
  }

  /// Late cycles that JACK has reported since the client was opened. [any-thread]
  public var xruns: XrunStatistics { relay.xruns }
}
