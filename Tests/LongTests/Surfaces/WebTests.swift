// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import FoundationEssentials
import TestSupport
import Testing

@testable import EndToEndSupport

/// The rate of the levels, and pages that break the rules, over real WebSockets.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct WebTests {
  @Test(.jackServer(frames: 256, channels: 4))
  func `levels come as frames at 30 a second or more, after the names of their places`()
    async throws
  {
    let rig = try await SurfaceRig.web()
    let page = try await LivePage(rig)
    await page.send(1, "webMeters", #"{"on":true}"#)
    let places = try #require(await page.text(with: #""method":"webPlaces""#))
    #expect(places.contains(#"{"channels":2,"path":"/strip/deck"}"#))
    #expect(places.contains(#"{"channels":1,"path":"/strip/toy"}"#))
    #expect(places.contains(#"{"channels":2,"path":"/route/main"}"#))
    var moments: [ContinuousClock.Instant] = []
    while moments.count < 61 {
      let message = try #require(await page.peer.message(withinMilliseconds: 5_000))
      if message.opcode == 2 { moments.append(.now) }
    }
    // The median: a busy machine is late now and then. A tenth more than 1/30 s is the tick of a timer.
    let pauses = zip(moments, moments.dropFirst()).map { $1 - $0 }.sorted()
    #expect(pauses[30] <= .milliseconds(36))
    #expect(moments[60] - moments[0] >= .seconds(1), "60 a second at most")
    let frame = try #require(await page.peer.message()?.payload)
    // Two strips and two routes, with a generation; deck, toy, main and phones have 2, 1, 2 and 1 channels.
    #expect(Array(frame[0..<4]) == [4, 0, 0, 0])
    #expect(frame.count == 8 + 4 * 6)
    let toy = Int16(bitPattern: UInt16(frame[16]) | UInt16(frame[17]) << 8)
    #expect((-2_010...(-1_990)).contains(toy))
    await page.send(2, "webMeters", #"{"on":false}"#)
    #expect(await page.text(with: "\"id\":2") != nil)
    while await page.peer.message(withinMilliseconds: 500)?.opcode == 2 {}
    #expect(await page.answer(3, "status") != nil)
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(
    .jackServer(frames: 256, channels: 4),
    arguments: [
      // A message over 65,535 bytes, whose length alone is enough.
      [0x81, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 3, 4],
      // A binary one.
      WebPeer.frame(2, [1, 2, 3]),
      // Not UTF-8.
      WebPeer.frame(1, [0xFF, 0xFE]),
      // A continuation of nothing.
      WebPeer.frame(0, [1]),
      // Without a mask.
      [0x81, 0x01, 0x20],
    ] as [[UInt8]]
  )
  func `a frame that no page sends ends its link, and no other`(bytes: [UInt8]) async throws {
    let rig = try await SurfaceRig.web()
    let other = try await LivePage(rig)
    let page = try await LivePage(rig)
    await page.peer.write(bytes)
    #expect(await page.hasEnded())
    // Half a frame, and then nothing more.
    let half = try await LivePage(rig)
    await half.peer.write([0x81, 0xFE, 0x01])
    #expect(await other.answer(1, "status") != nil)
    #expect(await half.peer.message(withinMilliseconds: 100) == nil)
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `of 1,000 connections few stay, and the mix plays on`() async throws {
    let rig = try await SurfaceRig.web()
    try await rig.hearingDeck(seconds: 20) {
      var pages: [WebPeer] = []
      for _ in 0..<1_000 {
        if let page = try? await WebPeer.webSocket(port: rig.port, target: "/live") {
          pages.append(page)
        }
      }
      #expect((1...32).contains(pages.count))
      #expect(try await rig.value("/strip/toy/gain") == .number(0))
      pages = []
      try await waitUntil("a page is served again") {
        await (try? await LivePage(rig))?.answer(1, "status") != nil
      }
    }
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `a page that does not read is cut off, and holds up no other`() async throws {
    let rig = try await SurfaceRig.web()
    let slow = try await LivePage(rig)
    await slow.send(1, "webMeters", #"{"on":true}"#)
    let other = try await LivePage(rig)
    let request = #"{"jsonrpc":"2.0","id":1,"method":"list"}"#
    let batch = "[" + Array(repeating: request, count: 100).joined(separator: ",") + "]"
    // Its answers are megabytes, more than the kernel keeps for a reader.
    try await waitUntil("the host cuts it off", within: .seconds(60)) {
      await !slow.peer.write(WebPeer.frame(1, Array(batch.utf8)))
    }
    #expect(await other.answer(1, "status") != nil)
    #expect(try await rig.host.stop() == .code(0))
  }
}
