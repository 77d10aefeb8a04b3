// SPDX-License-Identifier: MIT

import Testing

@testable import GraphFiles

/// The captures of a server of the host's own, which a bridge opens (PRM-4).
@Suite("Bridged captures")
struct BridgedCaptureTests {
  private func parse(_ text: String) throws -> GraphFile {
    try GraphFile.parse(text, path: "/graphs/g.yaml", files: .everythingExists)
  }

  @Test
  func `a pattern that gets too long is told, and stays as it is`() throws {
    let long = "/(system|\(String(repeating: "x", count: 235))):capture_1/"
    var graph = try parse(
      "multiroute: 1\npermissions: {}\nroutes: {mic: {type: lineIn, ports: [\"\(long)\"]}}\n"
    )
    #expect(graph.bridgeCaptures(ofDevice: "hw:0").map(\.description) == [long])
    #expect(graph.route(named: "mic")?.ports.map(\.description) == [long])
  }

  private func bridged(_ lines: String, permissions: String = "{}") throws -> GraphFile {
    var graph = try parse("multiroute: 1\nname: h\npermissions: \(permissions)\n\(lines)\n")
    #expect(graph.bridgeCaptures(ofDevice: "hw:3") == [])
    return graph
  }

  @Test
  func `a graph without inputs gets a route with the device's first two captures`() throws {
    let graph = try bridged("routes: {main: {ports: [\"system:playback_1\"]}}")
    let route = try #require(graph.route(named: "captures"))
    #expect(route.direction == .input)
    #expect(route.helper == .device(.init(name: "hw:3", channels: 2)))
    #expect(route.ports.map(\.description) == ["h-captures:capture_1", "h-captures:capture_2"])
    #expect(graph.server.isPlaybackOnly && route.isTypeGuessed)
  }

  @Test
  func `a route of exactly the captures becomes the bridge's own`() throws {
    let graph = try bridged(
      "routes: {mic: {type: builtInMic, ports: [system:capture_1, system:capture_2]}}"
    )
    #expect(graph.routes.map(\.name) == ["mic"])
    #expect(graph.routes[0].helper == .device(.init(name: "hw:3", channels: 2)))
    #expect(graph.routes[0].ports == [.name("h-mic:capture_1"), .name("h-mic:capture_2")])
  }

  @Test
  func
    `other routes and sources take the bridge's ports, and names and patterns keep their meaning`()
    throws
  {
    let graph = try bridged(
      """
      routes:
        voice: {type: builtInMic, ports: [system:capture_3]}
        both: {type: lineIn, ports: ["/(system|usb):capture_[12]/"]}
      sources:
        line: {ports: [system:capture_1, synth:out]}
        any: {input: true, channels: 5}
      """
    )
    let route = try #require(graph.route(named: "captures"))
    #expect(route.channels == 5)
    #expect(graph.route(named: "voice")?.ports == [.name("h-captures:capture_3")])
    let both = try #require(graph.route(named: "both")?.ports.first)
    #expect(both.matches("h-captures:capture_2"))
    #expect(!both.matches("h-captures:capture_3"))
    #expect(both.matches("usb:capture_1"))
    let line = try #require(graph.source(named: "line"))
    #expect(line.kind == .ports([.name("h-captures:capture_1"), .name("synth:out")]))
  }

  @Test
  func `the name of the added route is one that the graph does not have`() throws {
    let graph = try bridged("routes: {captures: {type: lineIn, ports: [\"usb:1\"]}}")
    #expect(graph.routes.map(\.name) == ["captures", "captures-own"])
  }

  @Test(arguments: [
    "server: {captures: direct}",
    "server: {arguments: [\"-P\"]}",
    "server: {channels: {capture: 0}}",
    "routes: {mic: {type: builtInMic, device: hw:3}}",
  ])
  func `a graph that decides about its captures stays as it is`(lines: String) throws {
    let before = try parse("multiroute: 1\nname: h\npermissions: {}\n\(lines)\n")
    #expect(try bridged(lines) == before)
  }

  @Test(arguments: [
    "out: {type: lineOut, device: hw:3}", "other: {type: lineIn, device: hw:4}",
    "far: {type: virtual, direction: input, njbridge: {address: 127.0.0.1, port: 3}}",
  ])
  func `a route that opens no captures of this device leaves them to the bridge`(route: String)
    throws
  {
    let graph = try bridged("routes: {\(route)}")
    #expect(graph.routes.count == 2 && graph.routes.last?.name == "captures")
    #expect(graph.routes.last?.helper == .device(.init(name: "hw:3", channels: 2)))
  }

  @Test(arguments: [
    ("routes: {all: {type: lineIn, ports: [\"/system:.*/\"]}}", 2),
    ("routes: {mic: {type: lineIn, ports: [\"/system:capture_(3|7)/\"]}}", 7),
    ("sources: {line: {ports: [\"system:capture_9\"]}}", 9),
    ("sources: {line: {input: true, channels: 1}}", 2),
    ("server: {channels: {capture: 1}}", 1), ("server: {channels: {capture: 65}}", 64),
  ])
  func `the bridge has the captures that the graph names, or as many as it says`(
    lines: String,
    channels: Int
  ) throws {
    let route = try bridged(lines).routes.last { $0.name == "captures" }
    #expect(route?.helper == .device(.init(name: "hw:3", channels: channels)))
    #expect(route?.ports.count == channels)
  }

  @Test
  func `without permissions nothing is bridged`() throws {
    var graph = try parse("multiroute: 1\nroutes: {}\n")
    let before = graph
    #expect(graph.bridgeCaptures(ofDevice: "hw:0") == [])
    #expect(graph == before)
  }
}
