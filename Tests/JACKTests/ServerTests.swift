// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Logging
import SystemSupport
import TestSupport
import Testing

@testable import JACK

@Suite(.timeLimit(.minutes(1)))
struct ServerTests {
  private func configuration(_ name: String) -> ServerConfiguration {
    ServerConfiguration(name: "multiroute-\(name)-\(getpid())", driver: .dummy)
  }

  @Test(.aloneWithJACK)
  func `a server starts, answers, says what it is, and is gone after stopping`() async throws {
    var configuration = configuration("start")
    configuration.isSynchronous = true
    configuration.captureChannels = 3
    configuration.playbackChannels = 5
    let server = ServerProcess(configuration)
    #expect(!server.isRunning)
    try await server.start()
    let pid = try #require(server.pid)
    #expect(server.driverName == "dummy")
    let identity = ServerIdentity.find(name: configuration.name)
    #expect(identity.kind == .jackd)
    #expect(identity.pid == pid)
    #expect(identity.driver == "dummy")
    #expect(identity.isSynchronous == true)
    let client = try OpenedClient.open(name: "count", server: configuration.name)
    #expect(try client.connection.ports(flags: [.physical, .output]).count == 3)
    #expect(try client.connection.ports(flags: [.physical, .input]).count == 5)
    client.close()
    await server.stop()
    #expect(!server.isRunning)
    #expect(kill(pid, 0) != 0)
    #expect(ServerIdentity.find(name: configuration.name).kind == .unknown)
  }

  @Test(.aloneWithJACK)
  func `a restart changes rate and period`() async throws {
    var configuration = configuration("restart")
    configuration.sampleRateHz = 44_100
    let server = ServerProcess(configuration)
    try await server.start()
    let firstPID = server.pid
    configuration.sampleRateHz = 96_000
    configuration.periodFrames = 100
    try await server.restart(with: configuration)
    #expect(server.pid != firstPID)
    let client = try OpenedClient.open(name: "rate", server: configuration.name)
    #expect(try client.connection.sampleRateHz == 96_000)
    #expect(try client.connection.bufferFrames == 100)
    client.close()
    await server.stop()
  }

  @Test(.aloneWithJACK)
  func `a server that dies by itself is reported once, a stopped one is not`() async throws {
    let server = ServerProcess(configuration("exit"))
    try await server.start()
    await server.stop()
    try await server.start()
    let pid = try #require(server.pid)
    kill(pid, SIGKILL)
    var exits = server.exits.makeAsyncIterator()
    let exit = try #require(await exits.next())
    #expect(exit.pid == pid)
    #expect(exit.signal == SIGKILL)
    #expect(exit.status == nil)
    #expect(!server.isRunning)
    try await server.start()
    #expect(server.isRunning)
    await server.stop()
  }

  @Test(.aloneWithJACK)
  func `jackd's complaint is in the error`() async throws {
    var configuration = configuration("bad")
    configuration.driver = .other("no-such-driver")
    let server = ServerProcess(configuration)
    let error = await #expect(throws: JACKError.self) { try await server.start() }
    #expect(error?.code == .serverDidNotStart)
    #expect(error?.subject == configuration.name)
    #expect(error?.description.contains("no-such-driver") == true)
    #expect(!server.isRunning)

    configuration.program = "no-such-jackd"
    let missing = ServerProcess(configuration)
    let notFound = await #expect(throws: JACKError.self) { try await missing.start() }
    #expect(notFound?.code == .serverNotInstalled)
  }

