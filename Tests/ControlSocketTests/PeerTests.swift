// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import NIOCore
import Testing

@testable import ControlSocket

@Suite(.timeLimit(.minutes(1))) struct PeerTests {
  @Test func theSameUserAndRootMayControl() {
    #expect(PeerCredentials(userID: geteuid(), processID: 1).mayControl)
    #expect(PeerCredentials(userID: 0, processID: 1).mayControl)
    #expect(!PeerCredentials(userID: geteuid() + 1, processID: 1).mayControl)
  }

  /// Needs root, as only root can become another user; the rule itself is tested above.
  @Test func anotherUserIsRefusedEvenWhereTheFilesWouldLetItIn() async throws {
    guard geteuid() == 0 else { return }
    let host = try await TestHost.start()
    #expect(unsafe chmod(host.directory.path, 0o755) == 0)
    #expect(unsafe chmod(host.server.path, 0o666) == 0)
    let path = host.server.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      #expect(setgid(65534) == 0 && setuid(65534) == 0)
      let client = try RawClient(path: path)
      await client.send(soloLine("stolen", id: 1))
      #expect(errorCode(await client.line()) == .unauthorised)
      #expect(await client.line() == nil)
    }
    #expect(host.record.strips.isEmpty)
    #expect(host.log.text.contains("user 65534"))
    await host.server.close()
  }

  /// Needs root, as above.
  @Test func theFilesKeepAnotherUserOut() async throws {
    guard geteuid() == 0 else { return }
    let host = try await TestHost.start()
    let path = host.server.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      #expect(setgid(65534) == 0 && setuid(65534) == 0)
      let error = await #expect(throws: ControlClientError.self) {
        try await ControlClient.connect(to: .path(path), clientName: "nobody")
      }
      #expect(error?.code == .notPermitted)
    }
    await host.server.close()
  }
}
