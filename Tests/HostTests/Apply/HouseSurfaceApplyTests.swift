// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import TestSupport
import Testing

@testable import Host

/// Surfaces that come, change and go with versions of the graph, at real ports.
struct HouseSurfaceApplyTests {
  private static func graph(_ surfaces: String) -> String {
    """
    multiroute: 1
    name: house
    routes: {main: {type: lineOut, ports: [system:playback_1]}}
    sources: {deck: {tone: {}}}
    mix: [{from: deck, to: main}]
    surfaces: \(surfaces)

    """
  }

  /// Ports of this machine that nobody listens on, found by having the host open any free ones.
  private static func freePorts() async throws -> [Int] {
    var ports: [Int] = []
    try await House.with(graph("{}")) { house in
      try await house.apply(graph("{oscquery: {port: 0}, web: {port: 0}}"))
      ports = Array(Set(await house.status.surfaces.map(\.port)))
    }
    return ports
  }

  private static func texts(_ house: House) async -> [String] {
    await house.status.surfaces.map { surface in
      "\(surface.kind) \(surface.port)\(surface.lan ? " lan" : "")\(surface.fault == nil ? "" : " fault")"
    }
  }

  /// The body of an answer.
  private static func get(_ target: String, port: Int) async throws -> String {
    try await WebPeer.get(target, port: port).body
  }

  @Test func `surfaces come, change and go, and those that stay keep their connections`()
    async throws
  {
    let ports = try await Self.freePorts()
    let (first, second) = (ports[0], ports[1])
    try await House.with(Self.graph("{}")) { house in
      try await house.apply(Self.graph("{osc: {port: \(first)}}"))
      #expect(await Self.texts(house) == ["osc \(first)"])
      let connection = try RawSocket(port: first)
      try await house.apply(Self.graph("{osc: {port: \(first)}, web: {port: \(second)}}"))
      #expect(await Self.texts(house) == ["osc \(first)", "web \(second)"])
      #expect(try await Self.get("/", port: second).contains("<html"))
      // Nothing has come, and the other side has not closed.
      #expect(await connection.read(withinMilliseconds: 50) == nil)
      // Another option at the same port.
      try await house.apply(
        Self.graph("{osc: {port: \(first), tcp: false}, web: {port: \(second)}}")
      )
      #expect(await connection.read() == [])
      #expect(throws: TestFailure.self) { _ = try RawSocket(port: first) }
      // One takes the port of the other.
      try await house.apply(Self.graph("{web: {port: \(first)}}"))
      #expect(await Self.texts(house) == ["web \(first)"])
      #expect(try await Self.get("/", port: first).contains("<html"))
      try await house.apply(Self.graph("{}"))
      #expect(await Self.texts(house) == [])
      #expect(throws: TestFailure.self) { _ = try RawSocket(port: first) }
    }
  }

  @Test func `a port in use is refused, and the surfaces before serve on`() async throws {
    let ports = try await Self.freePorts()
    let (first, taken) = (ports[0], ports[1])
    let kept = "osc: {port: \(first)}, oscquery: {port: \(taken)}"
    try await House.with(Self.graph("{}")) { house in
      try await house.apply(Self.graph("{\(kept)}"))
      let version = await house.host.run { $0.inForce.version }
      let before = await Self.texts(house)
      await #expect(throws: HostError.self) {
        try await house.apply(Self.graph("{\(kept), web: {port: \(taken)}}"))
      }
      #expect(await Self.texts(house) == before)
      // Here OSC had to give up its own port first.
      let error = await #expect(throws: HostError.self) {
        try await house.apply(
          Self.graph(
            "{osc: {port: \(first), tcp: false}, oscquery: {port: \(taken)}, web: {port: \(taken)}}"
          )
        )
      }
      #expect(error?.code == .noPort && error?.description.contains("port \(taken)") == true)
      #expect(await Self.texts(house).sorted() == before.sorted())
      _ = try RawSocket(port: first)
      #expect(await house.host.run { $0.inForce.version } == version)
    }
  }

  @Test func `OSCQuery tells the port for OSC of the version in force`() async throws {
    try await House.with(Self.graph("{}")) { house in
      func port(_ kind: String) async -> Int? {
        await house.status.surfaces.first { $0.kind == kind }?.port
      }
      func told() async throws -> Bool {
        let query = try #require(await port("oscquery"))
        let osc = try #require(await port("osc"))
        return try await Self.get("/?HOST_INFO", port: query).contains(#""OSC_PORT":\#(osc)"#)
      }
      try await house.apply(Self.graph("{oscquery: {port: 0}}"))
      #expect(await port("osc") == port("oscquery"))
      #expect(try await told())
      try await house.apply(Self.graph("{oscquery: {port: 0}, osc: {port: 0}}"))
      let query = await port("oscquery")
      #expect(await port("osc") != query)
      #expect(try await told())
      try await house.apply(Self.graph("{oscquery: {port: 0}, osc: {port: 0, tcp: false}}"))
      // Only OSC has changed.
      #expect(await port("oscquery") == query)
      #expect(try await told())
      try await house.apply(Self.graph("{oscquery: {port: 0}}"))
      #expect(await house.status.surfaces.count == 2)
      #expect(try await told())
    }
  }
}
