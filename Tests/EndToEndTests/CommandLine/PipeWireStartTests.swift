// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// The start of a host through `pw-jack`, with one that notes its words and ends with status 7.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct PipeWireStartTests {
  private let scratch: Scratch
  private let folder: String

  init() throws {
    scratch = try Scratch()
    folder = try scratch.makeFolder("bin")
  }

  private func install() throws {
    let program = folder + "/pw-jack"
    let text = "#!/bin/sh\necho \"$*\" >>'\(folder)/words'\nexit 7\n"
    try text.write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
  }

  /// The words with which it was started, line by line.
  private var words: String {
    String(
      decoding: FileManager.default.contents(atPath: folder + "/words") ?? Data(),
      as: UTF8.self
    )
  }

  private func run(_ words: String..., server: String = "none") async throws -> Multiroute.Output {
    try await Multiroute.run(
      ["run"] + words,
      environment: ["PATH": folder, "JACK_DEFAULT_SERVER": server],
      in: scratch,
    )
  }

  @Test func `--through-pipewire starts the same command through pw-jack, or says what is missing`()
    async throws
  {
    let missing = try await run("--through-pipewire", "/no-such.yaml")
    #expect(missing.end == .code(69))
    let fault = "error: --through-pipewire: there is no pw-jack on the PATH"
    #expect(missing.standardError.hasPrefix(fault), "\(missing)")

    try install()
    let output = try await run("--plain", "--through-pipewire", "/no-such.yaml", "--rate", "48kHz")
    #expect(output.end == .code(7), "\(output)")
    let program = URL(filePath: try Multiroute.path()).resolvingSymlinksInPath()
      .path(percentEncoded: false)
    #expect(words == "\(program) run --plain /no-such.yaml --rate 48kHz\n")
  }

  @Test(.jackServer())
  func `--prefer-pipewire needs a PipeWire that listens, pw-jack, and no JACK server`() async throws
  {
    let server = try testServer().name
    let socket = scratch.runtimeDirectory + "/pipewire-0"
    let script = """
      import signal, socket, sys
      listener = socket.socket(socket.AF_UNIX)
      listener.bind(sys.argv[1])
      listener.listen()
      print("listening", flush=True)
      signal.pause()
      """
    try install()
    // Without PipeWire the host begins, and reads its graph.
    #expect(try await run("--prefer-pipewire", "/no-such.yaml").end == .code(65))

    let pipeWire = try Child("python3", ["-c", script, socket], in: scratch)
    try await waitUntil("PipeWire listens") { pipeWire.standardOutput == "listening\n" }
    #expect(try await run("--prefer-pipewire", "/no-such.yaml", server: server).end == .code(65))
    #expect(
      try await run("--prefer-pipewire", "/no-such.yaml", "--server", server).end == .code(65)
    )
    #expect(words == "")
    #expect(try await run("--prefer-pipewire", "/no-such.yaml").end == .code(7))
    #expect(words.hasSuffix(" run /no-such.yaml\n"))

    try FileManager.default.removeItem(atPath: folder + "/pw-jack")
    #expect(try await run("--prefer-pipewire", "/no-such.yaml").end == .code(65))
  }
}
