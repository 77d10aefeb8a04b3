// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import JACK
import Sessions
import TestSupport
import Testing

@testable import AudioSession
@testable import EndToEndSupport

/// Hardware values as an app meets them when it is not alone.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct HardwareRuleTests {
  @Test(.jackServer(frames: 1024, channels: 4))
  func `HW-1 HW-3 HW-6 HW-7 preferred values take effect with the activation and are read back`()
    async throws
  {
    let rig = try await SessionRig.running()
    let session = rig.session
    try session.setCategory(.playback)
    try session.setPreferredIOBufferDuration(256.0 / 48_000)
    try session.setPreferredSampleRate(44_100)
    #expect(session.preferredIOBufferDuration == 256.0 / 48_000)
    #expect(session.ioBufferDuration == 1_024.0 / 48_000)
    try session.setActive(true)
    try await waitUntil("the buffer is set") { session.ioBufferDuration == 256.0 / 48_000 }
    #expect(session.sampleRate == 48_000)
    #expect(session.preferredSampleRate == 44_100)
    #expect(session.hardwareDifferences["sampleRate"] != nil)
    #expect(session.hardwareDifferences["ioBufferDuration"] == nil)
    #expect(session.outputLatency > 0)
    #expect(session.inputLatency == 0)
    let bad = SessionRig.error { try session.setPreferredSampleRate(-1) }
    #expect(bad?.sessionCode == .badParam)
    #expect(bad?.rule == "HW-1")
    #expect(!session.isInputGainSettable)
    #expect(
      SessionRig.error { try session.setInputGain(0.5) }?.sessionCode == .resourceNotAvailable
    )
    try await rig.end()
  }

  @Test(.jackServer(frames: 1024, channels: 4))
  func `HW-2 HW-4 HW-5: a short buffer is short, kept against others, and shared`() async throws {
    let rig = try await SessionRig.running()
    let session = rig.session
    try session.setCategory(.playback, options: .mixWithOthers)
    try session.setActive(true)
    #expect(session.ioBufferDuration == 1_024.0 / 48_000)
    let slow = session.outputLatency
    try session.setActive(false)
    // HW-5: 5 ms is a request for low latency.
    try session.setPreferredIOBufferDuration(0.005)
    try session.setActive(true)
    try await waitUntil("the buffer is short") { session.ioBufferDuration == 0.005 }
    try await waitUntil("so is the latency") { session.outputLatency < slow }

    // HW-2: a change by another program is put back.
    let other = try rig.recorder("phones_out_1")
    try other.recorder.connection.setBufferFrames(512)
    try await waitUntil("it is put back") {
      try other.recorder.connection.bufferFrames == 240
    }
    try await waitUntil("and read so") { session.ioBufferDuration == 0.005 }
    #expect(session.hardwareDifferences["ioBufferDuration"] == nil)

    // HW-4: of several active sessions the shortest buffer wins, and the others get the reason.
    var low = OpenSession.Params(app: "instrument")
    low.category = .playback
    low.options = .mixWithOthers
    low.preferredIOBufferSeconds = 0.0025
    let instrument = try await rig.client.call(OpenSession.self, low).session
    _ = try await rig.client.call(ActivateSession.self, .init(session: instrument))
    try await waitUntil("the shortest wins") { session.ioBufferDuration == 0.0025 }
    #expect(session.hardwareDifferences["ioBufferDuration"]?.contains("instrument") == true)
    #expect(session.preferredIOBufferDuration == 0.005)
    try await rig.close(instrument)
    try await waitUntil("and gives it back") { session.ioBufferDuration == 0.005 }
    other.recorder.close()
    try await rig.end()
  }
}
