// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// The shipped graph that governs every JACK program, as it is.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct EveryProgramTests {
  private static let duckLinear = Float(pow(10, -14.0 / 20))

  @Test(.steppedServer(frames: 256, timeLimitMilliseconds: 1_000))
  func `a prompt lowers the music of graphs/every-program.yaml, and a call pauses it`() async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let host = try await HostProcess.running(
      graph: Repository.path("graphs/every-program.yaml"),
      server: server,
      in: scratch,
    )
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 48_000,
      server: server,
    )
    recorder.start()
    func level(is wanted: Float, _ what: String) async throws {
      try await waitUntil("\(what) is heard at \(wanted)") {
        recorder.latest(512)[0].allSatisfy { abs($0 - wanted) < 0.001 }
      }
    }
    func program(_ name: String, _ level: Float) throws -> Player {
      let samples = [Float](repeating: level, count: 4_800)
      let ports = ["system:playback_1"]
      let player = try Player([samples], loops: true, to: ports, server: server, name: name)
      player.start()
      return player
    }

    let music = [Float](repeating: 0.25, count: 48_000)
    let file = try scratch.write([music], to: "music.wav", format: .wavFloat32)
    let radio = try Child(
      "mpv",
      ["--no-config", "--no-video", "--no-terminal", "--ao=jack", "--loop", file],
      environment: ["JACK_DEFAULT_SERVER": server],
      in: scratch,
    )
    try await level(is: 0.25, "the radio")
    let prompt = try program("navigation", 0.125)
    try await level(is: 0.25 * Self.duckLinear + 0.125, "the prompt over the radio")
    prompt.close()
    try await level(is: 0.25, "the radio after the prompt")
    let call = try program("linphone", 0.5)
    try await level(is: 0.5, "the call alone")
    call.close()
    try await level(is: 0.25, "the radio after the call")
    let other = try program("player-2", 0.0625)
    try await level(is: 0.312_5, "the second player beside the radio")

    other.close()
    radio.send(SIGTERM)
    _ = try await radio.waitForEnd()
    recorder.close()
    #expect(try await host.stop() == .code(0))
  }

  @Test(.steppedServer(frames: 256, timeLimitMilliseconds: 1_000))
  func `an announcement interrupts the show of graphs/kiosk.yaml, by the shipped policy`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let host = try await HostProcess.running(
      graph: Repository.path("graphs/kiosk.yaml"),
      server: server,
      in: scratch,
    )
    func program(_ name: String, _ level: Float) throws -> Player {
      let samples = [Float](repeating: level, count: 4_800)
      let ports = ["system:playback_1"]
      let player = try Player([samples], loops: true, to: ports, server: server, name: name)
      player.start()
      return player
    }
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 48_000,
      server: server,
    )
    recorder.start()
    func heard(_ wanted: Float, _ what: String) async throws {
      try await waitUntil("\(what) is heard at \(wanted)") {
        recorder.latest(512)[0].allSatisfy { abs($0 - wanted) < 0.001 }
      }
    }
    let film = try program("film", 0.25)
    try await heard(0.25, "the film")
    let announcement = try program("announcement-hall", 0.5)
    try await heard(0.5, "the announcement alone")
    announcement.close()
    try await heard(0.25, "the film after the announcement")
    let game = try program("game", 0.125)
    try await heard(0.125, "the latest program alone")
    game.close()
    film.close()
    recorder.close()
    #expect(try await host.stop() == .code(0))
  }
}
