// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// The sound that recording programs get from a microphone, with and without permission (PRM-1).
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PermissionTests {
  @Test(.steppedServer())
  func `PRM-1 a program hears exact zeros until it is granted, and again when it is denied`()
    async throws
  {
    let microphone = try await Microphone.guarded()
    let recorder = try microphone.recorder()
    try await microphone.waitUntilConnected(
      recorder,
      to: ["\(microphone.host.name)-mic:rec_1"],
    )
    try await microphone.waitUntilHeard(false, by: recorder)
    let question = try await microphone.host.waitForEvents(.permission)[0]
    #expect(question.permission?.app == Microphone.program)
    #expect(question.permission?.asks == true)
    let silence = recorder.capturedFrames

    try await microphone.permission("grant")
    try await microphone.waitUntilHeard(true, by: recorder)
    let speech = recorder.captured
    let opened = try #require(speech.channels[0][silence...].firstIndex { $0 != 0 })
    // A fade of 5 ms is 240 frames; after it each sample stands in its own frame.
    #expect(microphone.isSpeech(speech, in: (opened + 241)..<speech.channels[0].count))
    let fade = zip(speech.channels[0][opened...], 0..<120).map { abs($0.0) }
    #expect(fade.max() ?? 1 <= 0.26, "the first half of the fade is not half as loud")

    try await microphone.permission("deny")
    try await microphone.waitUntilHeard(false, by: recorder)
    let list = try await Multiroute.run(
      "permission",
      "list",
      "--json",
      "--host",
      microphone.host.name,
      in: microphone.scratch,
    )
    let programs = try JSONCoding.decoder()
      .decode(ListPermissions.Result.self, from: Data(list.standardOutput.utf8)).programs
    #expect(programs.map(\.program) == [Microphone.program])
    #expect(programs.first?.permission == .denied)
    #expect(programs.first?.source == .user)
    #expect(programs.first?.clients == ["rec"])

    let why = try await microphone.control.call(Why.self, .init(app: "rec")).sessions.first
    #expect(why?.level == .silent)
    #expect(why?.sentence == "rec records silence: '\(Microphone.program)' may not record.")

    try await microphone.permission("reset")
    #expect(
      try await microphone.control.call(ListPermissions.self).programs.first?.permission
        == .undetermined
    )
    try await microphone.end(recorder)
  }

  @Test(.steppedServer())
  func `PRM-1 PRM-4 a reconnection by anybody is undone, and reported until it is insistence`()
    async throws
  {
    let microphone = try await Microphone.guarded(permissions: "{default: denied}")
    let recorder = try microphone.recorder()
    let gate = ["\(microphone.host.name)-mic:rec_1"]
    try await microphone.waitUntilConnected(recorder, to: gate)
    try await microphone.waitUntilHeard(false, by: recorder)
    let told = { (rule: RuleID) in
      microphone.host.events.count { $0.decision?.rule == rule && $0.decision?.port != nil }
    }
    for round in 1...6 {
      let before = told(.prm1)
      if round.isMultiple(of: 2) {
        try recorder.connection.connect(Microphone.port, to: recorder.portNames[0])
      } else {
        let patcher = try Child(
          "jack_connect",
          [Microphone.port, recorder.portNames[0]],
          environment: ["JACK_DEFAULT_SERVER": microphone.host.server],
          in: microphone.scratch,
        )
        #expect(try await patcher.waitForEnd() == .code(0))
      }
      if round < 3 {
        try await waitUntil("it is reported") { told(.prm1) > before }
      } else {
        // PRM-4: of a program that insists the user is told once.
        try await waitUntil("the insistence is reported") { told(.prm4) == 1 }
      }
      // For how long it was heard, `scripts/benchmark-permission` measures.
      try await microphone.waitUntilConnected(recorder, to: gate)
      try await microphone.waitUntilHeard(false, by: recorder)
    }
    #expect(told(.prm4) == 1)
    #expect(told(.prm1) == 3)
    try await microphone.end(recorder)
  }

  @Test(.steppedServer())
  func `PRM-3 a route that carries the microphone is heard with permission only`() async throws {
    let microphone = try await Microphone.guarded(
      more: """
        session: {category: multiRoute}
        sources:
          voice: {ports: ["\(Microphone.port)"]}
        mix:
          - {from: voice, to: main}
        """,
    )
    let output = microphone.host.port("main_out_1")
    let recorder = try Recorder(
      from: [output],
      capacityFrames: 60 * 48_000,
      server: microphone.host.server,
      name: "rec",
    )
    recorder.start()
    try await microphone.waitUntilConnected(recorder, to: [])
    try await microphone.waitUntilHeard(false, by: recorder)
    _ = try await microphone.host.waitForEvents(.permission)
    try await microphone.permission("grant")
    try await microphone.waitUntilConnected(recorder, to: [output])
    try await microphone.waitUntilHeard(true, by: recorder)
    try await microphone.permission("deny")
    try await microphone.waitUntilConnected(recorder, to: [])
    let status = try await microphone.control.call(GetStatus.self)
    #expect(status.patches.isEmpty)
    try await microphone.end(recorder)
  }

  @Test(.steppedServer())
  func `PRM-1 without permissions in the graph the adopted and the denied are gated`() async throws
  {
    let microphone = try await Microphone.guarded(
      permissions: nil,
      more: """
        adopt:
          - {client: left, leave: true}
          - {client: ours, session: {category: record}}
        """,
    )
    // The same program as the others, but one that takes part in sessions: it has to be granted.
    let ours = try microphone.recorder("ours")
    try await microphone.waitUntilConnected(ours, to: ["\(microphone.host.name)-mic:ours_1"])
    try await microphone.waitUntilHeard(false, by: ours)
    try await microphone.permission("grant")
    try await microphone.waitUntilHeard(true, by: ours)
    let recorder = try microphone.recorder()
    let left = try microphone.recorder("left", seconds: 1)
    try await microphone.waitUntilHeard(true, by: recorder)
    #expect(
      try recorder.connection.connections(ofPort: recorder.portNames[0]) == [Microphone.port]
    )
    try await microphone.permission("deny")
    try await microphone.waitUntilHeard(false, by: recorder)
    try await microphone.waitUntilHeard(false, by: ours)
    // A client that the graph leaves alone is left alone.
    #expect(try left.connection.connections(ofPort: left.portNames[0]) == [Microphone.port])
    try await microphone.end(recorder, left, ours)
  }

  @Test(.steppedServer())
  func `PRM-1 sessions ask, are notified, and follow the answer of a user`() async throws {
    let microphone = try await Microphone.guarded()
    var params = OpenSession.Params(app: "memo")
    params.category = .playAndRecord
    let client = microphone.control
    let session = try await client.call(OpenSession.self, params).session
    let request = RequestPermission.Params(session: session)
    #expect(try await client.call(RequestPermission.self, request).permission == .undetermined)
    let question = try await microphone.host.waitForEvents(.permission)[0]
    #expect(question.permission?.app == "memo")
    try await microphone.permission("grant", "memo")
    try await waitUntil("the session is notified") {
      microphone.host.events.contains {
        $0.session?.session == session
          && $0.session?.content == .recordPermissionChanged(permission: .granted)
      }
    }
    #expect(try await client.call(RequestPermission.self, request).permission == .granted)
    try await microphone.end()
  }
}
