// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// Sample rates that sessions prefer.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TowerRateTests {
  private func start(
    server: String,
    environment: [String: String] = [:],
    in scratch: Scratch,
  ) async throws -> HostProcess {
    let graph = try scratch.write(
      """
      multiroute: 1
      session:
        category: playback
        options: [mixWithOthers]
        preferred: {sampleRate: 48 kHz, ioBufferFrames: 128}
      tower: {classes: {phone: [call]}, appsMayChangePolicy: true}
      server: {driver: dummy}
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {tone: {tone: {level: -20 dB, frequency: 1 kHz}}}
      mix: [{from: tone, to: main}]
      """,
      to: "rate.yaml",
    )
    let host = try HostProcess(
      graph: graph,
      server: server,
      environment: environment,
      in: scratch,
    )
    _ = try await host.attached()
    return host
  }

  private func session(
    _ app: String,
    rate: Double,
    class priorityClass: PriorityClass? = nil,
  ) -> OpenSession.Params {
    var params = OpenSession.Params.exclusive(app: app, class: priorityClass)
    params.preferredSampleRateHz = rate
    return params
  }

  @Test(.aloneWithJACK)
  func `HW-2 HW-4 the host's own server takes the first session's rate, and no session is lost`()
    async throws
  {
    let scratch = try Scratch()
    let host = try await start(server: Scratch.uniqueName("rates"), in: scratch)
    let client = try await host.control()
    func rate() async throws -> Double? {
      let status = try await host.status()
      return status.hardware.sampleRate.actual
    }

    let deck = try await client.call(OpenSession.self, session("deck", rate: 44_100)).session
    var answer = try await client.call(ActivateSession.self, .init(session: deck))
    #expect(answer.sampleRate.preferred == 44_100)
    #expect(answer.sampleRate.actual == 44_100)
    #expect(answer.sampleRate.reason == nil)
    var status = try await host.status()
    #expect(status.hardware.sampleRate.actual == 44_100)
    #expect(status.hardware.sampleRate.reason == "as session 'deck' prefers (HW-4)")
    #expect(status.server.restarts == 1)
    #expect(status.sessions.filter(\.active).map(\.id) == ["host", "deck"])

    // The phone decides, in a rate that is not a usual one.
    let call = try await client.call(
      OpenSession.self,
      session("call", rate: 90_000, class: .phone),
    ).session
    answer = try await client.call(ActivateSession.self, .init(session: call))
    #expect(answer.sampleRate.actual == 88_200)
    #expect(answer.sampleRate.reason == "it is the nearest of the usual rates")
    // Everybody else waits, and then has its own again.
    _ = try await client.call(CloseSession.self, .init(session: call))
    _ = try await client.call(ActivateSession.self, .init(session: deck))
    #expect(try await rate() == 44_100)
    _ = try await client.call(CloseSession.self, .init(session: deck))
    try await waitUntil("the graph's rate is back") { try await rate() == 48_000 }

    status = try await host.status()
    #expect(status.hardware.sampleRate.actual == 48_000)
    #expect(status.hardware.ioBufferFrames.actual == 128)
    #expect(status.sessions.filter(\.active).map(\.id) == ["host"])
    #expect(status.routes.first?.gainDB == 0)
    let events = host.events
    #expect(!events.contains { $0.kind == .serverLost })
    let told = events.compactMap { $0.session?.content.name }
    #expect(!told.contains("mediaServicesWereLost"))
    #expect(told.contains("routeChanged"))

    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 24_000,
      server: host.server,
    )
    recorder.start()
    let recording = try await recorder.finish()
    recorder.close()
    #expect(abs(Signals.amplitudeDB(recording.channels[0], ofFrequencyHz: 1_000) + 20) < 0.1)
    await client.close()
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 128))
  func `HW-3 the rate of somebody else's server stays, and the activation says why`() async throws {
    let scratch = try Scratch()
    let host = try await start(server: testServer().name, in: scratch)
    let client = try await host.control()
    var params = session("deck", rate: 44_100)
    params.preferredIOBufferSeconds = 0.001
    let deck = try await client.call(OpenSession.self, params).session
    let answer = try await client.call(ActivateSession.self, .init(session: deck))
    #expect(answer.sampleRate.preferred == 44_100)
    #expect(answer.sampleRate.actual == 48_000)
    #expect(answer.sampleRate.reason == "the host does not restart another program's server")
    #expect(answer.ioBufferDuration.preferred == 0.001)
    #expect(answer.ioBufferDuration.actual == 0.001)
    #expect(answer.ioBufferDuration.reason == nil)
    #expect(try await host.status().server.restarts == 0)
    await client.close()
    #expect(try await host.stop() == .code(0))
  }

  @Test(.aloneWithJACK)
  func `HW-2 jackdbus is asked for the rate, and its restart is no loss either`() async throws {
    let jackdbus = try await JACKDBusSession()
    defer { jackdbus.stop() }
    let bus = "DBUS_SESSION_BUS_ADDRESS"
    let scratch = try Scratch()
    let host = try await start(
      server: jackdbus.serverName,
      environment: [bus: try #require(jackdbus.environment[bus])],
      in: scratch,
    )
    let client = try await host.control()
    let deck = try await client.call(OpenSession.self, session("deck", rate: 44_100)).session
    let answer = try await client.call(ActivateSession.self, .init(session: deck))
    #expect(answer.sampleRate.actual == 44_100)
    #expect(try jackdbus.call("JackControl.GetSampleRate") == "44100")
    let status = try await host.status()
    #expect(!status.server.owned)
    #expect(status.sessions.filter(\.active).map(\.id) == ["host", "deck"])
    #expect(!host.events.contains { $0.kind == .serverLost })
    await client.close()
    #expect(try await host.stop() == .code(0))
  }
}
