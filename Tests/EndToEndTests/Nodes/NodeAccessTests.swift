// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import InterAppAudio
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// The sessions and entitlements that a connection with a node needs.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct NodeAccessTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test("IAA-3, IAA-4: a host names its missing permission, and connects no node", .jackServer())
  func hostLacks() async throws {
    let server = try testServer().name
    let effect = try OwnEffect("fx1", server: server)
    let faults = [
      (HostDescription(name: "h", hasEntitlement: false), "IAA-3: host 'h' lacks the inter-app"),
      (HostDescription(name: "h", mixesWithOthers: false), "IAA-3: the session of host 'h' lacks"),
      (HostDescription(name: "h", isSessionActive: false), "IAA-4: the session of host 'h' is not"),
    ]
    for (description, words) in faults {
      let host = try InterAppHost(description, server: server)
      let error = await #expect(throws: InterAppAudioError.self) {
        _ = try await host.connect(host.node(named: "fx1"))
      }
      #expect(error?.code == .notPermitted)
      #expect(error?.message.hasPrefix(words) == true, "\(String(describing: error))")
      #expect(!effect.node.isConnected)
      await host.close()
    }
    effect.node.close()
  }

  @Test(
    "IAA-8: a node asks the running host about remote control, background audio and its component",
    .jackServer()
  )
  func asksTheHost() async throws {
    let server = try testServer().name
    let effect = try OwnEffect("fx1", server: server) { $0.hasBackgroundAudio = true }
    let host = try await HostProcess.running(
      graph: try scratch.effectGraph(),
      server: server,
      in: scratch
    )
    try await waitUntil("it is connected") { effect.node.isConnected }
    #expect(effect.node.hostTakesRemoteControl)
    #expect(effect.node.host?.hasBackgroundAudio == true)
    #expect(effect.node.hostComponent == effect.node.description.component)
    _ = try await host.stop()
    effect.node.close()
  }
}
