// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import NIOCore
import Testing

@testable import ControlSocket

/// Clients trust hosts of their own user and of root.
///
/// Tests with other users need root, as only root can become another user.
@Suite(.timeLimit(.minutes(1))) struct HostTrustTests {
  private static func error(ofFolder path: String) -> ControlClientError? {
    do throws(ControlClientError) {
      _ = try HostAddress.only.path(directory: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func aFolderThatOthersCouldHaveFilledIsNotLookedAt() async throws {
    let host = try await TestHost.start(name: "there")
    let path = host.directory.path
    #expect(Self.error(ofFolder: path) == nil)
    #expect(unsafe chmod(path, 0o770) == 0)
    #expect(Self.error(ofFolder: path)?.code == .notPermitted)
    #expect(Self.error(ofFolder: path)?.description.contains("other users may write") == true)
    #expect(SocketPath.hostNames(directory: path) == [])
    #expect(unsafe chmod(path, 0o755) == 0)
    #expect(SocketPath.hostNames(directory: path) == ["there"])

    let link = path + "-link"
    #expect(unsafe symlink(path, link) == 0)
    #expect(Self.error(ofFolder: link)?.description.contains("not a directory") == true)
    #expect(SocketPath.hostNames(directory: link) == [])
    _ = unsafe unlink(link)
    #expect(Self.error(ofFolder: path + "-none")?.code == .noSuchHost)
    await host.server.close()
  }

  @Test func anotherUsersFolderIsNotLookedAt() async throws {
    guard geteuid() == 0 else { return }
    let host = try await TestHost.start(name: "there")
    let path = host.directory.path
    #expect(unsafe chown(path, 65534, 65534) == 0)
    #expect(Self.error(ofFolder: path)?.code == .notPermitted)
    #expect(Self.error(ofFolder: path)?.description.contains("user 65534") == true)
    let error = await #expect(throws: ControlClientError.self) {
      try await ControlClient.connect(to: .name("there"), directory: path, clientName: "t")
    }
    #expect(error?.code == .notPermitted)
    // Root reaches it by its path.
    let client = try await ControlClient.connect(to: .path(host.server.path), clientName: "t")
    await client.close()
    await host.server.close()
  }

  @Test func anotherUsersProcessGetsNotOneByte() async throws {
    guard geteuid() == 0 else { return }
    let folder = try TemporaryDirectory()
    #expect(unsafe chmod(folder.path, 0o777) == 0)
    let path = folder.path + "/dj.sock"
    await #expect(processExitsWith: .success) { [path = path as String] in
      // The kernel remembers who began to listen.
      #expect(seteuid(65534) == 0)
      let listener = try ForeignListener(path: path)
      #expect(seteuid(0) == 0)
      #expect(setgid(65533) == 0 && setuid(65533) == 0)
      let error = await #expect(throws: ControlClientError.self) {
        try await ControlClient.connect(to: .path(path), clientName: "t")
      }
      #expect(error?.code == .notPermitted)
      #expect(error?.description.contains("user 65534 listens there") == true)
      #expect(listener.receivedBytes() == 0)
    }
  }

  @Test func rootTrustsAnybodyItHasNamed() throws {
    guard geteuid() == 0 else { return }
    let foreign = PeerCredentials(userID: 65534, processID: 1)
    try HostTrust(.path("/x")).check(foreign, path: "/x")
    #expect(throws: ControlClientError.self) { try HostTrust(.only).check(foreign, path: "/x") }
    #expect(throws: ControlClientError.self) { try HostTrust(.path("/x")).check(nil, path: "/x") }
  }
}

/// A socket that accepts connections and counts what it gets.
private struct ForeignListener {
  private let descriptor: CInt

  init(path: String) throws {
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    let address = try SocketAddress(unixDomainSocketPath: path)
    let result = unsafe address.withSockAddr { pointer, size in
      unsafe bind(descriptor, pointer, socklen_t(size))
    }
    try #require(result == 0 && listen(descriptor, 8) == 0)
    try #require(unsafe chmod(path, 0o777) == 0)
  }

  /// The number of bytes that the next connection sends.
  func receivedBytes() -> Int {
    let connection = accept(descriptor, nil, nil)
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var sum = 0
    while true {
      let count = unsafe read(connection, &buffer, buffer.count)
      guard count > 0 else { return sum }
      sum += count
    }
  }
}
