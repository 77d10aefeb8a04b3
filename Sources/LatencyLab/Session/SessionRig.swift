// SPDX-License-Identifier: MIT

import CRealtime
import ControlProtocol
import ControlSocket
import JACK

/// Music on two paths to a speaker, through a host's strip and direct, and sessions that disturb it.
///
/// Belongs to the control thread.
final class SessionRig: BenchRig {
  /// The recording around a request.
  ///
  /// Pure value: [any-thread].
  struct Step {
    /// The recording.
    var recording: Speaker.Recording
    /// When the request was made.
    var requestNanoseconds: UInt64
    /// Time from the request to its answer.
    var answerNanoseconds: UInt64

    /// Microseconds from the request until a sample of the recording was heard.
    func microseconds(until index: Int) -> Double {
      guard let heard = recording.nanoseconds(ofIndex: index) else { return 0 }
      return (Double(heard) - Double(requestNanoseconds)) / 1000
    }

    /// The gain of the signal path through the host, over any of its routes.
    var throughHost: LevelTrace {
      let channels = recording.channels
      return LevelTrace(
        zip(channels[0], channels[1]).map { $0 + $1 },
        fullLevelLinear: SessionRig.levelLinear,
      )
    }

    /// The gain of one of the speaker's ports.
    func port(_ index: Int) -> LevelTrace {
      LevelTrace(recording.channels[index], fullLevelLinear: SessionRig.levelLinear)
    }
  }

  let host: BenchHost
  let client: ControlClient
  /// Number of cycles recorded so far, and how many of them began late.
  private(set) var cycles = 0
  private(set) var lateCycles = 0
  private let speaker: Speaker
  private let music: LabClient<ConstantVoice>
  private let direct: LabClient<ConstantVoice>
  /// A third client, which connects and disconnects.
  private let patcher: ClientConnection
  private var patcherClient: OpenedClient?

  /// Starts host and clients on a running server, and waits until the music is heard.
  ///
  /// - Throws: ``LabError`` `jack`, `host`, `tool` or `cancelled`.
  init(program: String, server: String, settings: SessionBenchmark.Settings) async throws(LabError)
  {
    speaker = try Speaker(
      ports: 3,
      capacityFrames: settings.sampleRateHz,
      name: "speaker",
      server: server,
    )
    music = try ConstantVoice.client(name: "music", server: server, levelLinear: Self.levelLinear)
    direct = try ConstantVoice.client(name: "direct", server: server, levelLinear: Self.levelLinear)
    let opened: OpenedClient
    do throws(JACKError) {
      opened = try OpenedClient.open(name: "patcher", server: server)
    } catch {
      throw LabError(error)
    }
    patcher = opened.connection
    patcherClient = consume opened
    host = try await BenchHost(
      program: program,
      graph: settings.graph,
      name: "session-cost",
      server: server,
    )
    client = try await host.connect()
    try reconnect()
    // As any player does it; the host patches it through a strip.
    _ = try LabError.wrapping { () throws(JACKError) in
      try music.connection.connect("music:out", to: "speaker:in_2")
    }
    try await waitUntilHeard(throughHost: 1)
  }

  /// Ends all of it.
  func close() async {
    await client.close()
    host.stop()
    _ = patcherClient.take()?.close()
    music.close()
    direct.close()
    speaker.close()
  }

  // MARK: - The direct signal path

  /// Takes the music off the speaker's third port, as any JACK client can.
  func disconnect() throws(LabError) {
    _ = try LabError.wrapping { () throws(JACKError) in
      try patcher.disconnect(Self.directSource, from: Self.directDestination)
    }
  }

  /// Puts it back.
  func reconnect() throws(LabError) {
    _ = try LabError.wrapping { () throws(JACKError) in
      try patcher.connect(Self.directSource, to: Self.directDestination)
    }
  }

  /// Mutes the direct music from its next cycle on, or lets it sound again.
  func muteDirect(_ isMuted: Bool) { unsafe direct.state.pointee.mute(isMuted) }

  // MARK: - Steps

  /// Makes a request while recording.
  ///
  /// - Parameters:
  ///   - frames: The length of the recording.
  ///   - request: The request; the recording's moment of reference is its end.
  /// - Returns: The recorded signals; nil if cycles were lost.
  /// - Throws: ``LabError`` `jack` or `cancelled`, or the request's own.
  func step(
    frames: Int,
    _ request: () async throws(LabError) -> Void,
  ) async throws(LabError) -> Step? {
    var answer: UInt64 = 0
    let heard = try await speaker.record(frames: frames) { () throws(LabError) in
      let start = realtime_now_nanoseconds()
      try await request()
      answer = realtime_now_nanoseconds() - start
    }
    cycles += heard.recording.cycles.count
    lateCycles += heard.recording.lateCycles
    guard heard.recording.lostFrames == 0 else { return nil }
    return Step(
      recording: heard.recording,
      requestNanoseconds: heard.requestNanoseconds,
      answerNanoseconds: answer,
    )
  }

  /// Waits until the gain through the host stands.
  func waitUntilHeard(throughHost gainLinear: Float) async throws(LabError) {
    var found: [Float] = []
    for _ in 0..<Self.patience {
      guard let step = try await step(frames: Self.lookFrames, { () throws(LabError) in }) else {
        continue
      }
      let gains = step.throughHost.gains
      if gains.allSatisfy({ abs($0 - gainLinear) < 1e-3 }) { return }
      found = [gains.last ?? 0]
    }
    throw LabError(
      .host,
      "the music's gain through the host is \(found) and does not come to \(gainLinear) within 10 s",
    )
  }

  /// The music's level.
  static let levelLinear: Float = 0.25
  private static let directSource = "direct:out"
  private static let directDestination = "speaker:in_3"
  private static let lookFrames = 480
  private static let patience = 500
}
