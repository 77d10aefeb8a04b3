// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// Recordings of a host that is killed, and on a disk that is full.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct RecorderTapTests {
  @Test(.jackServer(), arguments: ["wav", "flac"])
  func `a recording plays after the host is killed`(format: String) async throws {
    let scratch = try Scratch()
    let server = try testServer().name
    let deck = [Signals.noise(50_000, seed: 7), Signals.noise(50_000, seed: 8)]
    try scratch.write(deck, to: "deck.wav", format: .wavPCM16)
    let graph = try scratch.write(
      """
      multiroute: 1
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      sources:
        deck: {file: deck.wav, loop: true}
      mix:
        - {from: deck, to: main}
      recorders:
        set: {from: main, file: set.\(format), samples: pcm16}
      """,
      to: "kill.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    try await waitUntil("two seconds are recorded", within: .seconds(20)) {
      try await host.status().recorders[0].framesWritten > 96_000
    }
    host.child.send(SIGKILL)
    _ = try await host.child.waitForEnd()
    let recorded = try Signals.read("\(scratch.path)/set.\(format)")
    // The encoder holds back less than half a second at the end.
    try Signals.expectLoop(recorded, of: deck, atLeast: 70_000)
  }

  @Test(.jackServer())
  func `a full disk is said and survived, and playing goes on`() async throws {
    let scratch = try Scratch()
    let server = try testServer().name
    let deck = [Signals.noise(50_000, seed: 9)]
    try scratch.write(deck, to: "deck.wav", format: .wavPCM16)
    let graph = try scratch.write(
      """
      multiroute: 1
      routes:
        main: {type: lineOut, ports: [system:playback_1]}
      sources:
        deck: {file: deck.wav, loop: true}
      mix:
        - {from: deck, to: main}
      recorders:
        set: {from: main, file: set.wav}
      """,
      to: "full.yaml",
    )
    // To the host, the limit on the size of files is the end of the disk.
    let host = try HostProcess(
      graph: graph,
      server: server,
      under: ["prlimit", "--fsize=300000:unlimited"],
      in: scratch,
    )
    try await host.attached()
    let failure = try await host.waitForEvents(.recording, count: 2).first {
      $0.recording?.state == .failed
    }
    #expect(failure?.recording?.fault == "diskFull")
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 48_000,
      server: server,
    )
    recorder.start()
    let heard = try await recorder.finish()
    recorder.close()
    let room = try Child(
      "prlimit",
      ["--pid", "\(host.child.pid)", "--fsize=unlimited"],
      in: scratch,
    )
    #expect(try await room.waitForEnd() == .code(0))
    var status = try await host.status().recorders[0]
    try await waitUntil("it writes again", within: .seconds(10)) {
      status = try await host.status().recorders[0]
      return status.fault == nil && status.files.count > 1 && status.framesWritten > 100_000
    }
    #expect(status.framesLost > 0)
    let client = try await host.control()
    _ = try await client.call(StopRecording.self, .init(recorder: "set"))
    await client.close()
    #expect(try await host.stop() == .code(0))
    try Signals.expectLoop(heard.channels, of: deck, atLeast: 48_000)
    try Signals.expectLoop(try Signals.read(status.files[0]), of: deck, atLeast: 70_000)
    try Signals.expectLoop(
      try Signals.read(try #require(status.files.last)),
      of: deck,
      atLeast: 1_000,
    )
  }
}
