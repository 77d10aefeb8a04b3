// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import JACK
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PortTests {
  @Test(.jackServer())
  func `ports have the type, direction and flags they are registered with`() throws {
    let client = try OpenedClient.open(name: "kinds", server: try testServer().name)
    let connection = client.connection
    let audioIn: AudioInputPort = try connection.register("audio-in", flags: .terminal)
    let audioOut: AudioOutputPort = try connection.register("audio-out", flags: .physical)
    let midiIn: MIDIInputPort = try connection.register("midi-in")
    let midiOut: MIDIOutputPort = try connection.register("midi-out", flags: .canMonitor)

    let first = try connection.info(of: audioIn)
    #expect(first.name == "kinds:audio-in")
    #expect(first.client == "kinds")
    #expect(first.shortName == "audio-in")
    #expect(first.isAudio && first.isInput && !first.isOutput)
    #expect(first.isTerminal && !first.isPhysical && first.isMine)
    #expect(first.uuid != 0)
    #expect(try connection.info(of: audioOut).flags == [.output, .physical])
    #expect(try connection.info(of: midiIn).isMIDI)
    #expect(try connection.info(of: midiOut).flags == [.output, .canMonitor])

    let all = try connection.ports(matching: "^kinds:")
    #expect(all.map(\.shortName) == ["audio-in", "audio-out", "midi-in", "midi-out"])
    #expect(try connection.ports(matching: "^kinds:", kind: MIDIKind.self).count == 2)
    #expect(try connection.ports(matching: "^kinds:", flags: .input).count == 2)
    #expect(try connection.ports(matching: "^system:", flags: .physical).count == 4)
    #expect(try connection.ports(matching: "nothing-of-this-name").isEmpty)
    client.close()
  }

  @Test(.jackServer())
  func `errors of port calls name the fault`() throws {
    let client = try OpenedClient.open(name: "faults", server: try testServer().name)
    let connection = client.connection
    let port: AudioInputPort = try connection.register("in")
    func code(_ body: () throws -> Void) -> JACKError.Code? {
      #expect(throws: JACKError.self) { try body() }?.code
    }
    let longName = String(repeating: "x", count: 320)
    #expect(code { _ = try connection.register("in", as: AudioInputPort.self) } == .nameTaken)
    #expect(code { _ = try connection.register("", as: AudioInputPort.self) } == .invalidName)
    #expect(code { _ = try connection.register(longName, as: MIDIInputPort.self) } == .invalidName)
    #expect(code { _ = try connection.port(named: "no:port") } == .noSuchPort)
    #expect(code { _ = try connection.ports(matching: "(") } == .invalidValue)
    #expect(code { try connection.rename(port, to: "") } == .invalidName)
    #expect(code { try connection.addAlias("", toPort: "faults:in") } == .invalidName)
    #expect(code { try connection.removeAlias("x", fromPort: "faults:in") } == .refused)
    #expect(code { _ = try connection.uuid(ofClient: "nobody") } == .noSuchClient)
    try connection.unregister(port)
    #expect(code { try connection.unregister(port) } == .noSuchPort)
    #expect(code { _ = try connection.info(of: port) } == .noSuchPort)
    let error = #expect(throws: JACKError.self) { try connection.port(named: "no:port") }
    #expect(error?.description == "jack_port_by_name \"no:port\": there is no port of this name")
    client.close()
  }

  @Test(.jackServer())
  func `aliases and new names are seen by others`() throws {
    let server = try testServer().name
    let client = try OpenedClient.open(name: "alias", server: server)
    let other = try OpenedClient.open(name: "other", server: server)
    let port: AudioOutputPort = try client.connection.register("out")
    try client.connection.addAlias("alsa_pcm:playback_9", toPort: "alias:out")
    try client.connection.addAlias("second", toPort: "alias:out")
    #expect(
      try other.connection.port(named: "alias:out").aliases == ["alsa_pcm:playback_9", "second"]
    )
    let error = #expect(throws: JACKError.self) {
      try client.connection.addAlias("third", toPort: "alias:out")
    }
    #expect(error?.code == .refused)
    try client.connection.removeAlias("second", fromPort: "alias:out")
    #expect(try other.connection.port(named: "alias:out").aliases == ["alsa_pcm:playback_9"])
    try client.connection.rename(port, to: "better")
    #expect(try other.connection.port(named: "alias:better").isMine == false)
    #expect(try client.connection.info(of: port).shortName == "better")
    other.close()
    client.close()
  }

  @Test(.jackServer())
  func `a thousand ports come and go`() throws {
    let client = try OpenedClient.open(name: "churn", server: try testServer().name)
    let connection = client.connection
    for _ in 0..<1000 {
      let port: AudioOutputPort = try connection.register("out")
      try connection.unregister(port)
    }
    #expect(try connection.ports(matching: "^churn:").isEmpty)
    client.close()
  }

  @Test(.jackServer(extraArguments: ["-p", "128"]))
  func `the server's last port is an error`() throws {
    let client = try OpenedClient.open(name: "greedy", server: try testServer().name)
    let connection = client.connection
    var ports: [AudioInputPort] = []
    let error = #expect(throws: JACKError.self) {
      for index in 0...128 { ports.append(try connection.register("in_\(index)")) }
    }
    #expect(error?.code == .refused)
    #expect(error?.subject == "greedy:in_\(ports.count)")
    #expect(ports.count > 64)
    for port in ports { try connection.unregister(port) }
    let _: AudioInputPort = try connection.register("again")
    client.close()
  }

  @Test(.jackServer())
  func `connecting twice is not an error, the rest is`() async throws {
    let server = try testServer().name
    let client = try OpenedClient.open(name: "patch", server: server)
    let connection = client.connection
    let output: AudioOutputPort = try connection.register("out")
    let _: MIDIInputPort = try connection.register("midi")
    let active = try client.activate()
    let playback = "system:playback_1"
    func code(_ body: () throws -> Void) -> JACKError.Code? {
      #expect(throws: JACKError.self) { try body() }?.code
    }
    #expect(code { try connection.disconnect("patch:out", from: playback) } == .notConnected)
    #expect(try connection.connect("patch:out", to: playback) == .connected)
    #expect(try connection.connect("patch:out", to: playback) == .alreadyConnected)
    #expect(try connection.connections(ofPort: "patch:out") == [playback])
    #expect(code { try connection.connect("patch:out", to: "no:port") } == .noSuchPort)
    #expect(code { try connection.connect("patch:out", to: "patch:midi") } == .invalidValue)
    #expect(code { try connection.connect(playback, to: "patch:midi") } == .invalidValue)
    try connection.disconnect("patch:out", from: playback)
    try await waitUntil("nothing is connected") {
      try connection.connections(ofPort: playback).isEmpty
    }
    try connection.connect("patch:out", to: playback)
    try connection.disconnectAll(from: output)
    try await waitUntil("nothing is connected again") {
      try connection.connections(ofPort: playback).isEmpty
    }
    active.close()
  }

  @Test(.jackServer(extraArguments: ["-a", "e"]))
  func `a connection that the server ignores is reported`() throws {
    let client = try OpenedClient.open(name: "selfish", server: try testServer().name)
    let connection = client.connection
    let _: AudioOutputPort = try connection.register("out")
    let active = try client.activate()
    #expect(try connection.connect("selfish:out", to: "system:playback_1") == .ignored)
    #expect(try connection.connections(ofPort: "selfish:out").isEmpty)
    active.close()
  }

  @Test(.jackServer(extraArguments: ["-a", "e"]))
  func `a client that may connect its own ports may not connect them to others`() throws {
    let client = try OpenedClient.open(name: "selfish", server: try testServer().name)
    let connection = client.connection
    let _: AudioOutputPort = try connection.register("out")
    let _: AudioInputPort = try connection.register("in")
    let active = try client.activate()
    func connect(_ destination: String) throws -> ConnectOutcome {
      try connection.connect("selfish:out", to: destination, awaiting: .acceptance)
    }
    #expect(try connect("selfish:in") == .connected)
    #expect(try connect("system:playback_1") == .ignored)
    #expect(try connect("selfish:in") == .alreadyConnected)
    active.close()
  }

  /// With this period the server's silence is certain only after 0.36 s.
  @Test(.jackServer(frames: 8192, extraArguments: ["-a", "e"]))
  func `other calls of the client go on while connecting waits`() throws {
    let client = try OpenedClient.open(name: "selfish", server: try testServer().name)
    let connection = client.connection
    let _: AudioOutputPort = try connection.register("out")
    let active = try client.activate()
    let caller = RepeatedCaller()
    Thread.detachNewThread {
      caller.run(connection)
    }
    caller.hasBegun.wait()
    let begin = ContinuousClock.now
    #expect(try connection.connect("selfish:out", to: "system:playback_1") == .ignored)
    let waited = ContinuousClock.now - begin
    let longest = caller.end()
    #expect(longest < waited / 3, "\(longest) of \(waited)")
    active.close()
  }
}

/// Calls a client again and again on a thread of its own, and keeps the time of the longest call.
private final class RepeatedCaller: Sendable {
  let hasBegun = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)
  private let longest = Mutex(Duration.zero)
  private let isOver = Atomic<Bool>(false)

  func run(_ connection: ClientConnection) {
    var last = ContinuousClock.now
    while !isOver.load(ordering: .relaxed) {
      // From the last success on, so that a call that fails counts as one that takes long.
      if (try? connection.port(named: "system:playback_1")) != nil {
        let now = ContinuousClock.now
        longest.withLock { $0 = max($0, now - last) }
        last = now
        hasBegun.signal()
      }
    }
    hasEnded.signal()
  }

  /// Ends, and returns the time of the longest call.
  func end() -> Duration {
    isOver.store(true, ordering: .relaxed)
    hasEnded.wait()
    return longest.withLock { $0 }
  }
}
