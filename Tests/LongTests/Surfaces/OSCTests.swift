// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import OSC
import TestSupport
import Testing

@testable import EndToEndSupport

/// Floods of OSC.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct OSCTests {
  @Test(.jackServer(frames: 256, channels: 4))
  func `100,000 mutated packets leave the audio and the memory alone`() async throws {
    let rig = try await SurfaceRig.osc()
    let sender = try await OSCServer.start(.init(port: 0)) { _ in }
    let target = OSCClient(address: "127.0.0.1", port: rig.port)
    var random = TestSeed.random()
    let seeds: [[UInt8]] = [
      OSCPacket.message(OSCMessage("/strip/toy/gain", [.float(-6), .text("x")])),
      .message(OSCMessage("/subscribe", [.text("/strip/toy"), .integer(1_000)])),
      .message(OSCMessage("/strip/{toy,tay}/[gm]*")),
      .bundle(OSCBundle([.message(OSCMessage("/strip/toy/mute", [.flag(true)]))])),
    ].map(\.bytes)
    func flood(_ count: Int) async throws {
      for round in 0..<count {
        var bytes = seeds[round % seeds.count]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
        if Bool.random(using: &random) {
          bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
        }
        sender.send(bytes, to: target)
        // About 20,000 packets in a second.
        if round.isMultiple(of: 100) { try await Task.sleep(for: .milliseconds(5)) }
      }
    }
    try await flood(10_000)
    let before = try #require(rig.host.residentBytes)
    try await rig.hearingDeck(seconds: 6) { try await flood(100_000) }
    let after = try #require(rig.host.residentBytes)
    #expect(after - before < 8 << 20, "grew by \(after - before) bytes")
    // Earlier packets may still wait, and UDP loses those that find no room.
    try await waitUntil("the host takes OSC") {
      try await rig.oscsend("/strip/toy/gain", "f", "-3")
      return try await rig.value("/strip/toy/gain") == .number(-3)
    }
    await sender.close()
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `OSC-21 10,000 messages a second are folded, and the latest value stands`() async throws {
    let rig = try await SurfaceRig.osc()
    let sender = try await OSCServer.start(.init(port: 0)) { _ in }
    let target = OSCClient(address: "127.0.0.1", port: rig.port)
    func flood(milliseconds: Int) async throws {
      let start = ContinuousClock.now
      for millisecond in 0..<milliseconds {
        for message in 0..<10 {
          let gainDB = -Float((millisecond * 10 + message) % 60)
          sender.send(
            .message(
              OSCMessage(
                message.isMultiple(of: 2) ? "/strip/toy/gain" : "/route/phones/gain",
                [.float(gainDB)]
              )
            ),
            to: target,
          )
        }
        // The pace of the flood.
        try await Task.sleep(until: start + .milliseconds(millisecond), clock: .continuous)
      }
    }
    try await flood(milliseconds: 1_000)
    let before = try #require(rig.host.residentBytes)
    try await rig.hearingDeck(seconds: 4) { try await flood(milliseconds: 3_990) }
    let after = try #require(rig.host.residentBytes)
    #expect(after - before < 8 << 20, "grew by \(after - before) bytes")
    sender.send(.message(OSCMessage("/strip/toy/gain", [.float(-7)])), to: target)
    try await rig.waitForValue("/strip/toy/gain", .number(-7))
    await sender.close()
    #expect(try await rig.host.stop() == .code(0))
  }
}
