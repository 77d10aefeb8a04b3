// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// The announcement of surfaces by mDNS, found by avahi-browse on another machine.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct AnnouncementTests {
  /// A host with OSC and OSCQuery, as a graph file opens them to the network.
  private struct Rig {
    let scratch: Scratch
    let host: HostProcess

    init(lan: Bool, name: String, environment: [String: String]) async throws {
      scratch = try Scratch()
      let graph = try scratch.write(
        """
        multiroute: 1
        routes:
          main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
        sources:
          toy: {tone: {frequency: 480 Hz, level: -20 dB}}
        mix:
          - {from: toy, to: main}
        surfaces:
          osc: {port: 0, lan: \(lan)}
          oscquery: {port: 0, lan: \(lan)}
        """,
        to: "announced.yaml",
      )
      host = try HostProcess(
        graph: graph,
        server: try testServer().name,
        name: name,
        environment: environment,
        in: scratch,
      )
      try await host.attached()
    }

    /// Waits until status shows this name for its surfaces, or that there is none.
    func isAnnounced(as name: String?) async throws {
      try await waitUntil("the host is announced as \(name ?? "nothing")") {
        let surfaces = try await host.status().surfaces
        return surfaces.count == 2 && surfaces.allSatisfy { $0.announced == name }
      }
    }

    func port(_ kind: String) async throws -> Int? {
      try await host.status().surfaces.first { $0.kind == kind }?.port
    }
  }

  @Test(.jackServer(frames: 256))
  func `OQ-8 another machine finds OSCQuery and OSC by their types`() async throws {
    let machine = try await SecondMachine()
    let here = try await AvahiDaemon(name: "stage", interface: machine.interface)
    let there = try await AvahiDaemon(name: "tablet", interface: "eth0", on: machine)
    let name = Scratch.uniqueName("mix")
    let rig = try await Rig(lan: true, name: name, environment: here.environment)
    try await rig.isAnnounced(as: name)
    for (type, kind) in [("_oscjson._tcp", "oscquery"), ("_osc._udp", "osc")] {
      var found: [AvahiDaemon.Service] = []
      try await waitUntil("\(type) is found", every: .milliseconds(100)) {
        found = try await there.services(type)
        return !found.isEmpty
      }
      let port = try #require(try await rig.port(kind))
      let service = AvahiDaemon.Service(
        name: name,
        address: machine.hostAddress,
        port: port,
        text: "\"txtvers=1\"",
      )
      #expect(found == [service])
    }
    #expect(try await rig.host.stop() == .code(0))
    try await waitUntil("the services are withdrawn", every: .milliseconds(100)) {
      try await there.services("_oscjson._tcp").isEmpty
    }
  }

  @Test(.jackServer(frames: 256))
  func `surfaces for this machine alone are not announced`() async throws {
    let machine = try await SecondMachine()
    let here = try await AvahiDaemon(name: "stage", interface: machine.interface)
    let name = Scratch.uniqueName("mix")
    let closed = try await Rig(lan: false, name: name, environment: here.environment)
    // The later host's announcement is out when the earlier one's would have been.
    let other = name + "-open"
    let open = try await Rig(lan: true, name: other, environment: here.environment)
    try await open.isAnnounced(as: other)
    #expect(try await here.services("_oscjson._tcp").map(\.name) == [other])
    try await closed.isAnnounced(as: nil)
    #expect(try await closed.host.stop() == .code(0))
    #expect(try await open.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256))
  func `a name that another machine has is given a number`() async throws {
    let machine = try await SecondMachine()
    let here = try await AvahiDaemon(name: "stage", interface: machine.interface)
    let there = try await AvahiDaemon(name: "tablet", interface: "eth0", on: machine)
    let name = Scratch.uniqueName("mix")
    let scratch = try Scratch()
    let words = machine.command(
      ["env"] + there.environment.map { "\($0)=\($1)" }
        + ["avahi-publish", "-s", name, "_osc._udp", "9000"]
    )
    let publisher = try Child(words[0], Array(words.dropFirst()), in: scratch)
    try await waitUntil("the name is taken", every: .milliseconds(100)) {
      try await here.services("_osc._udp").map(\.name) == [name]
    }
    let rig = try await Rig(lan: true, name: name, environment: here.environment)
    try await rig.isAnnounced(as: name + " #2")
    try await waitUntil("both names are found", every: .milliseconds(100)) {
      try await Set(there.services("_osc._udp").map(\.port)).count == 2
    }
    #expect(publisher.end == nil)
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256))
  func `a machine whose name another one has is reached by the name that it is given`()
    async throws
  {
    let machine = try await SecondMachine()
    let there = try await AvahiDaemon(name: "stage", interface: "eth0", on: machine)
    let here = try await AvahiDaemon(name: "stage", interface: machine.interface)
    let name = Scratch.uniqueName("mix")
    let rig = try await Rig(lan: true, name: name, environment: here.environment)
    try await rig.isAnnounced(as: name)
    let port = try #require(try await rig.port("oscquery"))
    func status(of host: String) async throws -> Int {
      try await WebPeer.get("/", port: port, from: machine, host: "\(host):\(port)").status
    }
    // The token is missing; a name that is not this machine's is refused before it is looked for.
    try await waitUntil("the new name is taken", every: .milliseconds(100)) {
      try await status(of: "stage-2.local") == 401
    }
    #expect(try await status(of: "Stage-2.Local") == 401)
    #expect(try await status(of: "stage.local") == 403)
    withExtendedLifetime(there) {}
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256))
  func `a daemon that comes, goes and comes again announces the host each time`() async throws {
    let machine = try await SecondMachine()
    let here = try await AvahiDaemon(name: "stage", interface: machine.interface, starts: false)
    let name = Scratch.uniqueName("mix")
    let rig = try await Rig(lan: true, name: name, environment: here.environment)
    let missing = try await rig.host.waitForEvents(.error)
    #expect(missing.map(\.message).allSatisfy { $0.contains("avahi-daemon does not run") })
    try await here.start()
    try await rig.isAnnounced(as: name)
    try await here.stop()
    try await rig.isAnnounced(as: nil)
    try await here.start()
    try await rig.isAnnounced(as: name)
    #expect(try await here.services("_oscjson._tcp").map(\.name) == [name])
    #expect(try await rig.host.waitForEvents(.error, count: 2).count == 2)
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256))
  func `without a message bus the host says so once, and plays`() async throws {
    let nowhere = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"]
    let rig = try await Rig(lan: true, name: Scratch.uniqueName("mix"), environment: nowhere)
    let events = try await rig.host.waitForEvents(.error)
    #expect(events[0].message.hasPrefix("other machines do not find osc, oscquery by mDNS: "))
    try await passFrames(6 * 48_000, on: rig.host.server)
    #expect(rig.host.events.count { $0.kind == .error } == 1)
    #expect(try await rig.host.stop() == .code(0))
  }
}
