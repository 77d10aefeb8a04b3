// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import Sessions
import TestSupport
import Testing

@testable import AudioSession

/// An app without a host, and one whose host is silent.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct HostStartTests {
  @Test(.jackServer(channels: 4))
  func `SES-1: an app starts a host for itself where none runs, and it stays for others`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let name = Scratch.uniqueName("started")
    let graph = try scratch.write(
      """
      multiroute: 1
      name: apps
      server: {name: \(server), start: never}
      session: {category: multiRoute, options: [mixWithOthers]}
      routes:
        phones: {type: headphones, ports: [system:playback_1, system:playback_2]}
      sources: {}
      mix: []
      """,
      to: "apps.yaml",
    )
    let file = try scratch.write(
      [[Float](repeating: 0.5, count: 48_000)],
      to: "half.wav",
      format: .wavFloat32,
    )
    let app = RunningApp(
      child: try Child(
        Multiroute.path(of: "PlayerApp"),
        [file],
        environment: scratch.hostEnvironment.merging([
          "MULTIROUTE_HOST": name, "MULTIROUTE_PROGRAM": Multiroute.path(),
          "MULTIROUTE_GRAPH": graph, "MULTIROUTE_APP": "PlayerApp",
        ]) { $1 },
        in: scratch,
      )
    )
    try await app.said("playing on Headphones")
    app.child.send(SIGKILL)
    _ = try await app.child.waitForEnd()
    let client = try await ControlClient.connect(
      to: .name(name),
      directory: scratch.socketDirectory,
      clientName: "test",
    )
    // SES-6: the app's session went with it, the host did not.
    try await waitUntil("its session has ended") {
      try await client.call(GetStatus.self).sessions.allSatisfy { $0.app != "PlayerApp" }
    }
    let pid = try await client.call(GetStatus.self).host.pid
    await client.close()
    kill(pid, SIGINT)
    try await waitUntil("the host has ended") { kill(pid, 0) != 0 }
  }

  @Test(.jackServer(channels: 4))
  func `SES-2: a silent host costs a call exactly its limit`() async throws {
    // A guard would end a host that is stopped for so long.
    let rig = try await SessionRig.running(arguments: ["--no-guard"])
    AVAudioSession.hostSettings.limitSeconds = 0.5
    try rig.session.setCategory(.playback)
    try await rig.host.child.standStill()
    let fault = SessionRig.error { try rig.session.setActive(true) }
    #expect(fault?.sessionCode == .mediaServicesFailed)
    #expect(fault?.localizedDescription.contains("0.5 s") == true, "\(String(describing: fault))")
    // Reading a value does not wait for a host.
    #expect(rig.session.category == .playback)
    // Nor does the reading of the state after a call take its limit once more.
    AVAudioSession.hostSettings.limitSeconds = 5
    let start = ContinuousClock.now
    #expect(SessionRig.error { try rig.session.setActive(true) } != nil)
    #expect(ContinuousClock.now - start < .seconds(10))
    AVAudioSession.hostSettings.limitSeconds = 0.5
    rig.host.child.send(SIGCONT)
    try await waitUntil("it answers again") { (try? rig.session.setActive(true)) != nil }
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `SES-6: an argument of four million bytes is refused, and the session goes on`() async throws
  {
    let rig = try await SessionRig.running()
    try rig.session.setCategory(.playback)
    try rig.session.setActive(true)
    let before = try await rig.client.call(GetStatus.self).sessions.map(\.id)
    let ports = String(repeating: "x", count: 4 << 20)
    let fault = SessionRig.error { try SessionController.shared.setPorts([ports], channels: 2) }
    #expect(fault?.localizedDescription.contains("4194") == true, "\(String(describing: fault))")
    #expect(try await rig.client.call(GetStatus.self).sessions.map(\.id) == before)
    try rig.session.setActive(false)
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `SES-2: without a host activation fails and says what helps`() async throws {
    let rig = try await SessionRig.running()
    _ = try await rig.host.stop()
    try await waitUntil("it is lost") {
      SessionRig.error { try rig.session.setActive(true) }?.sessionCode == .mediaServicesFailed
    }
    // Calls that need no host work without one.
    try rig.session.setCategory(.playback, options: .duckOthers)
    #expect(rig.session.categoryOptions == [.duckOthers, .mixWithOthers])
    try await rig.restartHost()
    try await waitUntil("it is back") { (try? rig.session.setActive(true)) != nil }
    #expect(try await rig.status()?.options == [.mixWithOthers, .duckOthers])
    try await rig.end()
  }
}
