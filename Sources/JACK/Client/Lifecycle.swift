// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization
internal import SystemSupport

/// Opens, activates and closes clients one at a time, and knows which are open.
///
/// libjack is not thread-safe there. It also ties the whole process to one server: a client of a
/// second server, or one opened while clients of a dead server are still open, would look into the
/// wrong shared memory, so both are refused.
///
/// Safe from any thread: [any-thread].
enum Lifecycle {
  private struct OpenClient {
    let server: String
    let relay: NotificationRelay
  }

  private static let gate = MonotonicSemaphore(value: 1)
  /// The process that has opened the first client, or tried to.
  private static let owner = ForkMark()
  private static let openClients = Mutex<[ObjectIdentifier: OpenClient]>([:])

  /// The longest wait for another thread's call.
  private static let patienceSeconds = 10

  /// libjack writes to sockets that a dying server closes; that must not end this process.
  private static let ignoreBrokenPipes: Void = {
    var current = sigaction()
    unsafe sigaction(SIGPIPE, nil, &current)
    if unsafe current.__sigaction_handler.sa_handler == nil {
      signal(SIGPIPE, SIG_IGN)
    }
  }()

  /// Whether this process was forked from one that has opened clients, whose libjack threads it does not have.
  static var isInChild: Bool { owner.isInChild }

  /// Runs `body` while no other thread opens, activates or closes. [control-thread]
  static func exclusively<Result: Sendable>(
    call: String,
    subject: String,
    _ body: () throws(JACKError) -> Result,
  ) throws(JACKError) -> Result {
    _ = ignoreBrokenPipes
    guard gate.wait(within: .seconds(patienceSeconds)) else {
      throw JACKError(
        .timedOut,
        call: call,
        subject: subject,
        detail: "an earlier call has been stuck in libjack for \(patienceSeconds) s",
      )
    }
    defer { gate.signal() }
    return try body()
  }

  /// Runs `body` while no other thread opens, activates or closes, however long that takes.
  static func exclusively(_ body: () -> Void) {
    gate.wait()
    defer { gate.signal() }
    body()
  }

  /// Refuses what libjack cannot do; inside `exclusively`.
  static func check(server: String, call: String, subject: String) throws(JACKError) {
    let (others, dead) = openClients.withLock { clients in
      (
        clients.values.first { $0.server != server }?.server,
        clients.values.count { $0.relay.isServerGone }
      )
    }
    if dead > 0 {
      throw JACKError(
        .otherServerInUse,
        call: call,
        subject: subject,
        detail: "\(dead) client(s) of a server that has gone are still open: close them first",
      )
    }
    if let others {
      throw JACKError(
        .otherServerInUse,
        call: call,
        subject: subject,
        detail: "this process is a client of the server \"\(others)\": a process can have one",
      )
    }
  }

  /// Notes that a client is open; inside `exclusively`.
  static func add(_ relay: NotificationRelay, server: String) {
    openClients.withLock { $0[ObjectIdentifier(relay)] = OpenClient(server: server, relay: relay) }
  }

  /// Notes that a client is closed; inside `exclusively`.
  static func remove(_ relay: NotificationRelay) {
    openClients.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(relay)) }
  }
}
