// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// The interface for scripts: the keys of `status --json`, exit statuses, and messages.
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

  @Test(arguments: [
    (["chek"], "there is no command 'chek' (did you mean 'check'?)"),
    (["session", "activte"], "there is no command 'activte' (did you mean"),
  ])
  func `an unknown command gets the one that was meant`(words: [String], says: String) async throws
  {
    let output = try await Multiroute.run(words, in: Scratch())
    #expect(output.end == .code(64))
    #expect(output.standardError.contains(says))
  }

  @Test(arguments: [["check"], ["status"], ["set", "gain"], ["session", "play"]])
  func `help and errors name the whole command`(words: [String]) async throws {
    let help = try await Multiroute.run(words + ["--help"], in: Scratch())
    #expect(help.end == .code(0))
    let name = "multiroute " + words.joined(separator: " ")
    #expect(help.standardOutput.contains("USAGE: \(name)"), "\(help.standardOutput)")
    let refused = try await Multiroute.run(words + ["--bogus"], in: Scratch())
    #expect(refused.end == .code(64))
    #expect(refused.standardError.contains("'\(name) --help'"), "\(refused.standardError)")
  }

  @Test(arguments: [
    (["run", "--rate", "5", "g.yaml"], "--rate 5 is out of range; allowed: 8000 to 768000 Hz"),
    (["run", "--frames", "3", "g.yaml"], "--frames 3 is out of range; allowed: 16 to 8192"),
    (
      ["run", "--web", "70000", "g.yaml"],
      "--web 70000 is out of range; allowed: 0 (any free port) to 65535"
    ),
    (["meters", "--interval", "5ms"], "--interval 5ms is out of range; allowed: 20ms to 1s"),
    (
      ["bridge", "--device", "hw:1", "--playback", "--slack", "600ms"],
      "--slack 600ms is out of range; allowed: 0ms to 500ms"
    ),
    (
      ["bridge", "--device", "hw:1", "--playback", "--interval", "20ms"],
      "--interval 20ms is out of range; allowed: 50ms to 60s"
    ),
  ])
  func `a value out of range is named with what is allowed, in the units that are typed`(
    words: [String],
    says: String,
  ) async throws {
    let output = try await Multiroute.run(words, in: Scratch())
    #expect(output.end == .code(64))
    #expect(output.standardError.contains("Error: \(says)\n"), "\(output.standardError)")
  }

  /// The commands with their flags, as the program tells them to other programs.
  private struct Help: Decodable {
    struct Command: Decodable {
      let arguments: [Argument]?
      let subcommands: [Command]?

      var all: [Argument] { (arguments ?? []) + (subcommands ?? []).flatMap(\.all) }
    }
    struct Argument: Decodable {
      let kind: String
      let names: [Name]?
      let abstract: String?
    }
    struct Name: Decodable { let name: String }
    let command: Command
  }

  @Test func `the text of a flag that switches something off does not say that it is on`()
    async throws
  {
    let dump = try await Multiroute.run(["--experimental-dump-help"], in: Scratch())
    #expect(dump.end == .code(0))
    let help = try JSONDecoder().decode(Help.self, from: Data(dump.standardOutput.utf8))
    let flags = help.command.all.filter { argument in
      argument.kind == "flag" && argument.names?.contains { $0.name.hasPrefix("no-") } == true
    }
    #expect(flags.count >= 6)
    // "--no-guard  Starts a guard" would say the contrary; "Whether" is true of both forms.
    for flag in flags {
      let begins = ["Whether ", "Never ", "Remove "].contains {
        flag.abstract?.hasPrefix($0) == true
      }
      #expect(begins, "\(flag.names?.map(\.name) ?? []): \(flag.abstract ?? "")")
    }
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
    let set = ["set", "gain", "deck", "-7dB"]
    #expect(try await Multiroute.run(set, in: scratch).end == .code(0))
    try await waitUntil("the new gain") { gains().contains(-7) }
    #expect(gains().first == 0)
    #expect(try await host.stop() == .code(0))
    #expect(try await watch.waitForEnd() == .code(0))
  }

  @Test(.jackServer())
  func `status --wait returns once a host plays, and says for what it waits`() async throws {
    let scratch = try Scratch()
    let none = try await Multiroute.run("status", "--wait", "--timeout", "100ms", in: scratch)
    #expect(none.end == .code(69))
    let reason = "within the time of --timeout: no MultiRoute host is running"
    #expect(none.standardError.contains(reason), "\(none.standardError)")

    let wait = try Child(
      Multiroute.path(),
      ["status", "--wait", "--json"],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
    try await waitUntil("the wait is told of") {
      wait.standardError.hasPrefix("waiting for a host that plays: no MultiRoute host is running")
    }
    #expect(wait.end == nil)
    let host = try await running(in: scratch)
    #expect(try await wait.waitForEnd() == .code(0), "\(wait.standardError)")
    let status = try JSONDecoder().decode(HostStatus.self, from: Data(wait.standardOutput.utf8))
    #expect(status.host.name == host.name && status.server.state == .running)
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer())
  func `beside a second host commands name the hosts, and the option that chooses one`()
    async throws
  {
    let scratch = try Scratch()
    let first = try await running(in: scratch)
    let second = try await running(in: scratch)
    let names = [first.name, second.name].sorted().joined(separator: ", ")
    for words in [["status"], ["status", "--wait"], ["set", "gain", "deck", "-7dB"]] {
      let refused = try await Multiroute.run(words, in: scratch)
      #expect(refused.end == .code(69), "\(words)")
      #expect(
        refused.standardError
          == "error: several hosts are running; name one of these: \(names) (--host NAME)\n"
      )
    }
    let named = ["status", "--wait", "--host", second.name]
    #expect(try await Multiroute.run(named, in: scratch).end == .code(0))
    #expect(try await first.stop() == .code(0))
    #expect(try await second.stop() == .code(0))
  }

  @Test(.jackServer())
  func `the case of a target does not matter, and a slip of the pen gets the name that was meant`()
    async throws
  {
    let scratch = try Scratch()
    let host = try await running(in: scratch)
    let set = try await Multiroute.run(["set", "gain", "DECK", "-7dB"], in: scratch)
    #expect(set.end == .code(0), "\(set.standardError)")
    #expect(try await host.status().strips[0].gainDB == -7)
    let slip = try await Multiroute.run(["set", "gain", "dekc", "-7dB"], in: scratch)
    #expect(slip.end == .code(65))
    #expect(slip.standardError.contains("'dekc' (did you mean 'deck'?)"), "\(slip.standardError)")
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer())
  func `silence is written as the string "-inf", in status and events`() async throws {
    let scratch = try Scratch()
    let host = try await running(in: scratch)
    let set = ["set", "gain", "deck", "-inf"]
    #expect(try await Multiroute.run(set, in: scratch).end == .code(0))
    let status = try await Multiroute.run(["status", "--json"], in: scratch)
    #expect(status.end == .code(0), "\(status.standardError)")
    #expect(status.standardOutput.contains("\"gainDB\":\"-inf\""))
    let changed = try await host.waitForEvents(.mixChanged)
    #expect(
      changed[0].mixChanged?.strip == "deck"
        && changed[0].mixChanged?.gainDB == -.infinity
    )
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
    try await waitUntil("the engine goes on") {
      try await host.status().engine.cycles > cycles
    }
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer())
  func `an unknown name is refused with the known ones`() async throws {
    let scratch = try Scratch()
    let host = try await running(in: scratch)
    let cases: [(command: String, status: Int32, parts: [String])] = [
      ("set gain dekc -6dB", 65, ["dekc", "deck, voice", "main, far"]),
      ("set gain --strip dekc --to -6", 65, ["dekc", "deck, voice"]),
      ("set mute mains on", 65, ["mains", "main, far"]),
      ("set gain deck far 0dB", 65, ["deck", "far"]),
      ("set crossfader 0.5", 65, ["no crossfader"]),
      ("record start take main take.mp3", 65, ["take.mp3", ".wav or .flac"]),
      ("set cue deck on", 65, ["cue"]),
      ("set send deck main 0dB --strip-channel 9 --route-channel 1", 65, ["9", "1 to 1"]),
      ("set pan deck 2", 64, ["-1 to 1"]),
      ("set gain deck loud", 64, ["loud", "-6dB", "-inf"]),
      ("set gain -6dB", 64, ["target is missing"]),
      ("set gain deck", 64, ["deck"]),
      ("set gain deck -6dB --rmap 3s", 64, ["--rmap"]),
      ("set mute deck", 64, ["on, off"]),
      ("fade deck -6dB --over soon", 64, ["soon", "3s"]),
      ("status --host nobody", 69, ["nobody", host.name]),
    ]
    for (command, status, parts) in cases {
      let words = command.split(separator: " ").map(String.init)
      let output = try await Multiroute.run(words, in: scratch)
      #expect(output.end == .code(status), "\(command): \(output.standardError)")
      for part in parts { #expect(output.standardError.contains(part), "\(command)") }
    }
    for command in ["help set gain", "set gain --help", "fade -h"] {
      let words = command.split(separator: " ").map(String.init)
      let output = try await Multiroute.run(words, in: scratch)
      #expect(output.end == .code(0))
      #expect(output.standardOutput.contains("<target> <gain>"), "\(command)")
      #expect(output.standardOutput.contains("-inf"), "\(command)")
      #expect(!output.standardOutput.contains("--strip"), "\(command)")
    }
    #expect(try await host.stop() == .code(0))
    let late = try await Multiroute.run(["status"], in: scratch)
    #expect(late.end == .code(69))
  }

  @Test func `without a server, commands about nodes say what to do, in one line`() async throws {
    let scratch = try Scratch()
    let none = Scratch.uniqueName("none")
    for command in ["nodes", "connect a b", "node run delay"] {
      let words = command.split(separator: " ").map(String.init) + ["--server", none]
      let output = try await Multiroute.run(words, in: scratch)
      #expect(output.end == .code(69), "\(command)")
      #expect(output.standardError.split(separator: "\n").count == 1, "\(output.standardError)")
      #expect(output.standardError.contains(none))
      #expect(output.standardError.contains("start it"), "\(output.standardError)")
      #expect(!output.standardError.contains("libjack"), "\(output.standardError)")
    }
  }

  @Test(.jackServer())
  func `SYS-2 a session is adjusted and shown, with the requests that wait`() async throws {
    let scratch = try Scratch()
    let host = try await running(in: scratch)
    let session = try Child(
      Multiroute.path(),
      ["session", "open", "--app", "call", "--category", "playback", "--background", "suspend"],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
    try await waitUntil("the session is open") { session.standardOutput.hasSuffix("\n") }
    let id = session.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    func run(_ words: String) async throws -> String {
      let words = words.split(separator: " ").map(String.init)
      let output = try await Multiroute.run(words, in: scratch)
      #expect(output.end == .code(0), "\(words): \(output.standardError)")
      return output.standardOutput
    }
    _ = try await run("session adjust \(id) --output-mute on")
    let text = try await run("session show \(id)")
    for name in ["other audio playing", "hint", "override of the output", "preferred input"] {
      #expect(text.contains(name), "\(text)")
    }
    #expect(try await run("session show \(id) --json").contains("\"outputMuted\":true"))

    _ = try await run("simulate background call")
    let waiting = try Child(
      Multiroute.path(),
      ["session", "activate", id],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
    try await waitUntil("the request waits") {
      try await run("session show \(id) --json").contains("\"waitingRequests\":[\"activate\"]")
    }
    _ = try await run("simulate foreground call")
    #expect(try await waiting.waitForEnd() == .code(0))
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer())
  func `nodes stop ends the program of a node`() async throws {
    let scratch = try Scratch()
    let server = try testServer().name
    let node = try scratch.passing("fx9", server)
    try await waitUntil("the node is published") { node.standardOutput.contains("published") }
    let wrong = try await Multiroute.run(["nodes", "stop", "fx8", "--server", server], in: scratch)
    #expect(wrong.end == .code(65))
    #expect(node.end == nil)
    let stop = try await Multiroute.run(["nodes", "stop", "fx9", "--server", server], in: scratch)
    #expect(stop.end == .code(0), "\(stop.standardError)")
    #expect(try await node.waitForEnd() == .code(0))
  }
}