  @Test(.aloneWithJACK)
  func `a name in use is waited for, then an error`() async throws {
    let first = ServerProcess(configuration("same"))
    let second = ServerProcess(configuration("same"))
    try await first.start()
    let error = await #expect(throws: JACKError.self) {
      try await second.start(within: .seconds(2))
    }
    #expect(error?.code == .serverDidNotStart)
    #expect(error?.detail?.contains("runs already") == true)
    async let started: Void = second.start()
    // The time in which the second one finds the name in use, as the first two lines have shown it does.
    try await Task.sleep(for: .milliseconds(500))
    await first.stop()
    try await started
    #expect(second.isRunning)
    await second.stop()
  }

  @Test(.aloneWithJACK)
  func `where real-time scheduling is refused the server runs without, and says why`()
    async throws
  {
    // A jackd without the capability that root has.
    let program = try script(
      """
      ulimit -r 0
      exec setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice jackd "$@"
      """
    )
    defer { try? FileManager.default.removeItem(atPath: program) }
    var configuration = configuration("rt")
    configuration.program = program
    configuration.isRealtime = true
    let server = ServerProcess(configuration)
    try await server.start()
    #expect(server.realtimeFallbackReason?.contains("Operation not permitted") == true)
    let client = try OpenedClient.open(name: "rt", server: configuration.name)
    #expect(try client.connection.isRealtime == false)
    client.close()
    await server.stop()
  }

  @Test(.aloneWithJACK)
  func `the child has neither our descriptors nor our signal mask`() async throws {
    let leak = unsafe open("/dev/zero", O_RDONLY)  // without O_CLOEXEC
    defer { close(leak) }
    let program = try script("grep Sig /proc/self/status; ls -l /proc/self/fd; exit 3")
    defer { try? FileManager.default.removeItem(atPath: program) }
    var configuration = configuration("clean")
    configuration.program = program
    let server = ServerProcess(configuration)
    let error = await #expect(throws: JACKError.self) { try await server.start() }
    let detail = try #require(error?.detail)
    #expect(detail.contains("status 3"))
    #expect(detail.contains("SigBlk:\t0000000000000000"))
    // SIGPIPE, bit 12, is ignored here; a child decides for itself.
    let ignored = try #require(detail.firstMatch(of: /SigIgn:\t([0-9a-f]+)/)?.output.1)
    #expect(try #require(UInt64(ignored, radix: 16)) & (1 << 12) == 0)
    #expect(detail.contains("/dev/null"))
    #expect(!detail.contains("/dev/zero"))
  }

  private func script(_ text: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/multiroute-\(UUID().uuidString)"
    try "#!/bin/sh\n\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return path
  }

  @Test(arguments: [
    ("jackd -n x -S -d dummy -p 64", ServerIdentity.Kind.jackd, "dummy", true),
    ("/usr/bin/jackd -ndefault -dalsa -dhw:0 -S", .jackd, "alsa", false),
    ("/usr/bin/jackdmp --sync --driver alsa", .jackd, "alsa", true),
  ])
  func `a command line gives driver and mode`(
    line: String,
    kind: ServerIdentity.Kind,
    driver: String,
    isSynchronous: Bool,
  ) {
    let words = line.split(separator: " ").map(String.init)
    let identity = ServerIdentity(name: "x", pid: 1, commandLine: words)
    #expect(identity.kind == kind)
    #expect(identity.driver == driver)
    #expect(identity.isSynchronous == isSynchronous)
  }

  @Test
  func `the automatic driver is ALSA where there is a card`() {
    let cards = " 2 [PCH            ]: HDA-Intel - HDA Intel PCH\n                      at 0xf7"
    #expect(ServerConfiguration.firstCard(cards) == 2)
    #expect(ServerConfiguration.firstCard("--- no soundcards ---\n") == nil)
    var configuration = ServerConfiguration(driver: .alsa(device: "hw:2"), periodFrames: 96)
    configuration.realtimePriority = 70
    configuration.captureChannels = 0
    #expect(
      configuration.arguments == [
        "-n", "default", "-R", "-P", "70", "-d", "alsa", "-d", "hw:2", "-r", "48000", "-p", "96",
        "-n", "2", "-i", "0",
      ]
    )
    configuration.isPlaybackOnly = true
    #expect(configuration.arguments.suffix(3) == ["-n", "2", "-P"])
  }

  @Test
  func `rate and period of a server behind a network are its master's`() {
    var configuration = ServerConfiguration(driver: .other("net"), captureChannels: 2)
    configuration.extraDriverArguments = ["-p", "19000"]
    #expect(
      configuration.arguments == ["-n", "default", "-R", "-d", "net", "-C", "2", "-p", "19000"]
    )
  }
}
