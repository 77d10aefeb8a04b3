// SPDX-License-Identifier: MIT

import AudioFiles
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

/// A real DJ program on two routes: its main output to the room, its headphones to the headphones.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct MixxxTests {
  private static let graph = """
    multiroute: 1
    server: {start: never}
    routes:
      main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      phones: {type: headphones, ports: [system:playback_3, system:playback_4]}
    sources:
      mixxx: {ports: ["/Mixxx:out_0/", "/Mixxx:out_1/"]}
      mixxx-phones: {ports: ["/Mixxx:out_2/", "/Mixxx:out_3/"]}
    mix: [{from: mixxx, to: main}, {from: mixxx-phones, to: phones}]
    """

  /// Main on the first two channels, headphones on the next two.
  private static let soundConfiguration = """
    <!DOCTYPE SoundManagerConfig>
    <SoundManagerConfig api="JACK Audio Connection Kit" samplerate="48000" latency="5" \
    deck_count="2" force_network_clock="0" sync_buffers="0">
     <SoundDevice name="system" portAudioIndex="0">
      <output channel="0" channel_count="2" type="Master"/>
      <output channel="2" channel_count="2" type="Headphones"/>
     </SoundDevice>
    </SoundManagerConfig>
    """

  /// An empty place of Mixxx's window.
  private static let nowhere = (x: 640, y: 40)
  private static let trackHz = [440.0, 660.0]

  @Test(.jackServer(frames: 512, channels: 4))
  func `Mixxx plays one deck to the room and another to the headphones`() async throws {
    let scratch = try Scratch()
    let server = try testServer().name
    let graph = try scratch.write(Self.graph, to: "mixxx.yaml")
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let screen = try await VirtualScreen(in: scratch)
    let mixxx = try start(on: screen, server: server, in: scratch)

    let watcher = try OpenedClient.open(name: "watcher", server: server).activate()
    // It asks for a music folder first, and takes no for an answer.
    let deadline = ContinuousClock.now + .seconds(60)
    while try watcher.connection.ports(matching: "^Mixxx:out_").count < 4 {
      guard mixxx.end == nil, ContinuousClock.now < deadline else {
        throw TestFailure("Mixxx has no ports: \(mixxx.standardError)")
      }
      try await screen.press("Escape", clickingAt: Self.nowhere)
      try await Task.sleep(for: .milliseconds(500))
    }
    for (channel, strip) in ["mixxx_in_1", "mixxx_in_2", "mixxx-phones_in_1", "mixxx-phones_in_2"]
      .enumerated()
    {
      try await waitUntil("\(strip) is connected") {
        try watcher.connection.connections(ofPort: host.port(strip)) == ["Mixxx:out_\(channel)"]
      }
    }

    // D and L start decks 1 and 2, Y puts deck 2 on the headphones.
    try await press("d", on: screen, until: 0, of: host, has: Self.trackHz[0])
    try await screen.press("y", clickingAt: Self.nowhere)
    try await press("l", on: screen, until: 1, of: host, has: Self.trackHz[1])
    let levels = try await Self.levels(host)
    #expect(levels[0][0] > -40)
    #expect(levels[1][1] > -40)
    #expect(levels[1][0] < -80, "deck 1 is not on the headphones")
    mixxx.send(SIGKILL)
    _ = try await mixxx.waitForEnd()
    #expect(try await host.stop() == .code(0))
  }

  /// Starts Mixxx in a home of its own, with a track on each of its two decks.
  private func start(
    on screen: VirtualScreen,
    server: String,
    in scratch: Scratch,
  ) throws -> Child {
    let home = try scratch.makeFolder("home")
    try FileManager.default.createDirectory(
      atPath: home + "/.mixxx",
      withIntermediateDirectories: true,
    )
    try Self.soundConfiguration.write(
      toFile: home + "/.mixxx/soundconfig.xml",
      atomically: true,
      encoding: .utf8,
    )
    let tracks = try Self.trackHz.map { frequencyHz in
      try scratch.write(
        [Signals.sine(frequencyHz, seconds: 90, amplitude: 0.25)],
        to: "\(Int(frequencyHz)).wav",
        format: .wavPCM16,
      )
    }
    return try Child(
      "mixxx",
      tracks,
      environment: screen.environment.merging(
        ["HOME": home, "JACK_DEFAULT_SERVER": server, "XDG_RUNTIME_DIR": scratch.runtimeDirectory],
        uniquingKeysWith: { $1 },
      ),
      in: scratch,
    )
  }

  /// Presses a key until a route has a frequency: Mixxx may still be loading the track.
  private func press(
    _ key: String,
    on screen: VirtualScreen,
    until route: Int,
    of host: HostProcess,
    has frequencyHz: Double,
  ) async throws {
    let track = try #require(Self.trackHz.firstIndex(of: frequencyHz))
    for _ in 0..<10 {
      try await screen.press(key, clickingAt: Self.nowhere)
      try await Task.sleep(for: .seconds(1))
      if try await Self.levels(host)[route][track] > -40 { return }
    }
    throw TestFailure("no \(frequencyHz) Hz on route \(route)")
  }

  /// The levels in dB of both tracks on the main route and on the headphones.
  private static func levels(_ host: HostProcess) async throws -> [[Double]] {
    let recorder = try Recorder(
      from: [host.port("main_out_1"), host.port("phones_out_1")],
      capacityFrames: 24_000,
      server: host.server,
    )
    recorder.start()
    let channels = try await recorder.finish().channels
    return channels.map { samples in
      trackHz.map { Signals.amplitudeDB(samples, ofFrequencyHz: $0) }
    }
  }
}
