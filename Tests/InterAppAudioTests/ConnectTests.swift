// SPDX-License-Identifier: MIT

import InterAppAudio
import JACK
import NodeKit
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct ConnectTests {
  private func message(_ body: () async throws -> [String]) async -> String {
    do {
      return "\(try await body())"
    } catch let error as InterAppAudioError {
      return error.message
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "IAA-7: a prefix of port names takes as many ports as there are channels",
    .jackServer(channels: 12)
  )
  func beginnings() async throws {
    let server = try testServer().name
    let folder = try NodeFolder()
    let synth = try PolySynth.publish(server: server)
    let delay = try StereoDelay.publish(server: server)
    let host = try InterAppHost(
      HostDescription(name: "patcher"),
      server: server,
      folders: folder.folders,
    )
    // The port with exactly this name wins over playback_10, playback_11 and playback_12.
    #expect(
      try await host.connect(["synth:out_1", "system:playback_1"])
        == ["synth:out_1 → system:playback_1"]
    )
    #expect(try host.connection.connections(ofPort: "synth:out_1") == ["system:playback_1"])
    #expect(
      try await host.connect(["synth", "delay", "system:playback"]) == [
        "synth:out_1 → delay:in_1", "synth:out_2 → delay:in_2",
        "delay:out_1 → system:playback_1", "delay:out_2 → system:playback_2",
      ]
    )
    #expect(
      try await host.connect(["system:capture", "delay"])
        == ["system:capture_1 → delay:in_1", "system:capture_2 → delay:in_2"]
    )
    // A card's name, and that of a host's route, stand for as many ports as the program has.
    #expect(
      try await host.connect(["delay", "system"])
        == ["delay:out_1 → system:playback_1", "delay:out_2 → system:playback_2"]
    )
    await host.know([
      NamedPlace(name: "room", inputs: ["system:playback_3", "system:playback_4"], outputs: [])
    ])
    #expect(
      try await host.connect(["synth", "room"])
        == ["synth:out_1 → system:playback_3", "synth:out_2 → system:playback_4"]
    )
    delay.close()
    synth.close()
    await host.close()
  }

  @Test(
    "IAA-3: a connection that cannot be made changes nothing, and claims no node",
    .jackServer()
  )
  func allOrNothing() async throws {
    let server = try testServer().name
    let folder = try NodeFolder()
    let synth = try PolySynth.publish(server: server)
    let delay = try StereoDelay.publish(server: server)
    let mixer = try Recorder(
      from: [nil, nil, nil, nil],
      capacityFrames: 1,
      server: server,
      name: "mixer",
    )
    try HostDescription(name: "mixer").publish(on: mixer.connection)
    let host = try InterAppHost(
      HostDescription(name: "patcher"),
      server: server,
      folders: folder.folders,
    )
    func isClaimed() throws -> Bool {
      let key = NodeMetadata.connectedHost
      return try delay.connection.metadata(for: key, of: delay.connection.uuid) != nil
    }
    #expect(
      await message { try await host.connect(["synth", "delay", "mixer"]) }
        == "'delay' → 'mixer': 2 channels cannot be connected with 4: use the same number "
        + "on both sides, or one channel on one side"
    )
    #expect(try !isClaimed())
    #expect(try host.connection.connections(ofPort: "synth:out_1").isEmpty)
    let unknown = await message { try await host.connect(["synth", "delay", "kazoo"]) }
    #expect(unknown.hasPrefix("there is no node, client or port 'kazoo'"))
    #expect(try host.connection.connections(ofPort: "synth:out_1").isEmpty)

    #expect(try await host.connect(["delay", "mixer:in_1"]).count == 2)
    #expect(try isClaimed())
    try await waitUntil("it learns of its host") { delay.host?.client == "mixer" }
    delay.close()
    synth.close()
    mixer.close()
    await host.close()
  }

  @Test(
    "IAA-2: two node files with one component are two nodes, distinguished by the client's name",
    .jackServer()
  )
  func sameComponent() async throws {
    let server = try testServer().name
    let folder = try NodeFolder()
    for name in ["delay", "delay2"] {
      try folder.write(
        """
        node: 1
        kind: effect
        name: \(name)
        subtype: dely
        manufacturer: mrte
        publishesItself: true
        command: [run, \(name)]
        """,
        to: "\(name).node.yaml",
      )
    }
    let host = try InterAppHost(
      HostDescription(name: "finder"),
      server: server,
      folders: folder.folders,
    )
    func states() async -> [String] {
      await host.nodes().map { "\($0.name) \($0.isRunning) \($0.command.joined(separator: " "))" }
        .sorted()
    }
    for name in ["delay", "delay2"] {
      let other = name == "delay" ? "delay2" : "delay"
      let node = try StereoDelay.publish(client: name, server: server)
      try await waitUntil("\(name) is found") { await host.nodes().contains(where: \.isRunning) }
      #expect(
        await states() == ["\(name) true run \(name)", "\(other) false run \(other)"].sorted()
      )
      #expect(try await host.node(named: name).isRunning)
      #expect(try await !host.node(named: other).isRunning)
      node.close()
      try await waitUntil("\(name) is gone") { await !host.nodes().contains(where: \.isRunning) }
    }
    await host.close()
  }
}
