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
@testable import EndToEndSupport

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

  /// Passes lines between an app and a host, and keeps the answers to `hello` and `activateSession` back for a time.
  private static let slowWire = """
    import json, os, socket, sys, threading, time
    path, host, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    door = socket.socket(socket.AF_UNIX)
    door.bind(path)
    door.listen(4)
    print("listening", flush=True)
    def carry(lines, to, ids, asks):
      for line in lines:
        message = json.loads(line)
        if asks and message.get("method") in ("hello", "activateSession"): ids.add(message["id"])
        if not asks and message.get("id") in ids: time.sleep(seconds)
        to.sendall(line)
      to.shutdown(socket.SHUT_WR)
    while True:
      app, wire, ids = door.accept()[0], socket.socket(socket.AF_UNIX), set()
      wire.connect(host)
      threading.Thread(target=carry, args=[app.makefile("rb"), wire, ids, True], daemon=True).start()
      threading.Thread(target=carry, args=[wire.makefile("rb"), app, ids, False], daemon=True).start()
    """

  @Test(.jackServer(channels: 4))
  func `SES-2: a first call to a slow host has one limit for connecting and for its request`()
    async throws
  {
    let rig = try await SessionRig.running()
    let path = rig.scratch.socketDirectory + "/slow.sock"
    let host = try #require(AVAudioSession.hostSettings.host)
    let wire = try Child("python3", ["-c", Self.slowWire, path, host, "2"], in: rig.scratch)
    try await waitUntil("the wire listens") { wire.standardOutput.contains("listening") }
    AVAudioSession.hostSettings.host = path
    // Connecting takes two seconds, and the activation two more; each alone is within the limit.
    AVAudioSession.hostSettings.limitSeconds = 3
    let fault = SessionRig.error { try rig.session.setActive(true) }
    #expect(
      fault?.localizedDescription.contains("within 3") == true,
      "\(String(describing: fault))"
    )
    AVAudioSession.hostSettings.limitSeconds = 5
    wire.send(SIGTERM)
    _ = try await wire.waitForEnd()
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
