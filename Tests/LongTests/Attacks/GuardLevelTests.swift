// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Nobody is louder after a host's death or end than before.
///
/// `MULTIROUTE_ATTACK_ROUNDS=N` kills N random mixes instead of those that fit into 40 seconds.
@Suite(.serialized, .timeLimit(.minutes(240)))
struct GuardLevelTests {
  private static let level: Float = 0.25
  private static let toleranceLinear = Float(pow(10, 1.0 / 20))
  private static let anybody = "[{client: \"/app.*/\", session: {preset: musicMaking}}]"

  /// Two programs at a loudspeaker each, and the gains that were last asked for.
  private struct Mix {
    var faders: [Double] = [0, 0]
    var mutes = [false, false]
    var solos = [false, false]
    var routeDB = 0.0
    var isRouteMuted = false

    /// The linear gain at which a program is heard.
    func gain(of app: Int) -> Float {
      let isSilent = mutes[app] || isRouteMuted || solos.contains(true) && !solos[app]
      return isSilent ? 0 : Float(pow(10, (faders[app] + routeDB) / 20))
    }

    /// Changes one value by chance; returns when the host has answered.
    mutating func change(
      _ random: inout SeededRandom,
      on client: ControlClient,
    ) async throws {
      let app = Int.random(in: 0..<2, using: &random)
      let strip = "app-\(app)"
      let gains: [Double] = [-.infinity, -60, -20, -6, -0.5, 0, 0, 3]
      let gainDB = gains.randomElement(using: &random) ?? 0
      // Some rise for longer than the test watches: what they reach then is not heard yet.
      let ramp: Double? = [nil, nil, 0, 60_000].randomElement(using: &random) ?? nil
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        _ = try await client.call(
          SetGain.self,
          .init(target: .strip(strip), gainDB: gainDB, rampMilliseconds: ramp),
        )
        faders[app] = ramp == 60_000 ? min(faders[app], gainDB) : gainDB
      case 2:
        mutes[app].toggle()
        _ = try await client.call(SetMute.self, .init(target: .strip(strip), muted: mutes[app]))
      case 3:
        solos[app].toggle()
        _ = try await client.call(SetSolo.self, .init(strip: strip, solo: solos[app]))
      case 4:
        isRouteMuted.toggle()
        _ = try await client.call(
          SetMute.self,
          .init(target: .route("phones"), muted: isRouteMuted)
        )
      default:
        let gain = SetGain.Params(target: .route("phones"), gainDB: gainDB)
        _ = try await client.call(SetGain.self, gain)
        routeDB = gainDB
      }
    }
  }

  /// Two programs that play at the third and fourth loudspeaker.
  private func players(on speakers: Speakers) async throws -> [Player] {
    var players: [Player] = []
    for app in 0..<2 {
      let loop = [Float](repeating: Self.level, count: 4_800)
      let player = try speakers.player("app-\(app)", [loop])
      try player.connection.connect("app-\(app):out_1", to: Speakers.ports[2 + app])
      players.append(player)
    }
    try await waitForStrips(of: speakers.host, players)
    for app in 0..<2 { try await speakers.waitForLevel(Self.level, at: 2 + app) }
    return players
  }

  private func waitForStrips(of host: HostProcess, _ players: [Player]) async throws {
    try await waitUntil("both are on their strips") {
      try (0..<2).allSatisfy { app in
        try players[app].connection.connections(ofPort: "app-\(app):out_1")
          == [host.port("app-\(app)_in_1")]
      }
    }
  }

  @Test(.jackServer(frames: 64))
  func `when the host is killed in a random mix nobody is louder than before`() async throws {
    let asked = ProcessInfo.processInfo.environment["MULTIROUTE_ATTACK_ROUNDS"].flatMap { Int($0) }
    let speakers = try await Speakers.playing(adopting: Self.anybody, seconds: 1)
    let players = try await players(on: speakers)
    var host = speakers.host
    var random = TestSeed.random()
    let start = ContinuousClock.now
    var rounds = 0
    var heardOn = 0
    while rounds < asked ?? 1 || asked == nil && ContinuousClock.now - start < .seconds(40) {
      rounds += 1
      _ = try await Guards.ready(of: host, in: speakers.scratch)
      try await waitForStrips(of: host, players)
      var mix = Mix()
      let client = try await host.control()
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        try await mix.change(&random, on: client)
      }
      // Some are killed with the last answer, and some once all ramps have ended.
      if Bool.random(using: &random) { try await speakers.recorder.pass(12_000) }
      host.child.send(SIGKILL)
      _ = try await host.child.waitForEnd()
      try await waitUntil("the guard has done its work") {
        try !players[0].connection.ports(kind: AudioKind.self, flags: .output)
          .contains { $0.client == host.name }
      }
      try await speakers.recorder.pass(9_600)
      for app in 0..<2 {
        let after = Signals.peak(speakers.recorder.latest(2_048)[2 + app])
        let before = Self.level * mix.gain(of: app)
        let bound = before * Self.toleranceLinear + 1e-6
        #expect(after <= bound, "round \(rounds): \(mix), program \(app)")
        heardOn += after > 0 ? 1 : 0
      }
      await client.close()
      host = try await HostProcess.running(
        graph: speakers.scratch.path + "/speakers.yaml",
        server: speakers.server,
        name: host.name,
        arguments: ["--fresh"],
        in: speakers.scratch,
      )
      for app in 0..<2 {
        let (connection, port) = (players[app].connection, "app-\(app):out_1")
        if try connection.connections(ofPort: port).isEmpty {
          try connection.connect(port, to: Speakers.ports[2 + app])
        }
      }
    }
    print("killed \(rounds) random mixes; a program was heard on \(heardOn) times")
    _ = try await host.stop()
    for player in players { player.close() }
    speakers.recorder.close()
  }

  @Test(.jackServer(frames: 64), arguments: [SIGINT, SIGTERM])
  func `an orderly end gives back who is heard at full level, and unmutes nobody`(
    signal: Int32
  ) async throws {
    let speakers = try await Speakers.playing(adopting: Self.anybody, seconds: 60)
    let players = try await players(on: speakers)
    let client = try await speakers.host.control()
    _ = try await client.call(SetMute.self, .init(target: .strip("app-1"), muted: true))
    try await waitUntil("the other one is silent") {
      speakers.recorder.latest(256)[3].allSatisfy { $0 == 0 }
    }
    let start = speakers.recorder.capturedFrames
    speakers.host.child.send(signal)
    #expect(try await speakers.host.child.waitForEnd() == .code(0))
    try await speakers.recorder.pass(9_600)
    #expect(Signals.peak(speakers.heard(at: 3).dropFirst(start)) == 0)
    #expect(speakers.recorder.latest(256)[2].allSatisfy { $0 == Self.level })
    #expect(try players[1].connection.connections(ofPort: "app-1:out_1").isEmpty)
    try await waitUntil("the guard has ended") {
      Guards.processes(of: speakers.host.name).isEmpty
    }
    for player in players { player.close() }
    speakers.recorder.close()
  }

  @Test(.steppedServer())
  func `an orderly end fades out who is heard lower, and why tells who stays`() async throws {
    let low = Self.level * Float(pow(10, -6.0 / 20))
    let speakers = try await Speakers.playing(adopting: Self.anybody, seconds: 60)
    let players = try await players(on: speakers)
    let client = try await speakers.host.control()
    _ = try await client.call(SetGain.self, .init(target: .strip("app-1"), gainDB: -6))
    try await waitUntil("it is lower") {
      speakers.recorder.latest(256)[3].allSatisfy { abs($0 - low) < 1e-6 }
    }
    for (app, fate) in [
      ("app-0", "If the host dies, its guard plays app-0 at speakers:in_3."),
      ("app-1", "If the host dies, app-1 is silent: it is heard at -6.0 dB"),
    ] {
      // The host may not have heard yet that its direct connection is gone.
      try await waitUntil("why says: \(fate)") {
        try await client.call(Why.self, .init(app: app)).sessions
          .contains { $0.ifHostDies?.hasPrefix(fate) == true }
      }
    }
    let start = speakers.recorder.capturedFrames
    speakers.host.child.send(SIGTERM)
    #expect(try await speakers.host.child.waitForEnd() == .code(0))
    try await speakers.recorder.pass(4_800)
    let end = Array(speakers.heard(at: 3).dropFirst(start))
    #expect(Signals.peak(end) <= low + 1e-6)
    #expect(end.suffix(256).allSatisfy { $0 == 0 })
    // 50 ms: no step is larger than a straight fall over 20 ms.
    let steps = zip(end, end.dropFirst()).map { abs($0 - $1) }
    #expect(steps.allSatisfy { $0 <= low / 960 }, "\(steps.max() ?? 0)")
    for player in players { player.close() }
    speakers.recorder.close()
  }
}
