// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestSupport
import Testing

@testable import Host

/// The one seat of a host's guards.
struct GuardSeatTests {
  /// A folder of the user's own, removed at the end.
  private final class Folder {
    let path = "/tmp/multiroute-seat-\(UUID().uuidString)"
    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      _ = unsafe chmod(path, 0o700)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    func text(_ name: String) -> String {
      (try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)) ?? ""
    }
  }

  @Test func `only a message with the token is a call`() {
    #expect(GuardSeat.call("end word", token: "word") == .end)
    #expect(GuardSeat.call("host word 42", token: "word") == .host(pid: 42))
    let others = [
      "end", "end other", "host word", "host word x", "host other 42", "go word", "", "end word 1",
    ]
    for message in others {
      #expect(GuardSeat.call(message, token: "word") == nil)
    }
    #expect(GuardSeat.call("end ", token: "") == nil)
    #expect(Set((0..<100).map { _ in GuardSeat.newToken() }).count == 100)
    #expect(GuardSeat.newToken().count == 32)
  }

  @Test func `a seat is a file of mode 0600 with its holder's id and token, and a socket`() throws {
    let folder = try Folder()
    let seat = try #require(GuardSeat(host: "dj", directory: folder.path))
    seat.take()
    seat.listen(token: "word")
    #expect(folder.text("dj.guard") == "\(getpid())\nword\n")
    for file in ["dj.guard", "dj.guard-call"] {
      var facts = stat()
      #expect(unsafe stat("\(folder.path)/\(file)", &facts) == 0)
      #expect(facts.st_mode & 0o777 == 0o600)
    }
  }

  @Test func `the next host makes itself known to a guard by the token`() throws {
    let folder = try Folder()
    let seat = try #require(GuardSeat(host: "dj", directory: folder.path))
    seat.take()
    seat.listen(token: "word")
    #expect(seat.receive(limitMilliseconds: 0) == nil)
    GuardSeat.announce(host: "dj", directory: folder.path)
    #expect(seat.receive(limitMilliseconds: 1_000) == .host(pid: getpid()))
    // A free seat has nobody to tell.
    GuardSeat.announce(host: "other", directory: folder.path)
    #expect(seat.receive(limitMilliseconds: 0) == nil)
  }

  @Test(arguments: ["link", "second name", "folder"])
  func `no seat is taken in a file that is not the user's own`(kind: String) throws {
    let folder = try Folder()
    let victim = "\(folder.path)/victim"
    let lock = "\(folder.path)/dj.guard"
    try "precious".write(toFile: victim, atomically: true, encoding: .utf8)
    switch kind {
    case "link":
      try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: victim)
    case "second name": try FileManager.default.linkItem(atPath: victim, toPath: lock)
    default:
      try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: true)
    }
    #expect(GuardSeat(host: "dj", directory: folder.path) == nil)
    #expect(folder.text("victim") == "precious")
  }

  @Test func `no seat is taken in a folder behind a link, and none for a name with a path`() throws
  {
    let folder = try Folder()
    let link = folder.path + "-link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    defer { try? FileManager.default.removeItem(atPath: link) }
    #expect(GuardSeat(host: "dj", directory: link) == nil)
    #expect(GuardSeat(host: "../dj", directory: folder.path) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `a guard that stops only after the next host has announced itself is killed`()
    async throws
  {
    let folder = try Folder()
    let guardian = try Sleeper()
    let seat = try #require(GuardSeat(host: "dj", directory: folder.path))
    seat.take()
    try "\(guardian.pid)\nword\n".write(
      toFile: "\(folder.path)/dj.guard",
      atomically: false,
      encoding: .utf8,
    )
    GuardSeat.announce(host: "dj", directory: folder.path)
    #expect(guardian.process.isRunning)
    kill(guardian.pid, SIGSTOP)
    try await waitUntil("it is killed") { !guardian.process.isRunning }
  }

  @Test func `a stopped process is told from one that runs`() async throws {
    let sleeper = try Sleeper()
    #expect(!StoppedProcess.isStopped(sleeper.pid))
    kill(sleeper.pid, SIGSTOP)
    try await waitUntil("it is stopped") { StoppedProcess.isStopped(sleeper.pid) }
    kill(sleeper.pid, SIGCONT)
    try await waitUntil("it runs") { !StoppedProcess.isStopped(sleeper.pid) }
  }

  /// A process, killed at the end.
  private final class Sleeper {
    let process = Process()
    var pid: Int32 { process.processIdentifier }

    init() throws {
      process.executableURL = URL(fileURLWithPath: "/bin/sleep")
      process.arguments = ["600"]
      try process.run()
    }

    deinit {
      kill(pid, SIGKILL)
      process.waitUntilExit()
    }
  }
}
