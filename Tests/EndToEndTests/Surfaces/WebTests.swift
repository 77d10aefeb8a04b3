// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import FoundationEssentials
import TestSupport
import Testing

@testable import EndToEndSupport

/// The page of a real host, over real WebSockets.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct WebTests {
  @Test(.jackServer(frames: 256, channels: 4))
  func `the page is served, and its link speaks the protocol of the socket`() async throws {
    let rig = try await SurfaceRig.web()
    let file = try await WebPeer.get("/", port: rig.port)
    #expect(file.status == 200)
    #expect(file.head.contains("default-src 'none'; script-src 'self'"))
    #expect(file.head.contains("X-Content-Type-Options: nosniff"))
    let mark = try #require(file.head.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") })
    let known = "If-None-Match: \(mark.dropFirst("ETag: ".count))"
    #expect(try await WebPeer.get("/", port: rig.port, headers: [known]).status == 304)
    #expect(try await WebPeer.get("/../etc/passwd", port: rig.port).status == 404)

    let page = try await LivePage(rig)
    let hello = await page.answer(1, "hello", #"{"client":"page","versions":[1]}"#)
    #expect(hello?.contains(#""role":"user""#) == true)
    #expect(await page.answer(2, "list")?.contains("/strip/toy/gain") == true)
    #expect(await page.answer(3, "watch", #"{"paths":["/strip/toy"]}"#) != nil)
    try await rig.set("/strip/toy/gain", .number(-6))
    // Others of the strip may come first, when it has just been made.
    let change = await page.text(with: #"{"path":"/strip/toy/gain","value":-6}"#)
    #expect(change?.contains(#""method":"parameters""#) == true)
    let values = #"[{"path":"/strip/toy/gain","value":-9}]"#
    #expect(await page.answer(4, "set", #"{"values":\#(values)}"#)?.contains("frame") == true)
    #expect(try await rig.value("/strip/toy/gain") == .number(-9))
    #expect(await page.answer(5, "nonsense")?.contains("-32601") == true)
    // A user decides this, and no app (PRM-2).
    let permission = #"{"program":"mpv","permission":"granted"}"#
    #expect(await page.answer(6, "setPermission", permission)?.contains("PRM-2") == false)
    #expect(
      try await rig.host.status().surfaces == [
        SurfaceStatus(kind: "web", port: rig.port, lan: false)
      ]
    )
    #expect(rig.host.child.standardError.contains("web: http://localhost:\(rig.port)/"))
    #expect(try await rig.host.stop() == .code(0))
    #expect(await page.hasEnded())
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `the patch names the makers of connections, and a page connects as a user does`()
    async throws
  {
    let rig = try await SurfaceRig.web()
    let page = try await LivePage(rig)
    let port = rig.host.port("main_out_1")
    let pair = #"{"source":"\#(port)","destination":"system:playback_4"}"#
    let listed =
      #"{"destination":"system:playback_4","line":null,"madeBy":"user","owner":null,"source":"\#(port)"}"#
    let patch = try #require(await page.answer(1, "listPatch"))
    #expect(
      patch.contains(
        #"{"destination":"system:playback_1","line":null,"madeBy":"host","owner":"main","source":"\#(port)"}"#
      )
    )
    #expect(
      patch.contains(
        #"{"direction":"input","isHost":false,"isPhysical":true,"name":"system:playback_4","type":"audio"}"#
      )
    )
    #expect(await page.answer(2, "connect", pair)?.contains("result") == true)
    try await waitUntil("the connection is a user's") {
      await page.answer(3, "listPatch")?.contains(listed) == true
    }
    #expect(await page.answer(4, "disconnect", pair)?.contains("result") == true)
    try await waitUntil("the connection is gone") {
      await page.answer(5, "listPatch")?.contains(#""destination":"system:playback_4""#) == false
    }
    #expect(await page.answer(6, "disconnect", pair)?.contains("-32014") == true)
    let backwards = #"{"source":"system:playback_4","destination":"\#(port)"}"#
    #expect(await page.answer(7, "connect", backwards)?.contains("no output port") == true)
    #expect(try await rig.host.stop() == .code(0))
  }
}
