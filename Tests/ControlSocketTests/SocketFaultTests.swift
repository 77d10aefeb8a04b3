// SPDX-License-Identifier: MIT

import Glibc
import NIOCore
import Testing

@testable import ControlSocket

/// The words for what goes wrong with a socket.
struct SocketFaultTests {
  @Test(arguments: [
    (ENOSPC, "No space left on device"), (EMFILE, "Too many open files"),
    (EPROTOTYPE, "Protocol wrong type for socket"),
  ])
  func `a fault is told without the system's calls and numbers`(code: CInt, words: String) {
    let fault = IOError(errnoCode: code, reason: "connect(descriptor:addr:size:)")
    #expect(systemError(fault) == words)
    let error = ControlClientError(connecting: fault, path: "/run/dj.sock", directory: nil)
    #expect(error.description == "/run/dj.sock: it cannot be reached: \(words)")
  }

  @Test func `a folder that takes no lock is named with the reason`() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/h.sock"
    // A link in the lock's place is not followed.
    #expect(unsafe symlink("/dev/null", path + ".lock") == 0)
    let error = #expect(throws: ControlServerError.self) { _ = try SocketClaim(path: path) }
    #expect(
      error?.description
        == "\(path).lock: the lock cannot be opened: Too many levels of symbolic links"
    )
  }
}
