// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// A second card as a route of the host: a real bridge process to PipeWire's ALSA device.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct TwoCardsTests {
  /// A PipeWire whose device `pipewire` the host's bridge is to open; the host does not use it otherwise.
  private struct Card {
    let session: PipeWireSession

    init() async throws {
      session = try await PipeWireSession(channels: 4)
      try session.session.run(["pw-metadata", "-n", "settings", "0", "clock.force-quantum", "256"])
    }

    var environment: [String: String] {
      var found = session.environment
      found["PIPEWIRE_RUNTIME_DIR"] = found["XDG_RUNTIME_DIR"]
      for name in ["XDG_RUNTIME_DIR", "XDG_STATE_HOME"] { found[name] = nil }
      return found
    }
  }

  private func bridge(_ host: HostProcess, _ route: String) async throws -> BridgeStatus? {
    try await host.status().routes.first { $0.name == route }?.helper?.bridge
  }

  /// Records a second of the card's first channels until they sound as they should, ten times at most.
  ///
  /// A machine that is late tears holes into a recording, and lets the bridge look for its lock again.
  private func heard(
    on card: Card,
    channels: Int,
    in scratch: Scratch,
    until fits: ([Double]) -> Bool,
  ) throws -> [Double] {
    let file = "\(scratch.path)/heard.wav"
    var levels: [Double] = []
    for _ in 1...10 {
      let ports = (1...channels).map { "system:capture_\($0)" }
      try card.session.session.run(
        ["pw-jack", "jack_rec", "-f", file, "-d", "1", "-b", "24"] + ports
      )
      levels = try Signals.read(file).map { Signals.rmsDB($0) }
      if fits(levels) { break }
    }
    return levels
  }

  @Test(.jackServer(frames: 256))
  func `graphs two-cards runs without a sound card, and both cards sound`() async throws {
    let card = try await Card()
    defer { card.session.stop() }
    let scratch = try Scratch()
    let host = try HostProcess(
      graph: Repository.path("graphs/two-cards.yaml"),
      server: testServer().name,
      arguments: ["--stand-in", "pipewire"],
      environment: card.environment,
      in: scratch,
    )
    _ = try await host.attached()
    let lines = host.child.standardError.split(separator: "\n").filter { $0.contains("stands in") }
    #expect(
      lines == [
        "no sound card here: the ALSA device \"pipewire\", with a clock of its own, stands in for "
          + "\"hw:1\" of route 'headphones'"
      ]
    )
    // Its rate is known to 3 ppm, "locked", only where the machine is in time for seconds; it sounds before.
    try await waitUntil("the second card sounds", within: .seconds(60)) {
      let lock = try await bridge(host, "headphones")?.lock
      return lock == .coarse || lock == .locked
    }
    let status = try await host.status()
    let second = try #require(status.routes[1].helper?.bridge)
    #expect(status.routes.map(\.available) == [true, true])
    // Both go by the machine's clock, but jackd's dummy driver stands still whenever it is late.
    #expect(abs(second.ppm ?? .infinity) < 300)
    let delayMilliseconds = try #require(second.delayMilliseconds)
    #expect(abs(delayMilliseconds - 560.0 / 48) < 0.1)

    // JACK knows the delay, and the first card waits for the second one.
    try await waitUntil("the routes are aligned", within: .seconds(60)) {
      let routes = try await host.status().routes
      return routes.allSatisfy { $0.alignmentErrorFrames == 0 } && routes[0].delayFrames > 0
    }
    let routes = try await host.status().routes
    let late = try #require(routes[1].latencyFrames)
    #expect(abs(Double(late) - delayMilliseconds * 48) <= 1)

    let main = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 96_000,
      server: testServer().name,
    )
    defer { main.close() }
    main.start()
    let levels = try heard(on: card, channels: 2, in: scratch) { levels in
      levels.min() ?? -.infinity > -40
    }
    #expect(
      levels.count == 2 && levels.allSatisfy { $0 > -40 },
      "the second card's channels: \(levels) dB"
    )
    #expect(Signals.rmsDB(try await main.finish().channels[0]) > -40)
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256))
  func `the first card misses no sample, whatever happens to the second one and its bridge`()
    async throws
  {
    let card = try await Card()
    defer { card.session.stop() }
    let scratch = try Scratch()
    let drain = try card.session.makeBlockingDevice(in: scratch)
    defer { drain.send(SIGCONT) }
    let deck = Signals.noise(40_009, seed: 3)
    try scratch.write([deck], to: "deck.wav", format: .wavPCM16)
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute}
      align: auto
      routes:
        main: {type: lineOut, ports: [system:playback_1]}
        second: {type: usbAudio, device: {name: blocking, channels: 2}, fallback: spare}
        spare: {type: headphones, ports: [system:playback_2]}
      sources:
        deck: {file: deck.wav, loop: true}
        tone: {tone: {frequency: 480 Hz, level: -6 dB}}
      mix:
        - {from: deck, to: main}
        - {from: tone, to: second}
      """,
      to: "cards.yaml",
    )
    let host = try HostProcess(
      graph: graph,
      server: testServer().name,
      environment: card.environment,
      in: scratch,
    )
    _ = try await host.attached()
    func waitForSecond(_ what: String, _ fits: (RouteStatus) -> Bool) async throws {
      try await waitUntil(what, within: .seconds(60)) {
        try await host.status().routes.first { $0.name == "second" }.map(fits) ?? false
      }
    }
    func hasSound(_ route: RouteStatus) -> Bool {
      route.available && route.fallback == nil && route.helper?.bridge?.ppm != nil
    }
    try await waitForSecond("it sounds", hasSound)
    try await waitUntil("the first one waits for it", within: .seconds(60)) {
      try await abs(host.status().routes[0].delayFrames - (560 - 256)) <= 1
    }
    let main = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 60 * 48_000,
      server: testServer().name,
    )
    defer { main.close() }
    main.start()

    let first = try #require(try await host.status().routes[1].helper?.pid)
    killOutsideStore(first)
    try await waitForSecond("the bridge runs again") {
      hasSound($0) && $0.helper?.restarts == 1 && $0.helper?.pid != first
    }
    let second = try #require(try await host.status().routes[1].helper?.pid)
    kill(second, SIGSTOP)
    try await waitForSecond("a bridge that was stopped runs again") {
      hasSound($0) && ($0.helper?.restarts ?? 0) > 1 && $0.helper?.pid != second
    }
    drain.send(SIGSTOP)
    try await waitForSecond("its driver hangs, and it is heard elsewhere") {
      !$0.available && $0.fallback == "spare" && $0.helper?.bridge?.device == .stuck
    }
    drain.send(SIGCONT)
    try await waitForSecond("it is back", hasSound)
    let daemon = try card.session.daemonPID()
    kill(daemon, SIGSTOP)
    try await waitForSecond("it stands still without an error, and is heard elsewhere") {
      !$0.available && $0.fallback == "spare" && $0.helper?.bridge?.device != .open
    }
    kill(daemon, SIGCONT)
    try await waitForSecond("it runs again", hasSound)
    try await card.session.unplug()
    try await waitForSecond("it is pulled") { !$0.available && $0.fallback == "spare" }
    try await card.session.plug()
    try await waitForSecond("it sounds again", hasSound)
    let mainSound = main.captured.channels[0]
    let levels = try heard(on: card, channels: 1, in: scratch) { abs($0[0] + 9) < 1 }
    #expect(abs(levels[0] + 9) < 1)
    #expect(try await host.stop() == .code(0))

    let frames = try #require(Signals.soundFrames(of: mainSound, inLoop: deck))
    #expect(frames > 2 * 48_000)
    let kinds = host.events.compactMap { $0.helper?.event }
    #expect(kinds.contains("deviceStuck") && kinds.contains("deviceLost"))
    let reasons = host.events.compactMap { $0.helper?.reason }
    #expect(reasons.contains("multiroute bridge has ended by signal 9"))
    #expect(reasons.contains("multiroute bridge was stopped, and was killed"))
  }
}
