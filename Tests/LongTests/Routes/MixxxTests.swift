// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// A real DJ program on two routes: its main output to the room, its headphones to the headphones.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct MixxxTests {
  private static let graph = """
    multiroute: 1
    server: {start: never}
    routes:
      main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      phones: {type: headphones, ports: [system:playback_3, system:playback_4]}
    sources: {}
    mix: []
    adopt:
      - client: /Mixxx.*/
        session: {preset: musicMaking}
        strips:
          mixxx: {ports: [out_0, out_1], routes: [main]}
          mixxx-phones: {ports: [out_2, out_3], routes: [phones]}
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
    let watcher = try OpenedClient.open(name: "watcher", server: server).activate()
    let mixxx = try await start(on: screen, watchedBy: watcher.connection, in: scratch)
    for (channel, strip) in ["mixxx_in_1", "mixxx_in_2", "mixxx-phones_in_1", "mixxx-phones_in_2"]
      .enumerated()
    {
      // A strip has ports only once its client is adopted.
      try await waitUntil("\(strip) is connected") {
        try watcher.connection.connections(ofPort: "Mixxx:out_\(channel)") == [host.port(strip)]
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

  /// The frequencies of the music, the alarm and the phone.
  private static let storyHz = [trackHz[0], 880, 1_320]

  @Test(.jackServer(frames: 512, channels: 4))
  func `ACT-4 INT-3 an alarm interrupts Mixxx, a phone both, and they end in either order`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let graph = try scratch.write(
      Self.graph + "\ntower: {classes: {phone: [call], alarm: [alarm-clock]}}",
      to: "mixxx.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let screen = try await VirtualScreen(in: scratch)
    let watcher = try OpenedClient.open(name: "watcher", server: server).activate()
    let mixxx = try await start(on: screen, watchedBy: watcher.connection, in: scratch)
    let rings = try zip(["bell", "ringer"], Self.storyHz.dropFirst()).map { name, frequencyHz in
      let player = try Player(
        [Signals.sine(frequencyHz, seconds: 1, amplitude: 0.25)],
        loops: true,
        server: server,
        name: name,
      )
      player.start()
      return player
    }
    try await press("d", on: screen, until: 0, of: host, has: Self.trackHz[0])
    try await expectHeard(0, by: host)

    for endsFirst in ["alarm", "phone"] {
      let alarm = try hold("alarm-clock", class: "alarm", ports: "bell:*", on: host, in: scratch)
      try await expectHeard(1, by: host)
      let phone = try hold("call", class: "phone", ports: "ringer:*", on: host, in: scratch)
      try await expectHeard(2, by: host)
      if endsFirst == "alarm" {
        alarm.send(SIGTERM)
        _ = try await alarm.waitForEnd()
        try await expectHeard(2, by: host)
        phone.send(SIGTERM)
      } else {
        phone.send(SIGTERM)
        _ = try await phone.waitForEnd()
        // The alarm may go on, and its script says so; the music waits for it all the while.
        let again = try await Multiroute.run(
          "session",
          "activate",
          "alarm-clock",
          "--host",
          host.name,
          in: scratch,
        )
        #expect(again.end == .code(0), "\(again.standardError)")
        try await expectHeard(1, by: host)
        alarm.send(SIGTERM)
      }
      try await expectHeard(0, by: host)
    }
    mixxx.send(SIGKILL)
    _ = try await mixxx.waitForEnd()
    for ring in rings { ring.close() }
    #expect(try await host.stop() == .code(0))
  }

  /// Holds an active session of a script, which a client sounds through.
  private func hold(
    _ app: String,
    class priorityClass: String,
    ports: String,
    on host: HostProcess,
    in scratch: Scratch,
  ) throws -> Child {
    try Child(
      Multiroute.path(),
      [
        "session", "open", "--activate", "--app", app, "--class", priorityClass, "--category",
        "playback", "--route", "main", "--ports", ports, "--host", host.name,
      ],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
  }

  /// Waits until one of the three is heard in the room, and sees that the others are not.
  private func expectHeard(_ wanted: Int, by host: HostProcess) async throws {
    var levels: [Double] = []
    for _ in 0..<40 {
      levels = try await Self.levels(host, ofFrequenciesHz: Self.storyHz)[0]
      let heard = levels.indices.filter { levels[$0] > -40 }
      let silent = levels.indices.filter { levels[$0] < -80 }
      if heard == [wanted], silent.count == 2 { return }
    }
    let events = host.events.suffix(12).map(\.message).joined(separator: "\n")
    throw TestFailure("heard are \(levels) dB and not number \(wanted) alone\n\(events)")
  }

  /// Starts Mixxx in a home of its own, with a track on each of its two decks, and waits for its ports.
  private func start(
    on screen: VirtualScreen,
    watchedBy watcher: ClientConnection,
    in scratch: Scratch,
  ) async throws -> Child {
    let mixxx = try launch(on: screen, server: watcher.server, in: scratch)
    // It asks for a music folder first, and takes no for an answer.
    do {
      try await waitUntil("Mixxx has ports", within: .seconds(60), every: .milliseconds(500)) {
        if let end = mixxx.end { throw TestFailure("Mixxx has ended: \(end)") }
        if try watcher.ports(matching: "^Mixxx:out_").count == 4 { return true }
        try await screen.press("Escape", clickingAt: Self.nowhere)
        return false
      }
    } catch {
      throw TestFailure("\(error): \(mixxx.standardError)")
    }
    return mixxx
  }

  private func launch(
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
      // Half a second each. The key also stops: pressed once more before a busy Mixxx has answered, it would end what it began.
      for _ in 0..<12 {
        if try await Self.levels(host)[route][track] > -40 { return }
      }
    }
    throw TestFailure("no \(frequencyHz) Hz on route \(route)")
  }

  /// The levels in dB of some frequencies on the main route and on the headphones.
  private static func levels(
    _ host: HostProcess,
    ofFrequenciesHz frequenciesHz: [Double] = trackHz,
  ) async throws -> [[Double]] {
    let recorder = try Recorder(
      from: [host.port("main_out_1"), host.port("phones_out_1")],
      capacityFrames: 24_000,
      server: host.server,
    )
    recorder.start()
    let channels = try await recorder.finish().channels
    return channels.map { samples in
      frequenciesHz.map { Signals.amplitudeDB(samples, ofFrequencyHz: $0) }
    }
  }
}
