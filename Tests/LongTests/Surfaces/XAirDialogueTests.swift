// SPDX-License-Identifier: MIT

import ControlProtocol
import OSC
import TestSupport
import Testing

@testable import EndToEndSupport

/// Meters and floods of an app for X-Air mixers, over UDP.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct XAirDialogueTests {
  @Test(.jackServer(frames: 256, channels: 4))
  func `XA-20 meters come in their interval until they are ended`() async throws {
    let rig = try await XAirApp.mixer()
    let app = try RawSocket(port: rig.port, isUDP: true)
    await app.write(
      XAirApp.bytes(
        "/batchsubscribe~,ssiii~~meters/1~~~~/meters/1~~~{00000000}{00000000}{00000002}"
      )
    )
    let begin = ContinuousClock.now
    var isHeard = false
    for _ in 0..<20 {
      let read = await app.read() ?? []
      #expect(read.count == 104)
      #expect(read.starts(with: XAirApp.bytes("meters/1~~~~,b~~{00000054}{28000000}")))
      // The deck plays: its level is above -60 dB.
      if read.count == 104 { isHeard = isHeard || Int8(bitPattern: read[25]) > -60 }
    }
    #expect(isHeard)
    #expect(ContinuousClock.now - begin > .seconds(1.5))
    await app.write(XAirApp.bytes("/unsubscribe~~~~,s~~/meters/1~~~"))
    await Self.drain(app)
    #expect(await app.read(withinMilliseconds: 500) == nil)
    await app.write(
      XAirApp.bytes(
        "/formatsubscribe~~~~,ssiii~~/testme~/ch/**/mix/on~~~{00000001}{00000004}{00000002}"
      )
    )
    for _ in 0..<3 {
      let blob = "{00000014}{14000000}{01000000}{01000000}{00000000}{00000000}"
      #expect(await app.read() == XAirApp.bytes("/testme~,b~~" + blob))
    }
    #expect(try await rig.host.stop() == .code(0))
  }

  private static func drain(_ app: RawSocket) async {
    while await app.read(withinMilliseconds: 150) != nil {}
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `5,000 mutated packets leave the audio and the mixer alone`() async throws {
    let rig = try await XAirApp.mixer()
    let app = try RawSocket(port: rig.port, isUDP: true)
    var random = TestSeed.random()
    // One wrong byte must not make them settings of the deck.
    let seeds = [
      XAirApp.ask(node: "ch/02/mix"),
      XAirApp.bytes("/~~~,s~~" + XAirApp.padded("bus/1/mix ON -10.0")),
      XAirApp.bytes("/bus/1/mix/fader~~~~,f~~{3f000000}"), XAirApp.bytes("/renew~~,~~~"),
      XAirApp.bytes("/subscribe~~,si~/ch/02/mix/on~~~{00000002}"),
      XAirApp.bytes("/batchsubscribe~,ssiii~~m~~~/meters/0~~~{00000000}{00000000}{00000000}"),
      XAirApp.bytes(
        "/formatsubscribe~~~~,ssiii~~/t~~/ch/**/mix/on~~~{00000001}{00000004}{00000002}"
      ),
    ]
    try await rig.hearingDeck(seconds: 6) {
      for number in 0..<5_000 {
        var bytes = seeds[number % seeds.count]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] =
            UInt8.random(in: 0...255, using: &random)
        }
        await app.write(bytes)
        // About 5,000 packets in a second.
        if number.isMultiple(of: 50) { try await Task.sleep(for: .milliseconds(10)) }
      }
    }
    let other = try RawSocket(port: rig.port, isUDP: true)
    await XAirApp.expect("/lr/mix/pan~,f~~{3f000000}", to: "/lr/mix/pan~", other)
    #expect(try await rig.host.stop() == .code(0))
  }
}
