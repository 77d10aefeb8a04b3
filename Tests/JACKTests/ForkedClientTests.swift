// SPDX-License-Identifier: MIT

import JACK
import TestSupport
import Testing

/// JACK clients in a forked child of their process.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ForkedClientTests {
  @Test(.jackServer()) func `a child can neither use nor close a client of its parent`() throws {
    let server = try testServer().name
    let client = try OpenedClient.open(name: "forks", server: server).activate()
    let connection = client.connection
    let port: AudioOutputPort = try connection.register("out")
    let faults = try faultsInForkedChild {
      func isRefused(_ body: () throws -> Void) -> Bool {
        do {
          try body()
          return false
        } catch {
          return (error as? JACKError)?.code == .forked
        }
      }
      let refusals = [
        isRefused { _ = try connection.ports(matching: "forks:") },
        isRefused { let _: AudioOutputPort = try connection.register("other") },
        isRefused { try connection.connect("forks:out", to: "system:playback_1") },
        isRefused { _ = try OpenedClient.open(name: "child", server: server) },
      ]
      return refusals.count { !$0 }
    }
    #expect(faults == 0)
    #expect(try connection.ports(matching: "^forks:").map(\.name) == ["forks:out"])
    _ = port
    #expect(client.close() == .closed)
  }
}
