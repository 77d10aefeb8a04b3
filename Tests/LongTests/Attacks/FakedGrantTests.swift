// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import Sessions
import SystemSupport
import TestSupport
import Testing

@testable import EndToEndSupport

/// Programs that pretend to be one that may record (PRM-2): they hear exact silence.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct FakedGrantTests {
  private static let granted = "/usr/bin/jack_rec"

  @Test(.jackServer(frames: 64), arguments: [granted, "jack_rec", "client:\(granted)"])
  func `PRM-2 a client that is named like a granted program hears nothing`(
    _ name: String
  ) async throws {
    let microphone = try await Microphone.guarded(
      permissions: "{granted: [jack_rec, \(Self.granted)]}"
    )
    let recorder = try microphone.recorder(name.replacing(":", with: "."))
    let faker = recorder.connection.name
    try await waitUntil("it has a gate and nothing else") {
      let sources = try recorder.connection.connections(ofPort: recorder.portNames[0])
      return sources.count == 1 && sources[0].hasPrefix("\(microphone.host.name)-mic:")
    }
    try await microphone.waitUntilHeard(false, by: recorder)
    let list = try await microphone.control.call(ListPermissions.self).programs
    #expect(list.first { $0.clients == [faker] }?.program == Microphone.program)
    try await microphone.end(recorder)
  }

  @Test(.jackServer(frames: 64))
  func `PRM-2 a program whose granted child inherits its connection hears nothing`() async throws {
    let microphone = try await Microphone.guarded(permissions: "{granted: [jack_rec]}")
    let server = microphone.host.server
    let recorder = try Recorder(
      from: [nil],
      capacityFrames: 60 * 48_000,
      server: server,
      name: "parent",
    )
    recorder.start()
    let child = try ChildProcess.start(
      "jack_rec",
      ["-f", "\(microphone.scratch.path)/take.wav", "-d", "60", "-b", "16", Microphone.port],
      environment: ["JACK_DEFAULT_SERVER": server],
      bond: .foreground,
    )
    try await waitUntil("the child records") {
      (try? recorder.connection.connections(ofPort: "jackrec:input1")) == [Microphone.port]
    }
    // The next host looks for their processes when both are there.
    await microphone.control.close()
    _ = try await microphone.host.stop()
    let host = try await HostProcess.running(
      graph: microphone.graph,
      server: server,
      in: microphone.scratch,
    )
    try recorder.connection.connect(Microphone.port, to: recorder.portNames[0])
    try await microphone.waitUntilConnected(recorder, to: ["\(host.name)-mic:parent_1"])
    try await microphone.waitUntilHeard(false, by: recorder)
    // The child itself may record, and keeps its connection.
    #expect(try recorder.connection.connections(ofPort: "jackrec:input1") == [Microphone.port])
    child.send(SIGKILL)
    #expect(child.waitForExit(within: .seconds(20)))
    recorder.close()
    microphone.player.close()
    _ = try await host.stop()
  }

  @Test(.jackServer(frames: 64))
  func `PRM-2 another file at the path of a granted program hears nothing`() async throws {
    let microphone = try await Microphone.guarded()
    let listener = try Recorder(
      from: [nil],
      capacityFrames: 64,
      server: microphone.host.server,
      name: "listener",
    )
    let installed = URL(filePath: Self.granted).resolvingSymlinksInPath().path
    let path = "\(microphone.scratch.path)/my-rec"
    let gate = "\(microphone.host.name)-mic:jackrec_1"
    try FileManager.default.copyItem(atPath: installed, toPath: path)
    try await microphone.permission("grant", path)
    for (isReplaced, source) in [(false, Microphone.port), (true, gate)] {
      if isReplaced {
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: installed, toPath: path)
      }
      let child = try Child(
        path,
        ["-f", "\(microphone.scratch.path)/take.wav", "-d", "60", "-b", "16", Microphone.port],
        environment: ["JACK_DEFAULT_SERVER": microphone.host.server],
        in: microphone.scratch,
      )
      try await waitUntil("it is connected to \(source)") {
        (try? listener.connection.connections(ofPort: "jackrec:input1")) == [source]
      }
      let list = try await microphone.control.call(ListPermissions.self).programs
      #expect(
        list.first { $0.executable == path }?.permission == (isReplaced ? .undetermined : .granted)
      )
      child.send(SIGTERM)
      _ = try await child.waitForEnd()
      try await waitUntil("it is gone") {
        try listener.connection.ports(matching: "jackrec:").isEmpty
      }
    }
    let question = try await microphone.host.waitForEvents(.permission)
    #expect(question.contains { $0.message.contains("Its file has changed since your answer") })
    try await microphone.end(listener)
  }
}
