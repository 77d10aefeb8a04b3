// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

/// What scripts rely on: the keys of `status --json`, exit statuses, and messages.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct CommandTests {
  private func running(name: String? = nil, in scratch: Scratch) async throws -> HostProcess {
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {preferred: {sampleRate: 48 kHz}}
      server: {start: never}
      routes:
        mic: {type: lineIn, ports: [system:capture_1]}
        main: {type: lineOut, ports: [system:playback_1]}
        far: {type: headphones, ports: [none:at-all]}
      sources: {deck: {tone: {}}, voice: {input: mic}}
      mix: [{from: deck, to: main}, {from: voice, to: far}]
      """,
      to: "commands.yaml",
    )
    return try await HostProcess.running(
      graph: graph,
      server: testServer().name,
      name: name,
      in: scratch,
    )
  }

  @Test(.jackServer())
  func `status has every key that scripts rely on`() async throws {
    let scratch = try Scratch()
    let host = try await running(in: scratch)
    // The only host of this run-time directory need not be named.
    let output = try await Multiroute.run(["status", "--json"], in: scratch)
    #expect(output.end == .code(0))
    let object = try JSONSerialization.jsonObject(with: Data(output.standardOutput.utf8))
    let status = try #require(object as? [String: Any])

    func expect(_ keys: String, in value: Any?, at place: String) throws {
      let object = try #require(value as? [String: Any], "\(place)")
      for key in keys.split(separator: " ") {
        #expect(object[String(key)] != nil, "\(place).\(key)")
      }
    }
    let hardware = try #require(status["hardware"] as? [String: Any])
    let values = [
      "sampleRate", "ioBufferDuration", "ioBufferFrames", "inputLatency", "outputLatency",
    ]
    for name in values {
      try expect("preferred actual reason", in: hardware[name], at: "hardware.\(name)")
    }
    let routes = try #require(status["routes"] as? [Any])
    #expect(routes.count == 3)
    for route in routes {
      try expect("name type direction ports available", in: route, at: "routes[]")
    }
    let sessions = try #require(status["sessions"] as? [Any])
    #expect(!sessions.isEmpty)
    for session in sessions {
      try expect(
        "id app category mode options active interruptedBy duckedBy preferred",
        in: session,
        at: "sessions[]",
      )
    }
    try expect("cycles xruns loadPercent", in: status["engine"], at: "engine")
    try expect("name pid owned driver restarts", in: status["server"], at: "server")

    // And they say the truth.
    let told = try await host.status()
    #expect(told.server.pid == TestServer.current?.process.pid)
    #expect(told.server.driver == "dummy")
    #expect(told.host.pid == host.child.pid)
    #expect(told.routes.map(\.available) == [true, true, false])
    #expect(told.routes[1].ports == ["system:playback_1"])
    #expect(told.engine.cycles > 0)

    let text = try await Multiroute.run(["status"], in: scratch)
    #expect(text.standardOutput.contains("sample rate"))
    #expect(text.standardOutput.contains("not available"))
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer())
  func `status --watch prints again when something changes, and ends with the host`()
    async throws
  {
    let scratch = try Scratch()
    let host = try await running(in: scratch)
    let watch = try Child(
      Multiroute.path(),
      ["status", "--watch", "--json"],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
    func gains() -> [Double] {
      watch.standardOutput.split(separator: "\n").compactMap {
        try? JSONDecoder().decode(HostStatus.self, from: Data($0.utf8)).strips[0].gainDB
      }
    }
    try await waitUntil("a first status") { gains().count >= 1 }
    let set = ["set", "gain", "--strip", "deck", "--to", "-7"]
    #expect(try await Multiroute.run(set, in: scratch).end == .code(0))
    try await waitUntil("the new gain") { gains().contains(-7) }
    #expect(gains().first == 0)
    #expect(try await host.stop() == .code(0))
    #expect(try await watch.waitForEnd() == .code(0))
  }

  @Test(.jackServer())
  func `silence is told as the string "-inf", in status and events`() async throws {
    let scratch = try Scratch()
    let host = try await running(in: scratch)
    let set = ["set", "gain", "--strip", "deck", "--to", "-inf"]
    #expect(try await Multiroute.run(set, in: scratch).end == .code(0))
    let status = try await Multiroute.run(["status", "--json"], in: scratch)
    #expect(status.end == .code(0), "\(status.standardError)")
    #expect(status.standardOutput.contains("\"gainDB\":\"-inf\""))
    let changed = try await host.waitForEvents(.mixChanged)
    #expect(changed[0].details == ["strip": .string("deck"), "gainDB": .string("-inf")])
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer())
  func `a second host of the same name is refused, and the first one plays on`() async throws {
    let scratch = try Scratch()
    let host = try await running(in: scratch)
    let second = try HostProcess(
      graph: "\(scratch.path)/commands.yaml",
      server: host.server,
      name: host.name,
      in: scratch,
    )
    #expect(try await second.child.waitForEnd() == .code(69))
    let message = second.child.standardError
    #expect(message.split(separator: "\n").count == 1)
    #expect(message.contains(host.name))
    #expect(message.contains("process \(host.child.pid) runs a host with this name"))
    let cycles = try await host.status().engine.cycles
    try await Task.sleep(for: .milliseconds(100))
    #expect(try await host.status().engine.cycles > cycles)
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer())
  func `what does not exist is refused with what there is`() async throws {
    let scratch = try Scratch()
    let host = try await running(in: scratch)
    let cases: [(command: String, status: Int32, parts: [String])] = [
      ("set gain --strip dekc --to -6", 65, ["dekc", "deck, voice"]),
      ("set mute --route mains on", 65, ["mains", "main, far"]),
      ("set gain --strip deck --route far --to 0", 65, ["deck", "far"]),
      ("set cue deck on", 65, ["cue"]),
      ("set send deck main --strip-channel 9 --route-channel 1 --to 0", 65, ["9", "1 to 1"]),
      ("set pan deck --to 2", 65, ["-1 to 1"]),
      ("set gain --strip deck --to loud", 64, ["loud", "decibels"]),
      ("set gain --to 0", 64, ["--strip"]),
      ("status --host nobody", 69, ["nobody", host.name]),
    ]
    for (command, status, parts) in cases {
      let words = command.split(separator: " ").map(String.init)
      let output = try await Multiroute.run(words, in: scratch)
      #expect(output.end == .code(status), "\(command): \(output.standardError)")
      for part in parts { #expect(output.standardError.contains(part), "\(command)") }
    }
    #expect(try await host.stop() == .code(0))
    let late = try await Multiroute.run(["status"], in: scratch)
    #expect(late.end == .code(69))
  }
}
