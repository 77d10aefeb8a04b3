// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Console

struct HardwareTableTests {
  private func lines(routes: [RouteStatus] = []) -> [String] {
    HardwareTable.lines(Statuses.host(routes: routes))
  }

  @Test func `preferred and actual stand side by side with the reason`() throws {
    let lines = lines()
    let rate = try #require(lines.first { $0.hasPrefix("sample rate") })
    let words = rate.split(separator: "  ").map { $0.trimmingPrefix(" ") }
    #expect(words == ["sample rate", "48000 Hz", "44100 Hz", words[3]])
    #expect(words[3] == "the host does not restart another program's server at 48000 Hz")
    let input = try #require(lines.first { $0.hasPrefix("input latency") })
    #expect(input.contains("–"))
    #expect(input.hasSuffix("not connected"))
    let output = try #require(lines.first { $0.hasPrefix("output latency") })
    #expect(output.contains("10.023 ms"))
    let channels = try #require(lines.first { $0.hasPrefix("output channels") })
    #expect(channels.hasSuffix("the server offers no more"))
  }

  @Test func `routes say their latency and ports, or that they are not available`() throws {
    let lines = lines(routes: [
      Statuses.route("main", available: true), Statuses.route("far", available: false),
      Statuses.route("mic", available: true, input: true),
    ])
    let main = try #require(lines.first { $0.hasPrefix("main") })
    #expect(main.contains("10 ms"))
    #expect(main.contains("-3.0 dB"))
    #expect(main.hasSuffix("system:main_1 system:main_2"))
    let far = try #require(lines.first { $0.hasPrefix("far") })
    #expect(far.hasSuffix("not available"))
    let mic = try #require(lines.first { $0.hasPrefix("mic") })
    #expect(!mic.contains("dB"))
  }

  @Test func `the server's line shows its owner, and the cost of its mode`() {
    let asynchronous = HardwareTable.serverLine(Statuses.server(synchronous: false))
    #expect(asynchronous.contains("\"studio\""))
    #expect(asynchronous.contains("started by another program"))
    #expect(asynchronous.contains("pid 77"))
    #expect(asynchronous.contains("one period more at the output"))
    let own = HardwareTable.serverLine(Statuses.server(synchronous: true, owned: true))
    #expect(own.contains("started by the host"))
    #expect(own.hasSuffix("synchronous"))
    #expect(!own.contains("asynchronous"))
    let unknown = HardwareTable.serverLine(Statuses.server(synchronous: nil, pid: nil))
    #expect(unknown == "server \"studio\", running, started by another program")
  }
}
