// SPDX-License-Identifier: MIT

import InterAppAudio
import JACK
import NodeKit
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct PublishTests {
  @Test(
    "IAA-2: a published node is the first change that its host sees, with its whole description",
    .jackServer()
  )
  func discovery() async throws {
    let server = try testServer().name
    let folder = try NodeFolder()
    let host = try InterAppHost(
      HostDescription(name: "finder"),
      server: server,
      folders: folder.folders,
    )
    var changes = host.changes.makeAsyncIterator()
    for round in 1...4 {
      let node = try StereoDelay.publish(client: "delay-\(round)", server: server)
      guard case .published(let found) = await changes.next() else {
        throw TestFailure("the first change is not the publishing")
      }
      #expect(found.client == "delay-\(round)")
      #expect(found.description.kind == .effect)
      #expect(found.description.subtype == "dely")
      #expect(found.description.name == "delay")
      #expect(found.audioInputs == ["delay-\(round):in_1", "delay-\(round):in_2"])
      #expect(found.audioOutputs == ["delay-\(round):out_1", "delay-\(round):out_2"])
      #expect(await host.nodes().map(\.client).contains("delay-\(round)"))
      node.close()
      guard case .withdrawn(let gone) = await changes.next() else {
        throw TestFailure("the second change is not the end")
      }
      #expect(gone.client == "delay-\(round)")
    }
    #expect(await host.nodes().isEmpty)
    await host.close()
  }

  @Test(
    "IAA-5: a node sees its host, sends it transport commands, and sees its end",
    .jackServer()
  )
  func hosting() async throws {
    let server = try testServer().name
    let folder = try NodeFolder()
    let node = try PolySynth.publish(server: server)
    var events = node.events.makeAsyncIterator()
    let host = try InterAppHost(
      HostDescription(name: "the-host", iconName: "host-icon"),
      server: server,
      folders: folder.folders,
    )
    let found = try await host.node(named: "synth")
    let instance = try await host.connect(found)
    let info = HostInfo(
      client: "the-host",
      name: "the-host",
      iconName: "host-icon",
      takesRemoteControl: true,
      hasBackgroundAudio: true,
      component: found.description.component,
    )
    #expect(await events.next() == .connected(info))
    #expect(node.isConnected)
    #expect(node.host == info)
    #expect(folder.folders.lastUse().count == 1)

    var changes = host.changes.makeAsyncIterator()
    try node.send(.togglePlayPause)
    while let change = await changes.next() {
      guard case .remoteControl(let from, let event) = change else { continue }
      #expect(from.name == "synth")
      #expect(event == .togglePlayPause)
      break
    }

    let second = try InterAppHost(
      HostDescription(name: "second"),
      server: server,
      folders: folder.folders,
    )
    await #expect(throws: InterAppAudioError.self) {
      _ = try await second.connect(second.node(named: "synth"))
    }
    await second.close()

    try await host.announce(HostTransportState(isRecording: true))
    #expect(await events.next() == .hostTransportChanged)
    try host.connection.activate(found)
    #expect(await events.next() == .activated(by: "the-host"))
    await host.disconnect(instance)
    #expect(await events.next() == .disconnected)
    #expect(!node.isConnected)
    #expect(instance.isInvalidated)

    _ = try await host.connect(found)
    #expect(await events.next() == .connected(info))
    await host.close()
    // A host that closes disconnects first; a host that dies is noticed by the end of its client.
    let last = await events.next()
    #expect(last == .disconnected || last == .hostDied(name: "the-host"))
    node.close()
  }

  @Test(
    "IAA-8: a node asks whether its host takes remote control, and which component it used",
    .jackServer()
  )
  func askingTheHost() async throws {
    let server = try testServer().name
    let folder = try NodeFolder()
    let node = try PolySynth.publish(server: server)
    #expect(node.description.hasBackgroundAudio)
    #expect(!node.hostTakesRemoteControl)
    #expect(node.hostComponent == nil)
    var description = HostDescription(name: "the-host", takesRemoteControl: false)
    let host = try InterAppHost(description, server: server, folders: folder.folders)
    let found = try await host.node(named: "synth")
    #expect(found.description.hasBackgroundAudio)
    let instance = try await host.connect(found)
    try await waitUntil("it is connected") { node.isConnected }
    #expect(!node.hostTakesRemoteControl)
    #expect(node.host?.hasBackgroundAudio == true)
    #expect(
      node.hostComponent
        == AudioComponentDescription(kind: .instrument, subtype: "synt", manufacturer: "mrte")
    )
    // The host changes its mind while it is connected.
    description.takesRemoteControl = true
    try description.publish(on: host.connection)
    try await waitUntil("the node sees it") { node.hostTakesRemoteControl }
    await host.disconnect(instance)
    try await waitUntil("it is disconnected") { !node.isConnected }
    #expect(node.hostComponent == nil)
    #expect(!node.hostTakesRemoteControl)
    await host.close()
    node.close()
  }

  @Test("IAA-1: an instrument sounds at the frame of its note", .steppedServer(frames: 256))
  func instrument() async throws {
    let stepped = try steppedServer()
    let server = stepped.name
    let folder = try NodeFolder()
    let node = try PolySynth.publish(server: server)
    let host = try InterAppHost(
      HostDescription(name: "player-host"),
      server: server,
      folders: folder.folders,
    )
    let instance = try await host.connect(host.node(named: "synth"))
    let recorder = try Recorder(from: ["synth:out_1"], capacityFrames: 48_000, server: server)
    recorder.start()
    // 48 cycles ahead, which take seconds until the note is sent.
    await stepped.hold()
    let frame = try host.connection.cycleTimes.frame &+ 12_345
    try instance.send(ScheduledMIDI(frame: frame, status: 0x90, data1: 69, data2: 127))
    try await stepped.step(200)
    let recording = try await recorder.finish()
    let first = recording.channels[0].firstIndex { $0 != 0 }
    // The wave begins with a zero.
    #expect(first.map { recording.firstFrame &+ UInt32($0) } == frame &+ 1)
    #expect(await host.lateMIDICount == 0)
    recorder.close()
    await host.close()
    node.close()
  }
}
