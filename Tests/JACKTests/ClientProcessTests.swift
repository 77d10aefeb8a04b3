// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JACK
import SystemSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ClientProcessTests {
  @Test(.jackServer())
  func `a client's process and program are found`() async throws {
    let server = try testServer()
    let recorder = try Recorder(from: [], capacityFrames: 1, server: server.name, name: "my own")
    defer { recorder.close() }
    let own = try #require(ClientProcess.find(client: "my own"))
    #expect(own.pid == getpid())
    #expect(own == ClientProcess(pid: getpid()))
    #expect(own.executable.hasPrefix("/") && own.executable.hasSuffix(own.program))
    #expect(ClientProcess.find(client: "nobody") == nil)
  }

  @Test(.jackServer())
  func `PRM-2 a child that inherits the connection is not the client's program`() async throws {
    let server = try testServer()
    let recorder = try Recorder(from: [], capacityFrames: 1, server: server.name, name: "a parent")
    defer { recorder.close() }
    // It has all open descriptors of this process, and is younger.
    let child = try ChildProcess.start("sleep", ["60"], bond: .foreground)
    defer {
      child.send(SIGKILL)
      #expect(child.waitForExit(within: .seconds(20)))
    }
    #expect(ClientProcess.find(client: "a parent")?.pid == getpid())
  }

  @Test(.jackServer())
  func `of two clients with one name, that of our server is found`() async throws {
    let server = try testServer()
    let recorder = try Recorder(from: [], capacityFrames: 1, server: server.name)
    defer { recorder.close() }
    let other = try await TestServer.start()
    // One after the other: their sockets have one path, where the server looks for a client once.
    let mine = try Metronome(server: server.name)
    try? await mine.waitForClient()
    let theirs = try Metronome(server: other.name)
    try? await theirs.waitForClient()
    let found = ClientProcess.find(client: Metronome.client)
    #expect(found?.pid == mine.process.pid)
    #expect(found?.program == "jack_metro")
    mine.stop()
    theirs.stop()
    await other.stop()
  }

  @Test(arguments: [
    ("mpv-01", "mpv"), ("mpv", "mpv"), ("take-100", "take-100"), ("-01", "-01"), ("a-1x", "a-1x"),
  ])
  func `the number behind a name that was taken is none of the name`(
    client: String,
    name: String,
  ) { #expect(ClientProcess.baseName(ofClient: client) == name) }
}

/// `jack_metro`, a program that is a client of a server of one's choice.
private struct Metronome {
  static let client = "the metronome"

  let process: ChildProcess
  private let server: String

  init(server: String) throws {
    self.server = server
    process = try ChildProcess.start(
      "jack_metro",
      ["--bpm", "60", "--name", Self.client],
      environment: ["JACK_DEFAULT_SERVER": server],
      bond: .bound,
    )
  }

  func waitForClient() async throws {
    let name = "/jack_sem.\(getuid())_\(server)_\(Self.client)"
    try await waitUntil("the metronome is there") {
      FileManager.default.fileExists(atPath: "/dev/shm" + name)
    }
    // Its semaphore is made while the server answers it; then libjack has some milliseconds of invisible
    // work.
    try await Task.sleep(for: .milliseconds(200))
  }

  func stop() {
    process.send(SIGKILL)
    #expect(process.waitForExit(within: .seconds(20)))
  }
}
