// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import FoundationEssentials
import Glibc
import Logging
import Testing

@Suite(.timeLimit(.minutes(1))) struct StartTests {
  private let directory: TemporaryDirectory
  private let logger = LogRecord().logger

  init() throws { directory = try TemporaryDirectory() }

  private func start(_ name: String = "h", in path: String? = nil) async throws -> ControlServer {
    try await ControlServer.start(
      ControlServerConfiguration(
        hostName: name,
        hostVersion: "1",
        directory: path ?? directory.path
      ),
      handler: ControlRouter(),
      logger: logger,
    )
  }

  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    #expect(unsafe lstat(path, &status) == 0)
    return status.st_mode & 0o7777
  }

  private func failure(_ name: String = "h", in path: String? = nil) async -> ControlServerError? {
    await #expect(throws: ControlServerError.self) { try await start(name, in: path) }
  }

  @Test func theSocketIsForItsOwnerOnly() async throws {
    let deep = directory.path + "/runtime/multiroute"
    let server = try await start("dj", in: deep)
    #expect(server.path == deep + "/dj.sock")
    #expect(try mode(deep) == 0o700)
    #expect(try mode(server.path) == 0o600)
    #expect(try mode(server.path + ".lock") == 0o600)
    await server.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: deep).isEmpty)
  }

  @Test func aDirectoryThatIsTooOpenIsClosed() async throws {
    #expect(unsafe chmod(directory.path, 0o777) == 0)
    let server = try await start()
    #expect(try mode(directory.path) == 0o700)
    await server.close()
  }

  @Test func aSecondHostOfTheSameNameIsRefused() async throws {
    let first = try await start()
    let error = await failure()
    #expect(error?.code == .nameTaken)
    #expect(error?.description.contains("process \(getpid())") == true)
    let other = try await start("other")
    _ = try await ControlClient.connect(to: .path(first.path), clientName: "t").close()
    await first.close()
    let again = try await start()
    await again.close()
    await other.close()
  }

  @Test func aListenerWithoutALockIsNotThrownOut() async throws {
    let first = try await start()
    #expect(unsafe unlink(first.path + ".lock") == 0)
    let error = await failure()
    #expect(error?.code == .nameTaken)
    _ = try await ControlClient.connect(to: .path(first.path), clientName: "t").close()
    await first.close()
  }

  @Test func theSocketOfAKilledHostIsTakenOver() async throws {
    let path = directory.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let server = try await ControlServer.start(
        ControlServerConfiguration(hostName: "h", hostVersion: "1", directory: path),
        handler: ControlRouter(),
        logger: Logger(label: "child"),
      )
      kill(getpid(), SIGKILL)
      await server.close()
    }
    #expect(SocketPath.hostNames(directory: path) == ["h"])
    let error = await #expect(throws: ControlClientError.self) {
      try await ControlClient.connect(to: .name("h"), directory: path, clientName: "t")
    }
    #expect(error?.code == .hostDead)
    let none = await #expect(throws: ControlClientError.self) {
      try await ControlClient.connect(to: .only, directory: path, clientName: "t")
    }
    #expect(none?.code == .noSuchHost)
    #expect(none?.description.contains("no MultiRoute host is running") == true)
    let server = try await start()
    let client = try await ControlClient.connect(to: .only, directory: path, clientName: "t")
    #expect(client.host.host == "h")
    await server.close()
  }

  @Test func whatIsNoSocketIsLeftAlone() async throws {
    let path = directory.path + "/h.sock"
    #expect(FileManager.default.createFile(atPath: path, contents: Data("mine".utf8)))
    #expect(await failure()?.code == .socket)
    #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
  }

  @Test func aDirectoryThatIsALinkIsRefused() async throws {
    let link = directory.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.path)
    #expect(await failure(in: link)?.code == .directory)
    #expect(await failure(in: "/proc/multiroute")?.code == .directory)
  }

  @Test(arguments: ["", ".", "../x", "a/b", "-a", "ä", String(repeating: "a", count: 65)])
  func aBadNameIsRefused(_ name: String) async {
    #expect(await failure(name)?.code == .badName)
  }

  @Test func aPathThatIsTooLongIsRefused() async {
    let long = directory.path + "/" + String(repeating: "d", count: 90)
    #expect(await failure(in: long)?.code == .badName)
  }

  @Test func closingAnswersWhatWasAskedFirst() async throws {
    let host = try await TestHost.start()
    let client = try await host.client()
    async let answer = client.call(SetSolo.self, SetSolo.Params(strip: "slow", solo: true))
    try await eventually { host.record.begun == ["slow"] }
    await host.server.close()
    #expect(try await answer == Applied(frame: 1))
    #expect(host.record.strips == ["slow"])
    let error = await #expect(throws: ControlClientError.self) { try await host.client() }
    #expect(error?.code == .noSuchHost)
  }
}
