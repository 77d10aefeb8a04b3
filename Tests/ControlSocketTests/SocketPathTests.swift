// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import ControlSocket

@Suite struct SocketPathTests {
  @Test func theRuntimeDirectoryIsUsed() {
    #expect(SocketPath.directory(runtime: "/run/user/7") == "/run/user/7/multiroute")
    #expect(SocketPath.directory(runtime: "/x/") == "/x/multiroute")
  }

  @Test(arguments: [nil, "", "relative"])
  func withoutItThereIsAPlaceOfTheUsersOwn(runtime: String?) {
    let user = geteuid()
    #expect(
      ["/run/user/\(user)/multiroute", "/tmp/multiroute-\(user)"]
        .contains(SocketPath.directory(runtime: runtime))
    )
  }

  @Test func namesBecomePathsAndBack() async throws {
    let directory = try TemporaryDirectory()
    #expect(
      try SocketPath.path(hostName: "Dj_1.b-c", directory: "/r/multiroute")
        == "/r/multiroute/Dj_1.b-c.sock"
    )
    #expect(SocketPath.hostNames(directory: directory.path) == [])
    #expect(SocketPath.hostNames(directory: "/nowhere") == [])
  }

  @Test func theKernelsLimitIsKept() throws {
    let fits = "/" + String(repeating: "d", count: 99)
    #expect(try SocketPath.path(hostName: "a", directory: fits).utf8.count == 107)
    #expect(throws: ControlServerError.self) {
      try SocketPath.path(hostName: "ab", directory: fits)
    }
  }
}
