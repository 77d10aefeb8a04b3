// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK

/// The system under test: this project's host.
///
/// Belongs to the control thread.
final class MultiRouteRoles: RoleSystem {
  let name = "MultiRoute"
  private let host: BenchHost
  private let speaker: Speaker
  private let music: LabClient<ConstantVoice>

  /// Starts speaker, music and host on a running server.
  ///
  /// - Parameters:
  ///   - program: The path of the `multiroute` program.
  ///   - server: The server's name.
  /// - Throws: ``LabError``.
  init(program: String, server: String) async throws(LabError) {
    speaker = try Speaker(
      ports: 2,
      capacityFrames: 4 * RoleSounds.sampleRateHz,
      name: "speaker",
      server: server,
    )
    music = try ConstantVoice.client(
      name: "music",
      server: server,
      levelLinear: RoleSounds.levelLinear,
    )
    host = try await BenchHost(
      program: program,
      graph: Self.graph,
      name: "roles",
      server: server,
    )
  }

  func play(_ file: String, as role: Role) throws(LabError) -> PeerProcess {
    let what =
      switch role {
      case .announce: ["--app", "prompt", "--preset", "navigation"]
      case .phone: ["--app", "call", "--class", "phone", "--category", "playback"]
      }
    return try host.session(["play"] + what + [file])
  }

  func step(
    frames: Int,
    _ request: () async throws(LabError) -> Void,
  ) async throws(LabError) -> RoleStep {
    let heard = try await speaker.record(frames: frames, around: request)
    // A killed client costs the server cycles: that is part of the story.
    let traces = heard.recording.channels.map {
      LevelTrace($0, fullLevelLinear: RoleSounds.levelLinear)
    }
    return RoleStep(
      music: traces[0],
      prompt: traces[1],
      requestIndex: heard.recording.index(ofNanoseconds: heard.requestNanoseconds),
    )
  }

  func close() async {
    host.stop()
    music.close()
    speaker.close()
  }

  private static let graph = """
    multiroute: 1
    session: {category: playback}
    server: {start: never}
    tower: {classes: {phone: [call]}}
    routes:
      main: {type: lineOut, ports: ["speaker:in_1", "speaker:in_2"]}
    sources:
      music: {ports: ["music:out"]}
    mix:
      - {from: music, to: main, channels: [[1, 1]]}

    """
}
