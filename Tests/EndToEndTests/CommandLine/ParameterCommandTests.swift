// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import TestSupport
import Testing

@testable import EndToEndSupport

/// The tree of parameters, from the command line and over the socket.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ParameterCommandTests {
  private static let graph = """
    multiroute: 1
    session: {category: multiRoute}
    routes:
      main: {type: lineOut, ports: [system:playback_1]}
    sources:
      my-deck: {tone: {frequency: 480 Hz, level: -20 dB}}
    mix:
      - {from: my-deck, to: main}
    """

  private static func run(_ words: String..., on host: HostProcess, in scratch: Scratch)
    async throws -> String
  {
    let output = try await Multiroute.run(words + ["--host", host.name], in: scratch)
    guard output.end == .code(0) else { throw TestFailure("\(words): \(output.standardError)") }
    return output.standardOutput
  }

  @Test(.jackServer())
  func `set, get, list and watch agree with each other and with the older commands`() async throws {
    let scratch = try Scratch()
    let graph = try scratch.write(Self.graph, to: "tree.yaml")
    let host = try await HostProcess.running(
      graph: graph,
      server: try testServer().name,
      in: scratch,
    )
    let control = try await host.control()
    let gain = "/strip/my-deck/gain"
    let watched = WatchParameters.Params(paths: [gain])
    let before = try await control.call(WatchParameters.self, watched)
    #expect(before.values == [ParameterSetting(path: gain, value: .number(0))])

    _ = try await Self.run("set", gain, "-6.5dB", on: host, in: scratch)
    #expect(try await Self.run("get", gain, on: host, in: scratch) == "-6.5\n")
    _ = try await Self.run("set", "gain", "my-deck", "-inf", on: host, in: scratch)
    #expect(try await Self.run("get", gain, on: host, in: scratch) == "-inf\n")
    _ = try await Self.run("set", "/route/main/mute", "on", on: host, in: scratch)
    let status = try await control.call(GetStatus.self)
    #expect(status.routes.first?.muted == true)
    let list = try await Self.run("list", "/route/main", on: host, in: scratch)
    #expect(list.contains("/route/main/mute") && list.contains("on, off"))

    var seen: [ParameterValue] = []
    for await notification in control.notifications {
      guard case .parameters(let changes) = notification else { continue }
      seen += changes.changes.map { $0.value }
      if seen.count == 2 { break }
    }
    #expect(seen == [.number(-6.5), .text("-inf")])
    await control.close()
    _ = try await host.stop()
  }

  @Test(.jackServer())
  func `a wrong path, value or word is refused with what is allowed`() async throws {
    let scratch = try Scratch()
    let graph = try scratch.write(Self.graph, to: "tree.yaml")
    let host = try await HostProcess.running(
      graph: graph,
      server: try testServer().name,
      in: scratch,
    )
    let refusals: [(words: [String], reason: String)] = [
      (["set", "/strip/nobody/gain", "0"], "there is no parameter '/strip/nobody/gain'"),
      (["set", "/strip/my-deck/gain", "loud"], "up to 24 dB"),
      (["set", "/strip/my-deck/pan", "2"], "a number from -1.0 to 1.0"),
      (["set", "/strip/my-deck/mute", "yes"], "allowed: on, off"),
      (["set", "gian", "my-deck", "0"], "did you mean 'gain'?"),
      (["set", "/strip/my-deck", "0"], "is a branch"),
      (["get", "/strip"], "there is no parameter '/strip'"),
    ]
    for (words, reason) in refusals {
      let output = try await Multiroute.run(words + ["--host", host.name], in: scratch)
      #expect(output.end != .code(0))
      #expect(output.standardError.contains(reason), "\(words): \(output.standardError)")
    }
    _ = try await host.stop()
  }

  @Test(.jackServer())
  func `scenes are saved, recalled over a time, and there again after a restart`() async throws {
    let scratch = try Scratch()
    let graph = try scratch.write(Self.graph, to: "tree.yaml")
    let server = try testServer().name
    let first = try await HostProcess.running(graph: graph, server: server, in: scratch)
    _ = try await Self.run("set", "gain", "my-deck", "-9", on: first, in: scratch)
    _ = try await Self.run("scene", "save", "low", on: first, in: scratch)
    _ = try await Self.run("set", "gain", "my-deck", "0", on: first, in: scratch)
    _ = try await first.stop()
    let second = try await HostProcess.running(
      graph: graph,
      server: server,
      name: first.name,
      in: scratch,
    )
    #expect(try await Self.run("scene", "list", on: second, in: scratch) == "  low\n")
    let said = try await Self.run(
      "scene",
      "recall",
      "low",
      "--over",
      "200ms",
      on: second,
      in: scratch
    )
    #expect(said.contains("parameters are those of the scene"))
    #expect(try await Self.run("get", "/strip/my-deck/gain", on: second, in: scratch) == "-9\n")
    _ = try await second.stop()
  }
}
