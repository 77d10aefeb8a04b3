// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Glibc
import JACK
import Sessions
import SystemSupport
import TestSupport
import Testing

@testable import EndToEndSupport

/// Clients and requests that go round the capture gates (PRM-1, PRM-3).
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ExemptionTests {
  @Test(.jackServer(frames: 64))
  func `PRM-1 a client with the name and the ports of an absent card hears silence`() async throws {
    let microphone = try await Microphone.guarded(
      more: """
          card: {type: usbAudio, ports: ["usb:in_1"]}
          spare: {type: headphones, ports: ["usb:in_2"]}
        session: {category: multiRoute}
        sources:
          voice: {ports: ["\(Microphone.port)"]}
        mix:
          - {from: voice, to: main}
          - {from: voice, to: card}
        """,
    )
    let card = try FakeDevices.plugIn("usb", channels: 2)
    let question = try await microphone.host.waitForEvents(.permission)[0]
    #expect(question.permission?.app == Microphone.program)
    try card.connection.connect(Microphone.port, to: card.portNames[0])
    let gate = "\(microphone.host.name)-mic:usb_1"
    try await microphone.waitUntilConnected(card, to: [gate])
    try await microphone.waitUntilHeard(false, by: card)
    try await microphone.permission("grant")
    try await microphone.waitUntilHeard(true, by: card)
    try await microphone.end(card)
  }

  @Test(.jackServer(frames: 64))
  func `PRM-3 a program without permission cannot have a microphone recorded`() async throws {
    let microphone = try await Microphone.guarded(
      more: """
          other: {type: headphones, ports: [system:playback_2]}
        session: {category: multiRoute}
        sources:
          voice: {ports: ["\(Microphone.port)"]}
          tone: {tone: {frequency: 1 kHz}}
        mix:
          - {from: voice, to: main}
          - {from: tone, to: other}
        """,
    )
    func record(_ subject: String) async throws {
      let params = StartRecording.Params(
        recorder: "of \(subject)",
        from: subject,
        file: "\(microphone.scratch.path)/\(subject).wav",
      )
      _ = try await microphone.control.call(StartRecording.self, params)
    }
    for subject in ["main", "voice"] {
      let error = await #expect(throws: ControlClientError.self) { try await record(subject) }
      #expect(error.map { "\($0)".contains("'\(subject)' carries a microphone") } == true)
    }
    try await record("other")
    // The host's own program is the user's.
    let output = try await Multiroute.run(
      "record",
      "start",
      "take",
      "main",
      "\(microphone.scratch.path)/take.wav",
      "--host",
      microphone.host.name,
      in: microphone.scratch,
    )
    #expect(output.end == .code(0), "\(output.standardError)")
    try await microphone.permission("grant", try #require(Machine.this.executable(of: getpid())))
    try await record("main")
    try await microphone.end()
  }
}
