// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Sessions that scripts hold, when the host dies.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct HeldSessionTests {
  @Test(.steppedServer(frames: 256, timeLimitMilliseconds: 1_000))
  func `SES-6, RST-1: a held session is opened anew on the host's return, an opened one ends`()
    async throws
  {
    let music = try await Music.playing(session: "{category: playback}")
    let done = music.scratch.path + "/done"
    // A shell can only look again and again.
    let script = "while [ ! -e \(done) ]; do sleep 0.1; done; exit 7"
    let hold = try Child(
      Multiroute.path(),
      [
        "session", "hold", "--host", music.host.name, "--app", "call", "--class", "phone",
        "--category", "playback", "--", "sh", "-c", script,
      ],
      environment: music.scratch.hostEnvironment,
      in: music.scratch,
    )
    try await music.waitForLevel(0)
    let open = try Child(
      Multiroute.path(),
      ["session", "open", "--host", music.host.name],
      environment: music.scratch.hostEnvironment,
      in: music.scratch,
    )
    try await waitUntil("it is open") { open.standardOutput == "session\n" }
    music.host.child.send(SIGKILL)
    _ = try await music.host.child.waitForEnd()
    #expect(try await open.waitForEnd() == .code(69))
    #expect(open.standardError.contains("the host is gone"), "\(open.standardError)")

    let again = try await HostProcess.running(
      graph: music.graph,
      server: music.host.server,
      name: music.host.name,
      in: music.scratch,
    )
    try await isActive("call", at: again)
    #expect(hold.standardError.contains("opened again"), "\(hold.standardError)")
    try music.recorder.connection.connect(
      again.port("main_out_1"),
      to: music.recorder.portNames[0],
    )
    try await music.waitForLevel(0)
    try music.scratch.write("", to: "done")
    #expect(try await hold.waitForEnd() == .code(7))
    try await music.waitForLevel(1)
    await music.client.close()
    music.recorder.close()
    music.player.close()
    _ = try await again.stop()
  }

  private func isActive(_ app: String, at host: HostProcess) async throws {
    try await waitUntil("\(app) is active") {
      try await host.status().sessions.contains { $0.app == app && $0.active }
    }
  }
}
