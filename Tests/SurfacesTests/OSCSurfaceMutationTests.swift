// SPDX-License-Identifier: MIT

import ControlProtocol
import OSC
import TestSupport
import Testing

@testable import Surfaces

/// Packets of OSC that no client would send; they compute for seconds.
@Suite(.timeLimit(.minutes(1)))
struct OSCSurfaceMutationTests {
  @Test func `mutated packets leave the surface answering`() async throws {
    try await OSCBench.with { bench in
      var random = TestSeed.random()
      let seeds: [[UInt8]] = [
        OSCPacket.message(OSCMessage(OSCBench.gain, [.float(-6)])),
        .message(OSCMessage("/subscribe", [.text("/strip/*"), .integer(1_000), .integer(9_000)])),
        .message(OSCMessage("/strip/{deck-a,mic}/[gm]*")),
        .bundle(OSCBundle([.message(OSCMessage("/strip/mic/mute", [.flag(true)]))])),
      ].map(\.bytes)
      for round in 0..<20_000 {
        var bytes = seeds[round % seeds.count]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
            in: 0...255,
            using: &random
          )
        }
        do throws(OSCError) {
          bench.inbox.take(.packet(try OSCPacket(bytes: bytes), from: OSCBench.tablet))
        } catch {
          bench.inbox.take(.fault(error, from: OSCBench.tablet))
        }
        if round.isMultiple(of: 2_000) { try await bench.settle() }
      }
      try await bench.settle()
      for case .number(let gainDB) in bench.tree.settings.map(\.value) {
        #expect(gainDB <= 24 && !gainDB.isNaN)
      }
    }
  }
}
