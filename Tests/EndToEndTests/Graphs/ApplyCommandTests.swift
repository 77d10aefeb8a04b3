// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// Another version of the graph for a running host: by command, by `--watch`, and by SIGHUP.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ApplyCommandTests {
  private static let graph = """
    multiroute: 1
    server: {start: never}
    routes:
      main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
    sources:
      deck: {tone: {frequency: 480 Hz}}
    mix: [{from: deck, to: main}]

    """
  private static let louder = graph.replacing("playback_2]}", with: "playback_2], gain: -6 dB}")
  private static let faulty = graph.replacing("lineOut", with: "lineout")

  /// The gain of the route, and the number of the version in force.
  private func state(_ host: HostProcess) async throws -> [Double] {
    let status = try await host.status()
    return [status.routes[0].gainDB, Double(status.host.graphVersion?.number ?? 0)]
  }

  private func waitForVersion(_ number: Int, of host: HostProcess) async throws {
    try await waitUntil("version \(number) is in force", every: .milliseconds(20)) {
      try await host.status().host.graphVersion?.number == number
    }
  }

  @Test(.jackServer())
  func `apply tells its plan, takes it, and refuses a graph with errors whole`() async throws {
    let scratch = try Scratch()
    let path = try scratch.write(Self.graph, to: "live.yaml")
    let host = try await HostProcess.running(
      graph: path,
      server: testServer().name,
      in: scratch,
    )
    func apply(_ words: String...) async throws -> Multiroute.Output {
      try await Multiroute.run(["apply", path] + words + ["--host", host.name], in: scratch)
    }
    let nothing = try await apply("--dry-run")
    #expect(nothing.end == .code(0), "\(nothing)")
    #expect(nothing.standardOutput == "\(path): nothing to do\n")

    try Self.louder.write(toFile: path, atomically: true, encoding: .utf8)
    let dry = try await apply("--dry-run")
    #expect(dry.end == .code(1) && dry.standardOutput.contains("gain 0 dB → -6 dB"), "\(dry)")
    #expect(try await state(host) == [0, 1])
    let json = try await apply("--dry-run", "--json")
    let result = try JSONDecoder().decode(
      ApplyGraph.Result.self,
      from: Data(json.standardOutput.utf8)
    )
    #expect(json.end == .code(1) && !result.applied && result.plan.changes.count == 1)
    let applied = try await apply()
    #expect(applied.end == .code(0), "\(applied)")
    #expect(applied.standardOutput.contains("version 2 of the graph is in force"))
    #expect(try await state(host) == [-6, 2])

    try Self.faulty.write(toFile: path, atomically: true, encoding: .utf8)
    for words in [[], ["--dry-run"]] {
      let refused = try await Multiroute.run(
        ["apply", path, "--host", host.name] + words,
        in: scratch
      )
      #expect(refused.end == .code(65), "\(refused)")
      #expect(
        refused.standardError.hasPrefix("\(path):4:16: error: type: 'lineout' is not known"),
        "\(refused.standardError)"
      )
      #expect(refused.standardError.hasSuffix("error: nothing is changed\n"))
    }
    // Only whoever applies the version is told the address that lets its reader in.
    try (Self.louder + "surfaces: {oscquery: {port: 0, lan: true}}\n")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let opened = try await apply()
    #expect(opened.standardError.contains("oscquery: http://"), "\(opened)")
    #expect(opened.standardError.contains("/?token="), "\(opened)")
    #expect(try await state(host) == [-6, 3])
    let missing = try await Multiroute.run(
      "apply",
      "\(path).missing",
      "--host",
      host.name,
      in: scratch
    )
    #expect(missing.end == .code(65), "\(missing)")
    #expect(try await state(host) == [-6, 3])
    _ = try await host.stop()
    #expect(try await apply().end == .code(69))
  }

  @Test(.jackServer())
  func `watch takes each version that an editor leaves, and plays on with an error`() async throws {
    let scratch = try Scratch()
    let policy = "multiroute: 1\ntower: {duck: {gain: -10 dB}}\n"
    let policyPath = try scratch.write(policy, to: "policy.yaml")
    let included = "include: [policy.yaml]\n"
    let path = try scratch.write(Self.graph + included, to: "watched.yaml")
    let host = try await HostProcess.running(
      graph: path,
      server: testServer().name,
      arguments: ["--watch"],
      in: scratch,
    )
    // As editors do: another file takes the name.
    let next = try scratch.write(Self.louder + included, to: ".watched.yaml.swp")
    #expect(unsafe rename(next, path) == 0)
    try await waitForVersion(2, of: host)
    #expect(try await state(host) == [-6, 2])

    try Self.faulty.write(toFile: path, atomically: false, encoding: .utf8)
    let refused = try await host.waitForEvents(.graphRefused)
    guard case .graphRefused(let details) = refused.last?.payload else {
      Issue.record("no details: \(refused)")
      return
    }
    #expect(details.faults.first?.contains(":4:16: error: type: 'lineout'") == true)
    #expect(try await state(host) == [-6, 2])

    try (Self.graph + included).write(toFile: path, atomically: false, encoding: .utf8)
    try await waitForVersion(3, of: host)
    #expect(try await state(host) == [0, 3])
    // A policy file is followed, too.
    try policy.replacing("-10 dB", with: "-12 dB")
      .write(toFile: policyPath, atomically: true, encoding: .utf8)
    try await waitForVersion(4, of: host)
    // The address that lets its reader in is printed as at the start.
    try (Self.graph + included + "surfaces: {oscquery: {port: 0, lan: true}}\n")
      .write(toFile: path, atomically: true, encoding: .utf8)
    try await waitForVersion(5, of: host)
    try await waitUntil("the address is printed") {
      host.child.standardError.contains("/?token=")
    }
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer())
  func `SIGHUP applies the file where there is no terminal`() async throws {
    let scratch = try Scratch()
    let path = try scratch.write(Self.graph, to: "reload.yaml")
    let host = try await HostProcess.running(
      graph: path,
      server: testServer().name,
      in: scratch,
    )
    try Self.louder.write(toFile: path, atomically: true, encoding: .utf8)
    host.child.send(SIGHUP)
    try await waitForVersion(2, of: host)
    #expect(try await state(host) == [-6, 2])
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer())
  func `SIGHUP applies the file in a terminal, and ends the host once that is closed`() async throws
  {
    let scratch = try Scratch()
    let path = try scratch.write(Self.graph, to: "terminal.yaml")
    let terminal = PseudoTerminal(in: scratch)
    let host = try HostProcess(
      graph: path,
      server: testServer().name,
      under: terminal.prefix,
      in: scratch,
    )
    let pid = try await host.attached().host.pid
    try Self.louder.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(kill(pid, SIGHUP) == 0)
    try await waitForVersion(2, of: host)

    try terminal.close()
    guard case .code = try await host.child.waitForEnd() else {
      Issue.record("the host was killed")
      return
    }
    #expect(kill(pid, 0) == -1 && errno == ESRCH)
    let status = try await Multiroute.run("status", "--host", host.name, in: scratch)
    #expect(status.end == .code(69))
  }
}
