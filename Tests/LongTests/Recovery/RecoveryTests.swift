// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// A server that is killed again and again.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct RecoveryTests {
  @Test(.aloneWithJACK)
  func `a server of the host's own, killed 100 times, is back within a second each time`()
    async throws
  {
    let scratch = try Scratch()
    let host = try await HostProcess.running(
      graph: RecoveryStage.graph("{driver: dummy, channels: {playback: 2}}", in: scratch),
      server: Scratch.uniqueName("server"),
      arguments: ["--frames", "64", "--rate", "48000"],
      in: scratch,
    )
    let control = try await host.control()
    _ = try await control.call(
      SetGain.self,
      SetGain.Params(target: .strip("deck"), gainDB: -6, rampMilliseconds: nil),
    )
    // A connection made by hand, which has to come back each time.
    try RecoveryStage.connectByHand(host, host.port("main_out_1"), "system:playback_2")
    try await RecoveryStage.waitForConnection(host, host.port("main_out_1"), "system:playback_2")

    var milliseconds: [Double] = []
    var last = try await control.call(GetStatus.self)
    for _ in 1...100 {
      let pid = try #require(last.server.pid)
      let count = host.attachments
      kill(pid, SIGKILL)
      last = try await host.attached(after: count) { $0.server.pid != pid }
      let back = try await host.waitForEvents(.serverBack, count: count)
      guard let attaching = back.last?.serverBack?.attachMilliseconds else {
        throw TestFailure("no time in \(back)")
      }
      milliseconds.append(attaching)
      #expect(last.host.name == host.name)
      #expect(last.strips.first?.gainDB == -6)
      #expect(last.routes.first?.available == true)
      #expect(last.hardware.ioBufferFrames.actual == 64)
    }
    #expect(milliseconds.allSatisfy { $0 < 1_000 }, "\(milliseconds)")
    #expect(try await control.call(GetStatus.self).server.restarts >= 100)

    // After all that: the same connections, the same level, and the file goes on.
    try RecoveryStage.expectConnections(of: host, to: ["system:playback_1", "system:playback_2"])
    let recording = try await RecoveryStage.record(host, frames: 24_000)
    let half = pow(10, -6.0 / 20)
    let expected = Signals.rmsDB(RecoveryStage.file.map { Float(Double($0) * half) })
    #expect(abs(Signals.rmsDB(recording) - expected) < 0.1)
    #expect(try await host.stop() == .code(0))
  }
}
