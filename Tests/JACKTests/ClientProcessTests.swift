// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import SystemSupport
import TestSupport
import Testing

@testable import JACK

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
    let executable = try #require(own.executable)
    #expect(executable.hasPrefix("/") && executable.hasSuffix("/" + (own.program ?? "/")))
    #expect(own.file == Machine.this.identity(ofFile: executable))
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
  func
    `PRM-2 a child that inherits the connection and is a client too is not its parent's program`()
    async throws
  {
    let server = try testServer()
    let recorder = try Recorder(from: [], capacityFrames: 1, server: server.name, name: "a parent")
    defer { recorder.close() }
    let child = try Metronome(server: server.name, bond: .foreground)
    try await child.waitForClient()
    let path = ClientProcess.socketPath(ofClient: "a parent")
    #expect(
      Machine.this.process(child.process.pid, holdsOneOf: Machine.this.sockets(at: path)),
      "the child has not inherited the socket"
    )
    #expect(ClientProcess.find(client: "a parent")?.pid == getpid())
    #expect(ClientProcess.oldestHolder(ofSocketAt: path)?.pid == getpid())
    #expect(ClientProcess.find(client: Metronome.client)?.pid == child.process.pid)
    child.stop()
  }

  @Test(.jackServer())
  func `PRM-2 a client that is named like a path is found by its process`() async throws {
    let server = try testServer()
    let name = "/usr/bin/jack_rec"
    let recorder = try Recorder(from: [], capacityFrames: 1, server: server.name, name: name)
    #expect(ClientProcess.find(client: name) == ClientProcess(pid: getpid()))
    // JACK gives both sockets one path. Nobody can say which of them is whose.
    let other = try Metronome(server: server.name, name: "_usr_bin_jack_rec")
    try await other.waitForClient()
    #expect(ClientProcess.find(client: name) == nil)
    other.stop()
    recorder.close()
  }

  @Test
  func `PRM-2 the program of a process that hides it is unknown, and the process is not`()
    async throws
  {
    // Root sees everything, so that another user does this in a process of its own.
    await #expect(processExitsWith: .success) {
      let nobody: uid_t = 65_534
      if getuid() == 0 { #expect(setgid(nobody) == 0 && setuid(nobody) == 0) }
      let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: scratch) }
      let hidden = scratch.appending(path: "hidden").path
      let installed = try #require(Machine.this.programFile("jack_metro"))
      try FileManager.default.copyItem(atPath: installed, toPath: hidden)
      // A process whose user may run its file but not read it is not dumpable.
      #expect(unsafe chmod(hidden, 0o111) == 0)
      let server = try await TestServer.start()
      let recorder = try Recorder(from: [], capacityFrames: 1, server: server.name, name: "mine")
      let metronome = try Metronome(server: server.name, program: hidden)
      try await metronome.waitForClient()
      #expect(ClientProcess.find(client: "mine")?.pid == getpid())
      let found = try #require(ClientProcess.find(client: Metronome.client))
      #expect(found.pid == metronome.process.pid)
      #expect(found.executable == nil && found.program == nil && found.file == nil)
      metronome.stop()
      recorder.close()
      await server.stop()
    }
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
  private let name: String

  init(
    server: String,
    name: String = Self.client,
    program: String = "jack_metro",
    bond: ChildProcess.Bond = .bound,
  ) throws {
    self.server = server
    self.name = name
    process = try ChildProcess.start(
      program,
      ["--bpm", "60", "--name", name],
      environment: ["JACK_DEFAULT_SERVER": server],
      bond: bond,
    )
  }

  func waitForClient() async throws {
    let name = "/jack_sem.\(getuid())_\(server)_\(name)"
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
