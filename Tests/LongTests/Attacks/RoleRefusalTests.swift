// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Glibc
import JACK
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// Apps that try to change what their user decides (PRM-2), and the command line that may.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct RoleRefusalTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func host(_ tower: String = "") async throws -> HostProcess {
    let graph = try scratch.write(
      """
      multiroute: 1
      server: {start: never}
      tower: {classes: {phone: [call, PlayerApp]}\(tower)}
      permissions: {}
      routes:
        main: {type: builtInSpeaker, ports: [system:playback_1, system:playback_2]}
      sources: {}
      mix: []
      """,
      to: "roles.yaml",
    )
    return try await HostProcess.running(graph: graph, server: testServer().name, in: scratch)
  }

  /// Starts an app of the client library; it plays for a minute.
  private func player(on host: HostProcess, class priorityClass: String = "app") throws -> Child {
    let silence = [Float](repeating: 0.25, count: 60 * 48_000)
    return try Child(
      Multiroute.path(of: "PlayerApp"),
      [scratch.write([silence], to: "player.wav", format: .wavPCM16)],
      environment: [
        "XDG_RUNTIME_DIR": scratch.runtimeDirectory, "MULTIROUTE_HOST": host.name,
        "MULTIROUTE_START": "never", "MULTIROUTE_APP": "PlayerApp",
        "MULTIROUTE_CLASS": priorityClass,
      ],
      in: scratch,
    )
  }

  /// Waits until the session of an app is so; the error has what the app and the host say.
  private func awaitSession(of app: Child, isActive: Bool, on host: HostProcess) async throws {
    var sessions: [SessionStatus] = []
    do {
      try await waitUntil("the player is \(isActive ? "active" : "inactive")") {
        sessions = try await host.status().sessions
        return sessions.first { $0.app == "PlayerApp" }?.active == isActive
      }
    } catch {
      throw TestFailure("\(error), but \(sessions)\n\(app.standardOutput)\(app.standardError)")
    }
  }

  private func command(_ words: String..., host: HostProcess) async throws -> Multiroute.Output {
    try await Multiroute.run(words + ["--host", host.name], in: scratch)
  }

  /// Expects a refusal by role.
  private func refuses<Method: ControlMethod>(
    _ client: ControlClient,
    _ method: Method.Type,
    _ params: Method.Params,
  ) async {
    let error = await #expect(throws: ControlClientError.self, "\(Method.name) is not refused") {
      try await client.call(method, params)
    }
    #expect(error?.description.contains("PRM-2") == true, "\(Method.name): \(error as Any)")
  }

  @Test(.jackServer())
  func `PRM-2 an app is refused on all its connections what the command line does`() async throws {
    let host = try await host()
    let app = try player(on: host)
    // An active session is not enough: an interruption before its player plays leaves nothing to resume.
    try await waitUntil("the app plays") { app.standardOutput.contains("playing on") }
    try await awaitSession(of: app, isActive: true, on: host)
    // This process becomes an app, too, with its first session.
    let first = try await host.control()
    #expect(first.host.role == .user)
    let own = try await first.call(OpenSession.self, .init(app: "own")).session
    let second = try await host.control(role: .user)
    #expect(second.host.role == .app)
    let call = OpenSession.Params.exclusive(app: "call", class: .phone)
    for client in [first, second] {
      await refuses(client, SetPermission.self, .init(program: "/bin/x", permission: .granted))
      await refuses(client, Simulate.self, .init(event: .silentSwitch))
      await refuses(client, Stop.self, Stop.Params())
      await refuses(client, OpenSession.self, call)
      await refuses(client, DeactivateSession.self, .init(session: "PlayerApp"))
      await refuses(client, CloseSession.self, .init(session: "PlayerApp"))
    }
    // Its own session is its own, on both; and the mix is everybody's.
    _ = try await second.call(ActivateSession.self, .init(session: own))
    _ = try await second.call(SetMute.self, .init(target: .route("main"), muted: false))
    _ = try await second.call(CloseSession.self, .init(session: own))
    try await awaitSession(of: app, isActive: true, on: host)

    for words in [["session", "deactivate", "PlayerApp"], ["simulate", "silent-switch", "on"]] {
      let output = try await Multiroute.run(words + ["--host", host.name], in: scratch)
      #expect(output.end == .code(0), "\(words): \(output.standardError)")
    }
    let granted = try await command("permission", "grant", "/bin/x", host: host)
    #expect(granted.end == .code(0), "\(granted.standardError)")
    try await awaitSession(of: app, isActive: false, on: host)
    app.send(SIGTERM)
    _ = try await app.waitForEnd()
    await first.close()
    await second.close()
    _ = try await host.stop()
  }

  @Test(.jackServer())
  func `PRM-2 a program that records is an app, also without a session`() async throws {
    let microphone = try await Microphone.guarded()
    _ = try await microphone.control.call(Simulate.self, .init(event: .silentSwitch))
    let recorder = try microphone.recorder()
    try await microphone.waitUntilConnected(recorder, to: ["\(microphone.host.name)-mic:rec_1"])
    await refuses(microphone.control, Simulate.self, .init(event: .silentSwitch))
    await refuses(
      microphone.control,
      SetPermission.self,
      .init(program: "/bin/x", permission: .granted),
    )
    try await microphone.end(recorder)
  }

  @Test(.jackServer(), arguments: [false, true])
  func `PRM-2 a class above app is not had by a name, but where the graph lets apps`(
    _ isAllowed: Bool
  ) async throws {
    let host = try await host(isAllowed ? ", appsMayChangePolicy: true" : "")
    // A shell starts nothing by its name.
    let app = try player(on: host, class: "phone")
    if isAllowed {
      try await awaitSession(of: app, isActive: true, on: host)
      #expect(
        try await host.status().sessions.first { $0.app == "PlayerApp" }?.priorityClass == .phone
      )
      app.send(SIGTERM)
    } else {
      try await waitUntil("it is refused") {
        (app.standardOutput + app.standardError).contains("PRM-2")
      }
      #expect(try await host.status().sessions.allSatisfy { $0.app != "PlayerApp" })
      app.send(SIGTERM)
    }
    _ = try await app.waitForEnd()
    _ = try await host.stop()
  }
}
