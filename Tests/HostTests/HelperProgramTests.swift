// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import GraphFiles
import JACK
import Logging
import SystemSupport
import Testing

@testable import Host

/// How helper programs are called.
struct HelperProgramTests {
  private func program(_ route: String) throws -> HelperProgram {
    let graph = try GraphFile.parse(
      "multiroute: 1\nname: dj\nroutes: {far: \(route)}\n",
      path: "g.yaml",
    )
    let route = graph.routes[0]
    return HelperProgram(
      try #require(route.helper),
      direction: route.direction,
      client: graph.helperClient(of: route),
      server: "studio",
    )
  }

  private func words(_ route: String) throws -> [String] { try program(route).commandLine }

  @Test func `a device is bridged by this program itself`() throws {
    #expect(
      try words("{device: {name: hw:USB, channels: 4, frames: 128, slack: 2 ms}}") == [
        "/proc/self/exe", "bridge", "--device", "hw:USB", "--playback", "--channels", "4",
        "--name", "dj-far", "--server", "studio", "--json", "--frames", "128", "--slack", "2.0",
      ]
    )
    #expect(try words("{direction: input, device: hw:1}").contains("--capture"))
  }

  @Test func `networks get only the address of the graph`() throws {
    #expect(
      try words("{njbridge: {address: 192.0.2.7, port: 30000, samples: float32}}") == [
        "zita-j2n", "--jname", "dj-far", "--jserv", "studio", "--chan", "2", "--float",
        "192.0.2.7", "30000",
      ]
    )
    #expect(
      try words(
        "{direction: input, njbridge: {address: 127.0.0.1, port: 3, channels: 3, buffer: 5 ms}}"
      ) == [
        "zita-n2j", "--jname", "dj-far", "--jserv", "studio", "--chan", "1,2,3", "--buff", "5",
        "127.0.0.1", "3",
      ]
    )
    #expect(
      try words("{jacktrip: {address: example.org, bits: 24}}") == [
        "jacktrip", "-c", "example.org", "-n", "2", "-q", "4", "-r", "1", "-b", "24",
        "-B", "4464", "-P", "4464", "-J", "dj-far", "-D",
      ]
    )
    #expect(try words("{jacktrip: {}}").prefix(2) == ["jacktrip", "-s"])
  }

  @Test func `a bridge's end is reported in words, without its output for programs`() throws {
    let exit = ProcessExit(
      pid: 7,
      status: nil,
      signal: 9,
      lastLines: ["no such device", #"{"type":"status","lock":"locked"}"#],
    )
    func reason(_ route: String) throws -> String {
      RouteHelper(program: try program(route)).reason(for: exit)
    }
    #expect(
      try reason("{device: hw:1}") == "multiroute bridge has ended by signal 9: no such device"
    )
    #expect(
      try reason("{njbridge: {address: 192.0.2.7, port: 1}}")
        .hasPrefix("zita-j2n has ended by signal 9: {")
    )
  }

  @Test func `jacktrip without ports waits for its peer`() throws {
    var helper = RouteHelper(program: try program("{jacktrip: {}}"))
    let child = try ChildProcess.start("/bin/sleep", ["60"], bond: .bound)
    defer { child.send(SIGKILL) }
    helper.started(child, nowNanoseconds: 1)
    #expect(helper.status(hasPorts: false).reason == "it has no ports until its peer answers")
    #expect(helper.status(hasPorts: true).reason == nil)
  }

  @Test func `a program that keeps ending is started again after pauses that grow`() throws {
    var helper = RouteHelper(program: try program("{njbridge: {address: 192.0.2.7, port: 1}}"))
    var now: UInt64 = 100_000_000_000
    var pauses: [UInt64] = []
    for _ in 0..<8 {
      helper.ended("broken", nowNanoseconds: now)
      let failed = now
      while !helper.isDue(nowNanoseconds: now) { now += 50_000_000 }
      pauses.append((now - failed) / 1_000_000)
    }
    #expect(pauses.last == 10_000)
    #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
    let status = helper.status(hasPorts: false)
    #expect(status.state == .waiting && status.reason == "broken")
  }
}
