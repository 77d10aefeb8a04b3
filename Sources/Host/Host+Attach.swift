// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Logging
internal import Mixing

extension Host {
  /// Opens clients on the server (starting one where that is allowed), applies the preferred values, and
  /// makes ports and connections.
  ///
  /// The first time and after each loss alike: gains, players and connections are those of before.
  func attach() async throws(HostError) {
    var opened = try await server.open(name: configuration.graph.name, preference: preference)
    hardware = HardwareFacts()
    do throws(JACKError) {
      opened = try await negotiate(opened)
      try await appear(with: opened)
    } catch {
      presence?.close()
      presence = nil
      throw HostError(.jack, "\(error)")
    }
  }

  /// Brings the server to the preferred values, as far as it goes (HW-2).
  private func negotiate(
    _ opened: consuming OpenedClient
  ) async throws(JACKError) -> OpenedClient {
    let connection = opened.connection
    hardware.identity = server.identity(of: connection)
    hardware.sampleRateHz = Int(try connection.sampleRateHz)
    hardware.bufferFrames = Int(try connection.bufferFrames)
    await hardware.applySampleRate(preference, server: server, connection: connection)
    await hardware.applyBuffer(preference, connection: connection)
    return opened
  }

  /// Makes the engine, the ports and the connections.
  private func appear(with opened: consuming OpenedClient) async throws(JACKError) {
    let rate = Double(hardware.sampleRateHz)
    let bank = try await sources(sampleRateHz: rate)
    let spec =
      mix?.engine.spec
      ?? MixBuilder.spec(
        of: configuration.graph,
        channels: bank.channels,
        sampleRateHz: rate,
      )
    let graph = configuration.graph
    var made: MixEngine?
    let presence = try Presence(opened, graph: graph, spec: spec, bank: bank) {
      tag throws(JACKError) in
      let engine = try Self.engine(spec, graph: graph, sampleRateHz: rate, tag: tag)
      made = engine
      return engine
    }
    self.presence = presence
    guard let engine = made else { return }
    mix = MixControl(engine: engine)
    listen(to: presence.mix)
    let rules = GraphRules.rules(
      of: graph,
      channels: bank.channels,
      mixClient: presence.mix.name,
      sourceClient: presence.sources?.name,
    )
    keeper.adopt(rules: configuration.connectsPorts ? rules : [], ownPorts: presence.ownPorts)
    try readPorts(of: presence.mix)
    connectMissing()
    phase = .running
    tellAvailability()
    if presence.mix.wasRenamed {
      publish(
        .hardwareChanged,
        "the name \"\(presence.mix.requestedName)\" was taken; "
          + "JACK calls this host \"\(presence.mix.name)\"",
      )
    }
  }

  private static func engine(
    _ spec: MixSpec,
    graph: GraphFile,
    sampleRateHz: Double,
    tag: UInt64,
  ) throws(JACKError) -> MixEngine {
    do throws(MixError) {
      return try MixEngine(
        spec,
        configuration: MixEngine.Configuration(
          sampleRateHz: sampleRateHz,
          standardFadeSeconds: graph.rampDuration.seconds,
        ),
        tag: tag,
      )
    } catch {
      throw JACKError(.invalidValue, call: "mix", subject: graph.path, detail: "\(error)")
    }
  }
}
