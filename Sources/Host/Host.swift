// SPDX-License-Identifier: MIT

public import ControlProtocol
internal import ControlSocket
internal import Glibc
internal import GraphFiles
public import Logging
internal import Mixing
internal import ServerControl

/// A running graph, which owns all state of the host.
///
/// JACK's notifications, requests of the control socket and timers reach it as calls of this actor, which
/// runs on a separate thread. Its rooms hold the state. [control-thread]
public actor Host {
  /// The graph and the settings of the command line.
  public nonisolated let configuration: HostConfiguration
  /// The host's reports, for one reader: the program that runs it.
  public nonisolated let outputs: AsyncStream<HostOutput>

  nonisolated let thread = ControlThread()
  let rooms: Rooms

  /// The actor's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Makes a host; ``start()`` starts it.
  ///
  /// The captures of a server that it is about to start are left to a bridge where permissions count (PRM-4).
  public init(configuration: HostConfiguration, logger: Logger) {
    var configuration = configuration
    let directory = configuration.socketDirectory ?? SocketPath.directory()
    if configuration.connectsPorts,
      let device = ServerKeeper.deviceToStart(configuration.graph.server, directory: directory)
    {
      configuration.bridgedDevice = device
      for pattern in configuration.graph.bridgeCaptures(ofDevice: device) {
        logger.warning(
          "\(pattern) is too long to find the bridged captures of \(device) too; name their ports, or write 'server: {captures: direct}'"
        )
      }
    }
    self.init(
      configuration: configuration,
      logger: logger,
      server: JACKServer(configuration.graph.server, directory: directory, logger: logger),
      clock: MonotonicClock(),
    )
  }

  /// Makes a host for a server, a clock and a guard; tests use their own.
  init(
    configuration: HostConfiguration,
    logger: Logger,
    server: sending any HostServer,
    clock: any ControlClock,
    relieveGuard: @escaping @Sendable (HostConfiguration) -> Void = GuardSeat.relieve,
    startGuard: @escaping @Sendable (HostConfiguration) -> (any GuardConnection)? =
      GuardLink.start,
  ) {
    self.configuration = configuration
    let stream: AsyncStream<HostOutput>.Continuation
    (outputs, stream) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4096))
    rooms = Rooms(
      configuration: configuration,
      output: OutputRoom(configuration: configuration, stream: stream),
      thread: thread,
      server: server,
      clock: clock,
      logger: logger,
      relieveGuard: { relieveGuard(configuration) },
      startGuard: { startGuard(configuration) },
    )
    rooms.control.belong(to: self)
  }

  /// Runs a request on the control thread, with all rooms within reach.
  func run<Result: Sendable, Failure: Error>(
    _ body: @Sendable (Rooms) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await body(rooms)
  }

  // MARK: - Life

  /// Attaches to the server, plays, and serves the control socket.
  ///
  /// Returns when all sources play.
  ///
  /// - Throws: ``HostError``; all that was opened is closed then.
  public func start() async throws(HostError) {
    // A stopped host of this name would keep the name, and its JACK clients would hold up each one that is opened.
    await StoppedProcess.endHost(
      named: configuration.graph.name,
      directory: configuration.socketDirectory
    )
    GuardSeat.announce(host: configuration.graph.name)
    do throws(HostError) {
      try await rooms.output.open(router(), on: thread, logger: rooms.control.logger)
      try await live()
    } catch {
      let last = rooms.control.attachment
      rooms.control.life = .stopped
      await tearDown(last)
      throw error
    }
    await startSurfaces()
    rooms.pace.begin()
  }

  /// Restores the kept state, and attaches to the server.
  ///
  /// - Throws: ``HostError`` if no server answers, or the event log cannot be written.
  func live() async throws(HostError) {
    rooms.levels.begin()
    joinRooms()
    rooms.keeping.restore()
    rooms.scenes.restore()
    beginControllers()
    rooms.sessions.restore(
      permissions: rooms.keeping.permissions,
      preferences: rooms.keeping.preferences,
    )
    rooms.capture.restore(answeredFiles: rooms.keeping.answeredFiles)
    if let path = configuration.eventLogPath {
      do throws(EventLogWriter.Fault) {
        try rooms.sessions.writeLog(to: path)
      } catch {
        throw HostError(.badGraph, "no event log: \(error)")
      }
    }
    try await rooms.server.attach()
  }

  /// Joins the rooms that call the host itself, because their reports concern all rooms.
  private func joinRooms() {
    rooms.sources.join { [unowned rooms] strip in rooms.sessions.fileEnded(strip: strip) }
    rooms.control.whenPublished = { [unowned rooms] in rooms.parameters.changed() }
    rooms.pace.join(
      PaceRoom.Links(
        settle: { [unowned self] in
          assumeIsolated { $0.settle() }
        },
        look: { [unowned self] in assumeIsolated { $0.look() } },
        tick: { [unowned levels = rooms.levels] in levels.tick },
      )
    )
    rooms.server.join(
      ServerRoom.Links(
        appear: { [unowned rooms] opened in try rooms.attachment(with: opened) },
        attached: { [unowned self] keepingSessions in
          assumeIsolated { $0.attached(keepingSessions: keepingSessions) }
        },
        left: { [unowned rooms] remains in rooms.levels.add(cycles: remains.cycles) },
        closing: { [unowned rooms] in
          rooms.capture.end()
          rooms.controllers.end()
        },
        lost: { [unowned rooms] in
          rooms.keeping.keep(rooms.programSnapshots())
          rooms.sessions.serverLost()
          rooms.adoption.serverLost()
        },
        stateChanged: { [unowned rooms] in rooms.keeping.changed() },
      )
    )
  }

  /// Fades out, leaves the server, and ends; a server that the host started ends too.
  ///
  /// - Parameter fadeSeconds: The length of the fade; nil for 50 ms, which is heard as an end and not as a
  ///   click.
  public func stop(fadeSeconds: Double? = nil) async {
    if case .stopped = rooms.control.life { return }
    let last = rooms.control.attachment
    rooms.keeping.close()
    rooms.control.publish(.stopping, "the host stops")
    rooms.adoption.moveToHardware()
    rooms.control.life = .stopped
    await rooms.adoption.releasePlayers(on: last)
    await rooms.guarding.end()
    if let last {
      await last.fadeOut(seconds: fadeSeconds ?? 0.05)
    }
    await tearDown(last)
    rooms.output.end()
  }

  /// Writes the kept state, and returns when it is on the disk.
  ///
  /// - Throws: ``HostError`` with the path and the system's reason.
  public func save() async throws(HostError) {
    do throws(KeptFile.Fault) {
      try await rooms.keeping.save()
    } catch {
      throw HostError(.notKept, "the state cannot be kept: \(error)")
    }
  }

  private func tearDown(_ last: Attachment?) async {
    rooms.pace.end()
    await rooms.server.giveUp()
    await rooms.hardware.isSettled()
    if let last { rooms.hardware.giveBack(on: last) }
    rooms.capture.end()
    rooms.controllers.end()
    rooms.nodes.end()
    last?.close()
    await rooms.routes.end()
    await rooms.recording.end()
    await rooms.server.end()
    await rooms.surfaces.end()
    rooms.learning.end()
    await rooms.output.close()
  }

  // MARK: - Status

  /// The state of the whole host at this moment.
  public func status() -> HostStatus { rooms.status() }
}
