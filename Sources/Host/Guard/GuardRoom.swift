// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK

/// The guard: the process that keeps clients patched, captures cut, and gives back hardware values, when the host dies.
///
/// Starts one as soon as there are orders, sends it each change of them, and starts another if it has gone.
/// Belongs to the control thread.
final class GuardRoom {
  private let control: Control
  private let hasProgram: Bool
  private let connectsPorts: Bool
  private let inForce: GraphRoom
  private let start: () -> (any GuardConnection)?
  private let relieve: () -> Void
  private var connection: (any GuardConnection)?
  /// The orders that the present guard has.
  private var sent: GuardOrders?
  /// Whether an update is due at the end of the control thread's present turn.
  private var isDue = false
  /// The time at which the guard was first seen stopped; nil while it runs.
  private var stoppedNanoseconds: UInt64?
  /// Whether the guard of an earlier host has been told that this host needs none.
  private var hasRelieved = false
  private let word = GuardSeat.newToken()

  /// The time after which a stopped guard is replaced, in nanoseconds.
  private static let stopLimitNanoseconds: UInt64 = 500_000_000

  /// Makes a room without a guard.
  ///
  /// - Parameters:
  ///   - configuration: The guard's program.
  ///   - graph: The graph, with the rules that need a guard.
  ///   - control: The services that all rooms share.
  ///   - relieve: Ends the guard of an earlier host of this name.
  ///   - start: Starts a guard; nil where it cannot be started.
  init(
    configuration: HostConfiguration,
    graph: GraphRoom,
    control: Control,
    relieve: @escaping () -> Void = {},
    start: @escaping () -> (any GuardConnection)?,
  ) {
    self.relieve = relieve
    self.control = control
    self.start = start
    hasProgram = configuration.guardProgram != nil
    connectsPorts = configuration.connectsPorts
    inForce = graph
  }

  /// Whether this host may have a guard.
  var isEnabled: Bool { hasProgram }
  /// The word by which a guard knows the next host.
  var token: String { word }

  /// Whether a guard runs, or ran when it was looked at last.
  var hasGuard: Bool { connection != nil }

  /// Sends the guard its orders if they have changed; starts a guard if none runs.
  ///
  /// - Parameters:
  ///   - hasGates: Whether captures may be cut.
  ///   - hasLoan: Whether the server has values to be given back; without these, gates and adopted clients no guard
  ///     is needed.
  ///   - orders: The orders now; asked for only where a guard is needed.
  func update(hasGates: Bool, hasLoan: Bool = false, orders: () -> GuardOrders) {
    let hasClients = connectsPorts && (inForce.file.adoptsClients || hasGates)
    // A guard that runs has to hear that nothing is left to give back.
    guard isEnabled, hasClients || hasLoan || connection != nil else {
      // A new guard ends the one before it; without one the host does so.
      if !hasRelieved { relieve() }
      hasRelieved = true
      return
    }
    if connection?.isRunning != true {
      if let connection {
        control.publish(.error(), "the guard (pid \(connection.pid)) is gone; another starts")
      }
      connection = start()
      sent = nil
      if connection == nil { control.publish(.error(), "no guard can be started") }
    }
    let new = orders()
    // A guard that takes no orders now gets them at the next change.
    if let connection, new != sent, connection.send(new) { sent = new }
  }

  /// Ends a guard that has been stopped, by SIGSTOP for example; ``update(hasGates:hasLoan:orders:)`` starts another.
  ///
  /// A stopped guard would do nothing at the host's death, and its JACK client would hold up each client that is opened.
  /// By the host's timer.
  func look() {
    guard let connection, connection.isRunning, connection.isStopped else {
      stoppedNanoseconds = nil
      return
    }
    let since = stoppedNanoseconds ?? control.nowNanoseconds
    stoppedNanoseconds = since
    guard control.nowNanoseconds &- since >= Self.stopLimitNanoseconds else { return }
    stoppedNanoseconds = nil
    connection.kill()
    self.connection = nil
    control.publish(.error(), "the guard (pid \(connection.pid)) is stopped; another starts")
  }

  /// Updates once at the end of the control thread's present turn, after gates have changed.
  ///
  /// The timer comes after the change has been kept in a file: a host that dies between the two would leave a guard that
  /// connects a paused player to the hardware.
  ///
  /// - Parameter update: Sends the orders of that time.
  func updateSoon(_ update: @escaping () -> Void) {
    guard !isDue else { return }
    isDue = true
    control.task { [weak self] in
      self?.isDue = false
      update()
    }
  }

  /// Ends the guard, because the host ends in an orderly manner; returns when it is reaped.
  func end() async {
    guard let last = connection else { return }
    connection = nil
    var orders = sent
    orders?.isEnd = true
    let isInformed = orders.map { last.send($0) } ?? false
    await last.end(isInformed: isInformed)
  }
}

/// The host's connection to a running guard.
///
/// Belongs to the control thread.
protocol GuardConnection: AnyObject {
  /// The guard's process id.
  var pid: Int32 { get }
  /// Whether the guard runs; a dead one is reaped.
  var isRunning: Bool { get }
  /// Whether a signal has stopped the guard.
  var isStopped: Bool { get }
  /// Ends the guard at once, also a stopped one.
  func kill()
  /// Sends orders without waiting; false if they could not be sent. [control-thread]
  func send(_ orders: GuardOrders) -> Bool
  /// Waits for the guard's end, and kills it after 500 ms.
  ///
  /// - Parameter isInformed: Whether the guard knows that it is to end; else it gets SIGTERM.
  ///
  /// [control-thread]
  func end(isInformed: Bool) async
}

extension Rooms {
  /// Sends the guard its orders when the present changes of gates are complete.
  func tellGuardSoon() { guarding.updateSoon { [weak self] in self?.tellGuard() } }

  /// Sends the guard its orders after a change of gains, while it has a guard.
  func tellGuardOfMix() {
    if guarding.hasGuard { tellGuard() }
  }

  /// Sends the guard its orders for the host's death, if they have changed.
  func tellGuard() {
    guard let attachment = control.attachment else { return }
    let buffer = hardware.bufferLoan
    let settings = hardware.serverLoan
    guarding.update(hasGates: capture.hasGates, hasLoan: buffer != nil || settings != nil) {
      GuardOrders(
        server: attachment.serverName,
        client: PortNames.guardClient(of: attachment.clients),
        placements: adoption.patch.placements
          .map { GuardOrders.Placement(port: $0.port, hardware: $0.hardware) }
          .sorted { $0.port < $1.port },
        cuts: capture.closedGates
          .map { GuardOrders.Cut(source: $0.source, client: $0.client) },
        captures: capture.guardedCaptures
          .map { GuardOrders.Captures(ports: $0.ports, permitted: $0.permitted) },
        token: guarding.token,
        buffer: buffer,
        settings: settings,
      )
    }
  }
}
