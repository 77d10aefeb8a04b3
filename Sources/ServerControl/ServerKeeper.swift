// SPDX-License-Identifier: MIT

internal import CRealtime
internal import Glibc
package import GraphFiles
package import JACK
package import Logging
internal import SystemSupport

/// The host's JACK server: one that another program owns, or a child of the host.
///
/// Belongs to the control thread.
package final class ServerKeeper {
  /// The name of the server.
  package let name: String
  /// The server that the host has started; nil while it uses another program's.
  package private(set) var process: ServerProcess?
  /// Values that the host has set at another program's server; restored at the end.
  package private(set) var foreignSettings: (any ForeignServerSettings)?
  /// Time of the first answer of the server in the latest call of `open`, on the host's clock.
  package private(set) var answeredNanoseconds: UInt64 = 0
  /// The reason for the server's sample rate, for messages; nil without one.
  package private(set) var sampleRateReason: String?

  private let graph: GraphFile.Server
  private let directory: String
  private let logger: Logger
  /// The proof that the server is this host's; nil while it uses another program's, and where no file can be written.
  private var claim: ServerClaim?
  private var hasAttached = false
  private var warnings = RepeatedWarnings()

  /// Makes a keeper that is not on its server yet.
  ///
  /// - Parameters:
  ///   - graph: The settings.
  ///   - directory: The folder of the control sockets, in which a host finds the server that a killed one has left.
  ///   - logger: Takes warnings and the server's output.
  package init(graph: GraphFile.Server, directory: String, logger: Logger) {
    self.graph = graph
    self.directory = directory
    name = graph.name ?? ServerIdentity.find().name
    self.logger = logger
  }

  /// Whether the server is the host's own.
  package var isOwned: Bool { process != nil }

  /// Whether the server can be brought to another sample rate.
  package var canSetSampleRate: Bool {
    isOwned || foreignSettings != nil || Self.settings(of: identity(), logger: logger) != nil
  }

  /// Opens a client; takes over a server that a killed host has left, or starts one if none answers, where the graph allows it.
  ///
  /// After a loss only the host's own server is started again. For another program's server the host waits,
  /// because its owner may be about to restart it.
  ///
  /// - Throws: `noServer` if a server does not answer and may not or cannot be started; `badGraph`
  ///   for a name that would harm the server.
  package func open(
    name clientName: String,
    preference: ServerPreference,
  ) async throws(ServerControlError) -> OpenedClient {
    // jackd names its own socket and those of its clients by one pattern, so a client of this name
    // would replace the server's socket.
    guard clientName != name else {
      throw ServerControlError(
        .badName,
        "name: the host cannot have the name of its JACK server, \"\(name)\"; allowed is any other",
      )
    }
    if !hasAttached, process == nil, graph.start != .never { takeOver(preference) }
    if let process {
      try await startAgain(process, preference: preference)
    } else if graph.start == .always {
      try await startOwn(preference: preference)
    } else {
      do throws(JACKError) {
        try await force(preference)
        return try openClient(clientName)
      } catch {
        guard error.code == .noServer, graph.start == .ifNeeded, !hasAttached else {
          throw Self.failure(error, start: graph.start)
        }
        try await startOwn(preference: preference)
      }
    }
    do throws(JACKError) {
      return try openClient(clientName)
    } catch {
      throw Self.failure(error, start: graph.start)
    }
  }

  private func openClient(_ clientName: String) throws(JACKError) -> OpenedClient {
    answeredNanoseconds = realtime_now_nanoseconds()
    let opened = try OpenedClient.open(name: clientName, server: name)
    hasAttached = true
    return opened
  }

  /// Program, process and driver of the server, as far as the system shows them.
  package func identity() -> ServerIdentity { ServerIdentity.find(name: name) }

  /// Restores the settings of another program's server, and ends the host's own.
  package func stop() async {
    if let settings = foreignSettings {
      foreignSettings = nil
      await settings.giveBack()
    }
    await process?.stop()
    process = nil
    claim?.withdraw()
    claim = nil
  }

  // MARK: - Another program's server

  /// The values to restore should the host be killed; nil for a server whose settings the host has not changed.
  package var loan: ServerLoan? { foreignSettings?.loan }

  /// Sets the buffer size of a server that does not take it from JACK.
  ///
  /// - Parameter bufferFrames: The size; nil for the one before the host's.
  /// - Returns: False where JACK sets it, and nothing was done; the outcome shows in the size.
  package func setBuffer(_ bufferFrames: Int?) async -> Bool {
    guard !isOwned else { return false }
    let identity = identity()
    guard identity.kind == .pipewire,
      let settings = foreignSettings ?? Self.settings(of: identity, logger: logger)
    else { return false }
    foreignSettings = settings
    do {
      return try await settings.setBuffer(bufferFrames)
    } catch {
      if warnings.isNew("\(error)") { logger.warning("\(error)") }
      return true
    }
  }

  /// Sets the preferred rate at another program's server, where it has an interface for that.
  private func force(_ preference: ServerPreference) async throws(JACKError) {
    guard let wanted = preference.sampleRateHz else { return }
    let identity = identity()
    guard let settings = foreignSettings ?? Self.settings(of: identity, logger: logger) else {
      sampleRateReason = "the host does not restart another program's server at \(wanted) Hz"
      return
    }
    foreignSettings = settings
    do {
      try await settings.force(
        sampleRateHz: wanted,
        // PipeWire's size is negotiated once a client is open.
        bufferFrames: identity.kind == .pipewire
          ? nil : preference.ioBuffer?.frames(atSampleRateHz: wanted),
      )
      sampleRateReason = settings.reason
      warnings.forget()
    } catch {
      sampleRateReason = "\(error)"
      // While the server is away, the host tries again and again.
      if warnings.isNew("\(error)") { logger.warning("\(error)") }
    }
  }

  private static func settings(
    of identity: ServerIdentity,
    logger: Logger,
  ) -> (any ForeignServerSettings)? {
    switch identity.kind {
    case .pipewire: PipeWireSettings(logger: logger)
    case .jackdbus: JACKDBusSettings(logger: logger)
    case .jackd, .unknown: nil
    }
  }

  // MARK: - The host's own server

  private func startOwn(preference: ServerPreference) async throws(ServerControlError) {
    // A start that failed has left the claim, whose lock a second one would not get.
    claim = claim ?? ServerClaim(server: name, directory: directory)
    // Without a claim no other host would find the server that outlives this one.
    let bond: ChildProcess.Bond = claim == nil ? .bound : .detached
    let process = ServerProcess(configuration(preference), bond: bond, left: nil)
    try await start(process)
    self.process = process
    tellOfSilence(process)
  }

  /// Warns where nobody may hear the server that was started.
  private func tellOfSilence(_ process: ServerProcess) {
    if graph.driver == .automatic, process.driverName == "dummy" {
      logger.warning(
        "this machine has no sound card: the JACK server \"\(name)\" plays into nothing; 'multiroute doctor' tells more"
      )
    }
    if PipeWireDaemon.isListening {
      logger.warning(
        "PipeWire runs, and its programs do not see this JACK server: 'multiroute run --through-pipewire' plays on PipeWire instead"
      )
    }
  }

  /// Takes over the server that a killed host has left: its guard and programs play there.
  private func takeOver(_ preference: ServerPreference) {
    guard let claim = ServerClaim(server: name, directory: directory), let left = claim.left else {
      return
    }
    logger.notice("took over the JACK server \"\(name)\" that a killed host has left (\(left.pid))")
    var configuration = configuration(preference)
    configuration.take(commandLine: Machine.this.commandLine(of: left.pid))
    self.claim = claim
    process = ServerProcess(configuration, bond: .detached, left: left)
  }

  /// Restarts the host's own server at the preferred rate, or as before where that fails.
  private func startAgain(
    _ process: ServerProcess,
    preference: ServerPreference,
  ) async throws(ServerControlError) {
    let former = process.configuration
    guard let rate = preference.sampleRateHz, former.sampleRateHz != UInt32(rate) else {
      return try await start(process)
    }
    var wanted = former
    wanted.sampleRateHz = UInt32(rate)
    wanted.periodFrames =
      preference.ioBuffer.map { UInt32($0.frames(atSampleRateHz: rate)) } ?? former.periodFrames
    do throws(JACKError) {
      try await process.restart(with: wanted)
      sampleRateReason = nil
    } catch {
      logger.warning("\(error); back to \(former.sampleRateHz) Hz")
      do throws(JACKError) {
        try await process.restart(with: former)
      } catch {
        throw ServerControlError(.noServer, "\(error)")
      }
      sampleRateReason = "the driver does not run at \(rate) Hz"
    }
    noteProcess(process)
  }

  private func noteProcess(_ process: ServerProcess) {
    if let pid = process.pid { claim?.note(pid) }
  }

  private func start(_ process: ServerProcess) async throws(ServerControlError) {
    do throws(JACKError) {
      try await process.start()
      sampleRateReason = nil
    } catch {
      // Some drivers refuse a size at the start that jack_set_buffer_size can reach later, and a card may have fewer
      // channels.
      guard error.code == .serverDidNotStart else {
        throw ServerControlError(.noServer, "\(error)")
      }
      logger.warning(
        "\(error); trying \(Self.safePeriodFrames) frames and all channels of the device"
      )
      var configuration = process.configuration
      configuration.periodFrames = UInt32(Self.safePeriodFrames)
      configuration.captureChannels = nil
      configuration.playbackChannels = nil
      do throws(JACKError) {
        try await process.restart(with: configuration)
      } catch {
        throw ServerControlError(.noServer, "\(error)")
      }
    }
    noteProcess(process)
  }

  /// A period that every driver takes.
  private static let safePeriodFrames = 1024
  /// Values for a server without preferences (HW-5: about 0.02 s is the default).
  private static let defaultSampleRateHz = 48_000
  private static let defaultPeriodFrames = 1024

  /// The ALSA device of the server that the host would start or take over now; nil if one of another program runs, or for
  /// another driver.
  ///
  /// Asks the system: [any-thread].
  package static func deviceToStart(_ graph: GraphFile.Server, directory: String) -> String? {
    let name = graph.name ?? ServerIdentity.find().name
    let isOther =
      ServerIdentity.isListening(name: name)
      && ServerClaim(server: name, directory: directory)?.left == nil
    return isOther ? nil : device(of: graph)
  }

  /// The ALSA device of a server that the host would start with these settings; nil for another driver, and for none.
  ///
  /// Asks the system: [any-thread].
  package static func device(of graph: GraphFile.Server) -> String? {
    guard graph.start != .never else { return nil }
    let (driver, device) = ServerConfiguration(driver: self.driver(of: graph)).resolvedDriver
    return driver == "alsa" ? device : nil
  }

  private static func driver(of graph: GraphFile.Server) -> ServerConfiguration.Driver {
    switch graph.driver {
    case .automatic: .automatic
    case .alsa: .alsa(device: graph.device ?? "hw:0")
    case .dummy: .dummy
    case .firewire, .net, .netone: .other(graph.driver.rawValue)
    }
  }

  private func configuration(_ preference: ServerPreference) -> ServerConfiguration {
    let rate = preference.sampleRateHz ?? Self.defaultSampleRateHz
    let frames = preference.ioBuffer?.frames(atSampleRateHz: rate) ?? Self.defaultPeriodFrames
    var configuration = ServerConfiguration(
      name: name,
      driver: Self.driver(of: graph),
      sampleRateHz: UInt32(rate),
      periodFrames: UInt32(frames),
      periods: UInt32(graph.periods ?? 2),
      isRealtime: graph.isRealtime,
      realtimePriority: graph.realtimePriority,
      isSynchronous: graph.isSynchronous,
      captureChannels: graph.captureChannels,
      playbackChannels: graph.playbackChannels,
      extraDriverArguments: graph.arguments,
    )
    configuration.isPlaybackOnly = graph.isPlaybackOnly
    return configuration
  }

  private static func failure(_ error: JACKError, start: GraphFile.Server.Start)
    -> ServerControlError
  {
    guard error.code == .noServer else { return ServerControlError(.refused, "\(error)") }
    let help =
      start == .never
      ? "start one, or let the graph start it with `server: {start: ifNeeded}`"
      : "waiting for it to come back"
    return ServerControlError(.noServer, "\(error); \(help)")
  }
}
