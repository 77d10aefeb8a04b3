// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// Programs that hear nothing of a microphone: programs behind others' gates, copies, and sessions that do not record.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PermissionTests {
  @Test(.jackServer(frames: 64))
  func `PRM-1 a program never hears through the gate of another one`() async throws {
    let microphone = try await Microphone.guarded(permissions: "{granted: [jack_rec]}")
    let other = try Child(
      "jack_rec",
      ["-f", "\(microphone.scratch.path)/other.wav", "-d", "30", "-b", "16", Microphone.port],
      environment: ["JACK_DEFAULT_SERVER": microphone.host.server],
      in: microphone.scratch,
    )
    let recorder = try microphone.recorder()
    let mine = "\(microphone.host.name)-mic:rec_1"
    try await microphone.waitUntilConnected(recorder, to: [mine])
    // A client that may record keeps the connection that it has made.
    try await waitUntil("the other records") {
      try recorder.connection.connections(ofPort: Microphone.port).contains("jackrec:input1")
    }
    try await microphone.permission("deny", "jack_rec")
    try await microphone.permission("grant", "jack_rec")
    let theirs = "\(microphone.host.name)-mic:jackrec_1"
    try await waitUntil("the other records through a gate") {
      try recorder.connection.connections(ofPort: "jackrec:input1") == [theirs]
    }
    try recorder.connection.connect(theirs, to: recorder.portNames[0])
    try await microphone.waitUntilConnected(recorder, to: [mine])
    try await microphone.waitUntilHeard(false, by: recorder)
    other.send(SIGTERM)
    _ = try await other.waitForEnd()
    try await waitUntil("its gate goes with it") {
      (try? recorder.connection.port(named: theirs)) == nil
    }
    try await microphone.end(recorder)
  }

  @Test(.jackServer(frames: 64))
  func `PRM-2 a copy of a program with its client's name inherits nothing`() async throws {
    let microphone = try await Microphone.guarded(permissions: "{granted: [jack_rec]}")
    let listener = try Recorder(
      from: [nil],
      capacityFrames: 64,
      server: microphone.host.server,
      name: "listener",
    )
    let copy = "\(microphone.scratch.path)/jack_rec"
    let installed = URL(filePath: "/usr/bin/jack_rec").resolvingSymlinksInPath().path
    try FileManager.default.copyItem(atPath: installed, toPath: copy)
    // Both have the name `jackrec` on the server, one after the other; so the gate of the first may still be leaving.
    let programs = [installed: Microphone.port, copy: "\(microphone.host.name)-mic:jackrec_"]
    for program in [installed, copy] {
      let child = try Child(
        program,
        ["-f", "\(microphone.scratch.path)/take.wav", "-d", "60", "-b", "16", Microphone.port],
        environment: ["JACK_DEFAULT_SERVER": microphone.host.server],
        in: microphone.scratch,
      )
      try await waitUntil("\(program) is connected as it may be") {
        let sources = try? listener.connection.connections(ofPort: "jackrec:input1")
        return sources?.count == 1 && sources?.first?.hasPrefix(programs[program] ?? "-") == true
      }
      if program == copy {
        let list = try await microphone.control.call(ListPermissions.self).programs
        let entry = list.first { $0.executable == copy }
        #expect(entry?.permission == .undetermined)
        #expect(entry?.clients == ["jackrec"])
        #expect(
          list.first { $0.program == "jack_rec" && $0.executable == nil }?.permission == .granted
        )
        try await microphone.permission("grant", copy)
        let after = try await microphone.control.call(ListPermissions.self).programs
        #expect(after.first { $0.executable == copy }?.permission == .granted)
      }
      child.send(SIGTERM)
      _ = try await child.waitForEnd()
    }
    listener.close()
    try await microphone.end()
  }

  @Test(.jackServer(frames: 64))
  func `PRM-1 CAT-1 of an adopted client the session decides too`() async throws {
    // It records, and is heard, as a program that passes its input on.
    let microphone = try await Microphone.guarded(
      permissions: "{default: granted}",
      more: """
        adopt:
          - {client: deaf, channels: 1, session: {category: playback}}
          - {client: voip, channels: 1, session: {category: playAndRecord}}
        """,
    )
    let recorder = try Recorder(
      from: [microphone.host.port("main_out_1")],
      capacityFrames: 20 * 48_000,
      server: microphone.host.server,
      name: "listener",
    )
    recorder.start()
    for name in ["deaf", "voip"] {
      // It passes its inputs on to its outputs, and connects itself to all hardware.
      let through = try Child("jack_thru", [name, microphone.host.server], in: microphone.scratch)
      let input = "\(name):input_1"
      try await waitUntil("\(name) is heard through its strip") {
        (try? recorder.connection.connections(ofPort: "\(name):output_1"))
          == [microphone.host.port("\(name)_in_1")]
      }
      try recorder.connection.connect(Microphone.port, to: input)
      try await waitUntil("\(name) hears gates only") {
        let sources = try recorder.connection.connections(ofPort: input)
        let gates = "\(microphone.host.name)-mic:\(name)_"
        return sources.count == 2 && sources.allSatisfy { $0.hasPrefix(gates) }
      }
      try await microphone.waitUntilHeard(name == "voip", by: recorder)
      through.send(SIGTERM)
      _ = try await through.waitForEnd()
    }
    try await microphone.end(recorder)
  }
}
