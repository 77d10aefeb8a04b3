// SPDX-License-Identifier: MIT

import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Faults that other bridges do not survive, beside two other clients that must not lose a sample.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct BridgeSurvivalTests {
  @Test(.jackServer(rate: 48_010, frames: 256), arguments: ["playback", "capture"])
  func `JACK's buffer size changes: the bridge stays, and sounds at each size`(
    direction: String
  ) async throws {
    let rig = try await BridgeRig(direction)
    for frames in [512, 128, 256] as [UInt32] {
      let heard = try await rig.heard {
        try rig.connection.setBufferFrames(frames)
        try await rig.bridge.wait(for: "\(frames) frames") {
          $0.jackPeriodFrames == Int(frames) && $0.hasSound
        }
        try await rig.pass(24_000)
      }
      // It sounded before, and sounds on; both clocks are the machine's, so the silence between has no bound here.
      #expect(Signals.peak(heard.prefix(2_400)) > 0.4)
      #expect(Signals.peak(heard.suffix(12_000)) > 0.4)
    }
    #expect(rig.bridge.status?.serverLosses == 0)
    let frames = try #require(rig.framesOfOthers())
    #expect(frames > 48_000)
  }

  @Test(.jackServer(frames: 256), arguments: ["playback", "capture"])
  func `JACK freewheels: silence meanwhile, timed anew afterwards`(direction: String) async throws {
    let rig = try await BridgeRig(direction, seconds: 100)
    try rig.connection.setFreewheel(true)
    try await rig.bridge.wait(for: "lost") { $0.lock == "lost" }
    #expect(rig.bridge.status?.reason == "JACK freewheels")
    try rig.connection.setFreewheel(false)
    try await rig.bridge.wait(for: "sound", \.hasSound)
    let heard = try await rig.heard { try await rig.pass(24_000) }
    #expect(abs(Signals.rmsDB(heard.suffix(4800)) + 9) < 3)
    let frames = try #require(rig.framesOfOthers())
    #expect(frames > 48_000)
  }

  @Test(.jackServer(frames: 256), arguments: ["playback", "capture"])
  func `a driver that blocks, a device that is pulled and plugged: JACK waits for neither`(
    direction: String
  ) async throws {
    let rig = try await BridgeRig(direction)
    if let drain = rig.drain {
      // A call into the driver that does not come back.
      drain.send(SIGSTOP)
      try await rig.bridge.wait(for: "stuck") { $0.device == "stuck" }
      #expect(rig.bridge.status?.lock == "lost")
      drain.send(SIGCONT)
    } else {
      // A driver that answers, but never has frames.
      let daemon = try rig.card.daemonPID()
      kill(daemon, SIGSTOP)
      try await rig.bridge.wait(for: "lost") { $0.lock == "lost" }
      try await rig.bridge.wait(for: "opened anew") { $0.deviceLosses > 0 }
      // It can be opened again and again, and is not there: it is lost once.
      let before = rig.bridge.statuses.count
      try await rig.bridge.wait(for: "more words") { _ in rig.bridge.statuses.count > before + 50 }
      let since = rig.bridge.statuses.dropFirst(before)
      #expect(since.allSatisfy { $0.device != "open" && $0.deviceLosses == 1 })
      kill(daemon, SIGCONT)
    }
    try await rig.bridge.wait(for: "sound", \.hasSound)

    // It locks again each time.
    for _ in 1...2 {
      try await rig.bridge.wait(for: "locked") { $0.lock == "locked" }
      try await rig.card.unplug()
      try await rig.bridge.wait(for: "gone") { $0.lock == "lost" && $0.device != "open" }
      try await rig.card.plug()
    }
    try await rig.bridge.wait(for: "locked again") { $0.lock == "locked" }
    #expect(rig.bridge.events.contains("deviceStuck") == rig.isPlayback)
    #expect(rig.bridge.events.contains("deviceLost"))
    let frames = try #require(rig.framesOfOthers())
    #expect(frames > 3 * 48_000)
    rig.bridge.child.send(SIGTERM)
    #expect(try await rig.bridge.child.waitForEnd() == .code(0))
  }
}
