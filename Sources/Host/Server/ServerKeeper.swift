// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK
internal import Logging

/// The JACK server as the host sees it: somebody else's, or a child of the host.
///
/// Belongs to the control thread.
final class ServerKeeper {
  /// The name of the server.
  let name: String
  /// The server that the host has started; nil while it uses somebody else's.
  private(set) var process: ServerProcess?
  /// What the host has changed of a server that is not its own; given back at the end.
  private(set) var foreignSettings: (any ForeignServerSettings)?
  /// When the server first answered in the latest call of `open`, on the host's clock.
  private(set) var answeredNanoseconds: UInt64 = 0
  /// What became of the preferred sample rate, for people.
  private(set) var sampleRateReason: String?

  private let wish: GraphFile.Server
  private let logger: Logger
  private var hasAttached = false

  init(graph: GraphFile.Server, logger: Logger) {
    wish = graph
    name = graph.name ?? ServerIdentity.find().name
    self.logger = logger
  }

  /// Whether the server is the host's own.
  var isOwned: Bool { process != nil }

  /// Whether the server can be brought to another sample rate.
  var canSetSampleRate: Bool {
    isOwned || foreignSettings != nil || Self.settings(of: identity(), logger: logger) != nil
  }

  /// Opens a client; starts a server where none answers and the graph allows it.
  ///
  /// After a loss only a server of the host's own is started again: somebody else's is waited for,
  /// because its owner may be about to restart it himself.
  ///
  /// - Throws: `noServer` when none answers and none may or can be started; `badGraph` for a name that
  ///   would harm the server.
  func open(
    name clientName: String,
    preference: HardwarePreference,
  ) async throws(HostError) -> OpenedClient {
    // jackd names the sockets of its clients and its own alike: such a client takes the server's away.
    guard clientName != name else {
      throw HostError(
        .badGraph,
        "name: the host cannot have the name of its JACK server, \"\(name)\"; allowed is any other",
      )
    }
    if let process {
      try await startAgain(process, preference: preference)
    } else if wish.start == .always {
      try await startOwn(preference: preference)
    } else {
      do throws(JACKError) {
        try await force(preference)
        return try openClient(clientName)
      } catch {
        guard error.code == .noServer, wish.start == .ifNeeded, !hasAttached else {
          throw Self.failure(error, start: wish.start)
        }
        try await startOwn(preference: preference)
      }
    }
    do throws(JACKError) {
      return try openClient(clientName)
    } catch {
      throw Self.failure(error, start: wish.start)
    }
  }

  private func openClient(_ clientName: String) throws(JACKError) -> OpenedClient {
    answeredNanoseconds = HostClock.nowNanoseconds()
    let opened = try OpenedClient.open(name: clientName, server: name)
    hasAttached = true
    return opened
  }

  /// What can be found out about the server.
  func identity() -> ServerIdentity { ServerIdentity.find(name: name) }

  /// Gives back what was changed of somebody else's server, and ends the host's own.
  func stop() async {
    if let settings = foreignSettings {
      foreignSettings = nil
      await settings.giveBack()
    }
    await process?.stop()
    process = nil
  }

  // MARK: - Somebody else's

  /// Asks somebody else's server for the preferred rate, where it has an interface for that.
  private func force(_ preference: HardwarePreference) async throws(JACKError) {
    guard let wanted = preference.sampleRateHz else { return }
    let identity = identity()
    guard let settings = foreignSettings ?? Self.settings(of: identity, logger: logger) else {
      sampleRateReason = "the server is not ours to restart at \(wanted) Hz"
      return
    }
    foreignSettings = settings
    do {
      try await settings.force(
        sampleRateHz: wanted,
        bufferFrames: preference.ioBuffer?.frames(atSampleRateHz: wanted),
      )
      sampleRateReason = settings.reason
    } catch {
      sampleRateReason = "\(error)"
      logger.warning("\(error)")
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

  // MARK: - The host's own

  private func startOwn(preference: HardwarePreference) async throws(HostError) {
    let process = ServerProcess(configuration(preference))
    try await start(process)
    self.process = process
  }

  /// Has the host's own server run at the preferred rate, or else as it did before.
  private func startAgain(
    _ process: ServerProcess,
    preference: HardwarePreference,
  ) async throws(HostError) {
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
        throw HostError(.noServer, "\(error)")
      }
      sampleRateReason = "the driver does not run at \(rate) Hz"
    }
  }

  private func start(_ process: ServerProcess) async throws(HostError) {
    do throws(JACKError) {
      try await process.start()
      sampleRateReason = nil
    } catch {
      // Some drivers refuse sizes that jack_set_buffer_size can reach from another one, and cards
      // have the channels that they have.
      guard error.code == .serverDidNotStart else { throw HostError(.noServer, "\(error)") }
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
        throw HostError(.noServer, "\(error)")
      }
    }
  }

  /// A period that every driver takes.
  private static let safePeriodFrames = 1024
  /// What a server is started with where nothing is preferred (HW-5: about 0.02 s is the default).
  private static let defaultSampleRateHz = 48_000
  private static let defaultPeriodFrames = 1024

  private func configuration(_ preference: HardwarePreference) -> ServerConfiguration {
    let rate = preference.sampleRateHz ?? Self.defaultSampleRateHz
    let frames = preference.ioBuffer?.frames(atSampleRateHz: rate) ?? Self.defaultPeriodFrames
    let device = wish.device
    let driver: ServerConfiguration.Driver =
      switch wish.driver {
      case .automatic: .automatic
      case .alsa: .alsa(device: device ?? "hw:0")
      case .dummy: .dummy
      case .firewire, .net, .netone: .other(wish.driver.rawValue)
      }
    return ServerConfiguration(
      name: name,
      driver: driver,
      sampleRateHz: UInt32(rate),
      periodFrames: UInt32(frames),
      periods: UInt32(wish.periods ?? 2),
      isRealtime: wish.isRealtime,
      realtimePriority: wish.realtimePriority,
      isSynchronous: wish.isSynchronous,
      captureChannels: wish.captureChannels,
      playbackChannels: wish.playbackChannels,
      extraDriverArguments: wish.arguments,
    )
  }

  private static func failure(_ error: JACKError, start: GraphFile.Server.Start) -> HostError {
    guard error.code == .noServer else { return HostError(.jack, "\(error)") }
    let help =
      start == .never
      ? "start one, or let the graph start it with `server: {start: ifNeeded}`"
      : "waiting for it to come back"
    return HostError(.noServer, "\(error); \(help)")
  }
}
