// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Logging
internal import Patchbay
internal import SystemSupport

/// The services that all rooms of the host share: the time, postponed work, the present attachment, and the
/// stream of events.
///
/// Belongs to the control thread; other threads reach it only through ``RoomHandle``.
final class Control {
  /// The log of the program that runs the host.
  let logger: Logger

  /// Where the host stands with its server; set by ``ServerRoom``, and by the host at its end.
  var life = Life.starting(nil)

  /// Called after each event; set by the host.
  var whenPublished: () -> Void = {}

  private let clock: any ControlClock
  private let thread: ControlThread
  private let present: (ControlEvent) -> Void
  /// The host, which the rooms reach through closures.
  private var owner: WeakBox<AnyObject>?

  /// Makes the services that the rooms of a host share.
  ///
  /// - Parameters:
  ///   - owner: The host; nil where ``belong(to:)`` names it later.
  ///   - thread: The control thread.
  ///   - clock: The time; tests move it by hand.
  ///   - logger: The log.
  ///   - present: Hands an event to the control socket and to the program that runs the host.
  init(
    owner: AnyObject? = nil,
    thread: ControlThread,
    clock: any ControlClock,
    logger: Logger,
    present: @escaping (ControlEvent) -> Void,
  ) {
    self.owner = owner.map { WeakBox($0) }
    self.thread = thread
    self.clock = clock
    self.logger = logger
    self.present = present
  }

  /// Names the host: postponed work keeps it, and is dropped once it is gone.
  func belong(to owner: AnyObject) { self.owner = WeakBox(owner) }

  /// The time in nanoseconds, on a clock that never goes back.
  var nowNanoseconds: UInt64 { clock.nowNanoseconds }

  /// The host's attachment to the server; nil while it is not attached.
  var attachment: Attachment? { life.attachment }

  /// The JACK frame now; nil while there is no server.
  var frame: UInt64? { attachment?.frame }

  /// The connections that users made and removed by hand; empty before the first attachment.
  var patches: UserPatches {
    attachment?.connections.patches ?? life.remains.map { UserPatches(of: $0.connections) }
      ?? UserPatches()
  }

  /// Reports an event to the log, to the socket's subscribers and to the program that runs the host.
  ///
  /// - Parameters:
  ///   - payload: The kind of event and its details.
  ///   - message: One sentence for people.
  ///   - frame: The JACK frame at which it happened; nil where no frame belongs to it.
  func publish(_ payload: EventPayload, _ message: String, frame: UInt64? = nil) {
    // The log level is low because the program that runs the host shows its events itself.
    logger.info("\(payload.kindName): \(message)")
    present(ControlEvent(payload, time: HostClock.stamp(frame: frame), message: message))
    whenPublished()
  }

  /// Runs `body` on the control thread after the work at hand; several bodies run in the order of these calls until
  /// each first waits.
  @discardableResult
  func task(_ body: @escaping () async -> Void) -> Task<Void, Never> {
    // Both the caller and the task run on the control thread, so the body never changes threads.
    nonisolated(unsafe) let body = body
    nonisolated(unsafe) let box = owner
    return Task(executorPreference: thread, priority: .medium) {
      guard let owner = unsafe box?.value else { return }
      unsafe await body()
      withExtendedLifetime(owner) {}
    }
  }

  /// Waits without holding up the control thread; returns early where the task is cancelled.
  ///
  /// The clock is the machine's, which goes on while the server's cycles are late: for audio time there are
  /// ``wait(on:atMost:until:)`` and ``passCycles(_:on:)``.
  func sleep(_ duration: Duration) async { await clock.sleep(duration) }

  /// A reference to a room for other threads.
  func handle<Room: AnyObject>(to room: Room) -> RoomHandle<Room> {
    RoomHandle(room, owner: owner, thread: thread)
  }
}

/// The host's time: real, or moved by hand in tests.
protocol ControlClock: AnyObject, Sendable {
  /// Nanoseconds on a clock that never goes back. [any-thread]
  var nowNanoseconds: UInt64 { get }

  /// Returns after `duration`, or when the task is cancelled. [any-thread]
  func sleep(_ duration: Duration) async
}

/// CLOCK_MONOTONIC. [any-thread]
final class MonotonicClock: ControlClock {
  var nowNanoseconds: UInt64 { HostClock.nowNanoseconds() }

  // The clock of the machine, by definition.
  func sleep(_ duration: Duration) async { try? await Task.sleep(for: duration) }
}

/// A reference to a room that any thread may hold.
///
/// Its closures run on the control thread, in their order, as long as the host exists.
struct RoomHandle<Room: AnyObject>: @unchecked Sendable {
  private let box: WeakBox<Room>
  private let owner: WeakBox<AnyObject>?
  private let thread: ControlThread

  fileprivate init(_ room: Room, owner: WeakBox<AnyObject>?, thread: ControlThread) {
    box = WeakBox(room)
    self.owner = owner
    self.thread = thread
  }

  /// Runs `body` with the room on the control thread. [any-thread]
  func callAsFunction(_ body: @escaping @Sendable (Room) -> Void) {
    thread.run { [self] in
      // Only here, on the control thread, is the room reached. Another thread may let go of the host meanwhile.
      guard let owner = owner?.value, let room = box.value else { return }
      body(room)
      withExtendedLifetime(owner) {}
    }
  }
}
