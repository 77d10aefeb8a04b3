// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// A machine whose clock is set while a host plays.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct SetClockTests {
  @Test(.steppedServer(frames: 256))
  func `files play on and recordings grow on when the clock is set back by two hours`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let noise = Signals.noise(20 * 48_000, seed: 35)
    try scratch.write([noise], to: "noise.wav", format: .wavPCM16)
    let graph = try scratch.write(
      """
      multiroute: 1
      server: {start: never}
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {deck: {file: noise.wav, loop: true}}
      mix: [{from: deck, to: main}]
      recorders: {set: {from: main, file: set.wav}}
      """,
      to: "clock.yaml",
    )
    let clock = scratch.path + "/set-back"
    let host = try HostProcess(
      graph: graph,
      server: server,
      environment: [
        "LD_PRELOAD": try await PreloadedLibrary.compile("Tests/SetClock/set-clock.c", in: scratch),
        "SET_CLOCK": clock,
      ],
      in: scratch,
    )
    _ = try await host.attached()
    let frames = 10 * 48_000
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: frames,
      server: server,
    )
    try scratch.write("", to: "set-back")
    recorder.start()
    let heard = Played(try await recorder.finish().channels[0], loop: noise)
    #expect(heard.longestGapFrames == 0 && heard.other == nil)
    let control = try await host.control()
    let recording = try await control.call(StopRecording.self, .init(recorder: "set"))
    #expect(recording.framesLost == 0)
    #expect(recording.framesWritten >= frames)
    await control.close()
    #expect(try await host.stop() == .code(0))
    recorder.close()
  }
}
