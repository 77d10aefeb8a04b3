// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// `multiroute session play`: files that the host plays for commands.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PlayedFileTests {
  private static let low = Float(pow(10, -14.0 / 20))
  private static let mixing = ["--category", "playback", "--option", "mixWithOthers"]

  /// A file that stands at a level.
  private func constant(_ level: Float, seconds: Double, in scratch: Scratch) throws -> String {
    try scratch.write(
      [[Float](repeating: level, count: Int(seconds * 48_000))],
      to: "constant-\(level)-\(seconds).wav",
      format: .wavFloat32,
    )
  }

  private func start(_ music: Music, _ arguments: [String]) throws -> Child {
    try Child(
      Multiroute.path(),
      ["session", "play", "--host", music.host.name] + arguments,
      environment: music.scratch.hostEnvironment,
      in: music.scratch,
    )
  }

  /// The ports of all clients of the server.
  private func ports(_ music: Music) throws -> Set<String> {
    Set(try music.recorder.connection.ports().map(\.name))
  }

  @Test(.jackServer(frames: 64))
  func `SES-6 the sound ends with its command, however that ends`() async throws {
    let music = try await Music.playing()
    // Far longer than the test may take: it is heard no more only because it was ended.
    let file = try constant(0.5, seconds: 100, in: music.scratch)
    let before = try ports(music)
    for ending in [SIGKILL, SIGINT, SIGTERM] {
      let play = try start(music, ["--preset", "navigation", file])
      try await music.waitForLevel(Self.low + 0.5, tolerance: 0.001)
      #expect(try ports(music) == before, "it has a JACK client or ports of its own")
      let sounding = music.samples.count
      play.send(ending)
      #expect(try await play.waitForEnd() == .signal(ending))
      try await music.waitForLevel(1)
      let end = music.samples[(sounding - 1)...]
      #expect(zip(end, end.dropFirst()).allSatisfy { abs($0 - $1) < 0.01 }, "it ends with a click")
      try await waitUntil("its session and strip are gone") {
        try await music.host.status().sessions.map(\.id) == ["host"]
      }
      #expect(try await music.host.status().strips.map(\.id) == ["music"])
    }
    try await music.end()
  }

  @Test(.jackServer(frames: 64))
  func `INT-5 a file waits while it is interrupted, and is heard in full`() async throws {
    let music = try await Music.playing()
    let file = try constant(0.25, seconds: 3, in: music.scratch)
    let start = music.samples.count
    let play = try self.start(music, Self.mixing + [file])
    try await music.waitForLevel(1.25)
    var params = Simulate.Params(event: .interruptionBegin)
    params.priorityClass = .phone
    _ = try await music.client.call(Simulate.self, params)
    try await music.waitForLevel(0)
    params.event = .interruptionEnd
    _ = try await music.client.call(Simulate.self, params)
    #expect(try await play.waitForEnd() == .code(0), "\(play.standardError)")
    try await music.waitForLevel(1)
    let heard = music.samples[start...].count { abs($0 - 1.25) < 0.001 }
    // All of it but what the fades took.
    #expect(heard <= 3 * 48_000 && heard > 3 * 48_000 - 4_800, "\(heard) frames")
    try await music.end()
  }

  @Test(.jackServer(frames: 64))
  func `two files sound at once, and each command ends with its own`() async throws {
    let music = try await Music.playing()
    let short = try constant(0.125, seconds: 2, in: music.scratch)
    let long = try constant(0.25, seconds: 100, in: music.scratch)
    let first = try start(music, Self.mixing + [long])
    try await music.waitForLevel(1.25)
    let second = try start(music, Self.mixing + [short])
    try await music.waitForLevel(1.375)
    #expect(try await second.waitForEnd() == .code(0), "\(second.standardError)")
    try await music.waitForLevel(1.25)
    #expect(first.end == nil)
    first.send(SIGKILL)
    try await music.waitForLevel(1)
    try await music.end()
  }

  @Test(.jackServer(frames: 64))
  func `files by a relative path and by standard input are heard; bad ones are refused`()
    async throws
  {
    let music = try await Music.playing()
    let file = try constant(0.25, seconds: 0.5, in: music.scratch)
    let name = (file as NSString).lastPathComponent
    let words = (["session", "play", "--host", music.host.name] + Self.mixing)
      .joined(separator: " ")
    for line in [
      "cd '\(music.scratch.path)' && exec '\(try Multiroute.path())' \(words) '\(name)'",
      "exec '\(try Multiroute.path())' \(words) /dev/stdin <'\(file)'",
    ] {
      let start = music.samples.count
      let play = try Child(
        "sh",
        ["-c", line],
        environment: music.scratch.hostEnvironment,
        in: music.scratch,
      )
      #expect(try await play.waitForEnd() == .code(0), "\(play.standardError)")
      try await music.waitForLevel(1)
      #expect(music.samples[start...].count { abs($0 - 1.25) < 0.001 } == 24_000)
    }

    let text = try music.scratch.write("no sound", to: "text.wav")
    unsafe mkfifo("\(music.scratch.path)/fifo.wav", 0o600)
    for (path, reason) in [
      ("\(music.scratch.path)/missing.wav", "No such file"), (text, "cannot be read as audio"),
      ("\(music.scratch.path)/fifo.wav", "a pipe or a device"), ("/dev/zero", "a pipe or a device"),
    ] {
      let play = try start(music, [path])
      #expect(try await play.waitForEnd() == .code(65))
      let error = play.standardError
      #expect(error.hasPrefix("error: file: '\(path)'") && error.contains(reason), "\(error)")
      #expect(error.split(separator: "\n").count == 1, "\(error)")
    }
    #expect(try await music.host.status().sessions.map(\.id) == ["host"])
    try await music.end()
  }

  @Test(.jackServer(frames: 64))
  func `a file that only the caller may read is refused by the host, which plays on`() async throws
  {
    let scratch = try Scratch()
    let file = try constant(0.25, seconds: 0.5, in: scratch)
    #expect(unsafe chmod(file, 0) == 0)
    // Root reads everything by these two capabilities; other users lack them anyway.
    let lost = "-dac_override,-dac_read_search"
    let prefix =
      geteuid() == 0 ? ["setpriv", "--bounding-set=\(lost)", "--inh-caps=\(lost)"] : []
    let error = try await refusal(of: file, by: prefix, in: scratch)
    #expect(error.contains("Permission denied"), "\(error)")
  }

  @Test(.jackServer(frames: 64))
  func `where the library for sound files cannot be loaded, the answer names it`() async throws {
    let scratch = try Scratch()
    let file = try constant(0.25, seconds: 0.5, in: scratch)
    let library = try scratch.write("no library", to: "libsndfile.so.1")
    let error = try await refusal(
      of: file,
      environment: ["LD_LIBRARY_PATH": scratch.path],
      in: scratch,
    )
    #expect(error.contains("cannot be read as audio: \(library)"), "\(error)")
  }

  /// Has a host without sources refuse a file.
  ///
  /// - Returns: The words of the command on standard error.
  private func refusal(
    of file: String,
    by prefix: [String] = [],
    environment: [String: String] = [:],
    in scratch: Scratch,
  ) async throws -> String {
    let graph = try scratch.write(
      """
      multiroute: 1
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {}
      mix: []
      """,
      to: "empty.yaml",
    )
    let host = try HostProcess(
      graph: graph,
      server: try testServer().name,
      under: prefix,
      environment: environment,
      in: scratch,
    )
    try await host.attached()
    let play = try Child(
      Multiroute.path(),
      ["session", "play", "--host", host.name, file],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
    #expect(try await play.waitForEnd() == .code(65))
    let error = play.standardError
    #expect(error.hasPrefix("error: file: '\(file)'"), "\(error)")
    #expect(error.split(separator: "\n").count == 1, "\(error)")
    #expect(try await host.status().sessions.map(\.id) == ["host"])
    #expect(try await host.stop() == .code(0))
    return error
  }
}
