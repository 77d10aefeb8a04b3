// SPDX-License-Identifier: MIT

import GraphFiles
import JACK
import Mixing
import Patchbay
import TestSupport
import Testing

@testable import Host

/// Graph files as rules for connections and as a mix.
struct GraphTranslationTests {
  private let graph: GraphFile

  init() throws {
    graph = try GraphFile.parse(
      """
      multiroute: 1
      session: {category: multiRoute}
      routes:
        mic: {type: lineIn, ports: [system:capture_1, /usb:.*/]}
        main: {type: lineOut, ports: [system:playback_1, system:playback_2], gain: -3 dB,
          limiter: {ceiling: -2 dB, release: 20 ms, lookahead: 1 ms}}
        ears: {type: headphones, ports: [system:playback_3], mute: true}
      sources:
        tone: {tone: {}, channels: 2, gain: -6 dB, meter: pre}
        voice: {input: mic, mute: true}
        app: {ports: ["/Mixxx:out_[02]/", Mixxx:out_1]}
      mix:
        - {from: tone, to: main, pan: -0.5}
        - {from: voice, to: main, channels: [[1, 2, -20 dB]], gain: 1 dB}
        - {from: app, to: ears, preFader: true, mute: true}
      controls:
        crossfader: {a: tone, b: [app], curve: linear, position: 0.25}
        cue: {to: ears, sources: [voice], gain: -1 dB}
      """,
      path: "graph.yaml",
    )
  }

  private var channels: [String: Int] { ["tone": 2, "voice": 2, "app": 2] }

  /// The connections that the rules make on a server with these ports.
  private func pairs(_ ports: [PortInfo]) -> Set<ConnectionPair> {
    let rules = GraphRules.rules(
      of: graph,
      channels: channels,
      mixClient: "host",
      sourceClient: "host-sources",
    )
    let own = ["tone", "voice", "app"].flatMap { ["host:\($0)_in_1", "host:\($0)_in_2"] }
    let outputs = ["host:main_out_1", "host:main_out_2", "host:ears_out_1"]
    let generated = ["host-sources:tone_1", "host-sources:tone_2"]
    var keeper = ConnectionKeeper()
    keeper.attach(rules: rules, ownPorts: Set(own + outputs))
    keeper.reset(
      ports: own.map { Ports.input($0) } + (outputs + generated).map { Ports.output($0) } + ports,
      connections: [],
    )
    return Set(keeper.missing())
  }

  @Test func `each channel finds its port by name or pattern`() {
    let generated: Set = [
      ConnectionPair("host-sources:tone_1", "host:tone_in_1"),
      ConnectionPair("host-sources:tone_2", "host:tone_in_2"),
    ]
    #expect(pairs([]) == generated)
    let found = pairs([
      Ports.output("Mixxx:out_0"), Ports.output("Mixxx:out_1"), Ports.output("Mixxx:out_2"),
      Ports.output("system:capture_1", physical: true), Ports.output("usb:mic"),
      Ports.input("system:playback_2", physical: true),
      Ports.input("system:playback_3", physical: true),
    ])
    #expect(
      found
        == generated.union([
          ConnectionPair("Mixxx:out_0", "host:app_in_1"),
          ConnectionPair("Mixxx:out_2", "host:app_in_1"),
          ConnectionPair("Mixxx:out_1", "host:app_in_2"),
          ConnectionPair("system:capture_1", "host:voice_in_1"),
          ConnectionPair("usb:mic", "host:voice_in_2"),
          ConnectionPair("host:main_out_2", "system:playback_2"),
          ConnectionPair("host:ears_out_1", "system:playback_3"),
        ])
    )
  }

  @Test func `the mix has what the graph says`() throws {
    let spec = MixBuilder.spec(of: graph, channels: channels, sampleRateHz: 48_000)
    #expect(
      spec.strips == [
        StripSpec(id: "tone", channels: 2, faderDB: -6, crossfaderSide: .a, meterTap: .pre),
        StripSpec(id: "voice", channels: 2, isMuted: true, isCued: true),
        StripSpec(id: "app", channels: 2, crossfaderSide: .b),
      ]
    )
    #expect(
      spec.routes == [
        RouteSpec(
          id: "main",
          channels: 2,
          gainDB: -3,
          limiter: LimiterSpec(ceilingDB: -2, releaseSeconds: 0.02, lookaheadFrames: 48),
        ),
        RouteSpec(id: "ears", channels: 1, isMuted: true, receivesCue: true, cueGainDB: -1),
      ]
    )
    #expect(
      spec.sends == [
        SendSpec(strip: "tone", route: "main", pan: -0.5),
        SendSpec(strip: "voice", route: "main", gainDB: 1, matrix: [[0, 0], [0.1, 0]]),
        SendSpec(strip: "app", route: "ears", isMuted: true, isPreFader: true),
      ]
    )
    #expect(spec.crossfader == CrossfaderSpec(position: 0.25, curve: .linear))
    // The engine takes it.
    _ = try MixEngine(
      spec,
      configuration: MixEngine.Configuration(sampleRateHz: 48_000, standardFadeSeconds: 0.005),
    )
  }

  @Test func `input: true stands for the hardware's capture ports in their order`() throws {
    let graph = try GraphFile.parse(
      """
      multiroute: 1
      session: {category: multiRoute}
      sources: {in: {input: true, channels: 2}}
      """,
      path: "graph.yaml",
    )
    let rules = GraphRules.rules(
      of: graph,
      channels: ["in": 2],
      mixClient: "host",
      sourceClient: nil,
    )
    var keeper = ConnectionKeeper()
    keeper.attach(rules: rules, ownPorts: ["host:in_in_1", "host:in_in_2"])
    keeper.reset(
      ports: [
        Ports.input("host:in_in_1"), Ports.input("host:in_in_2"),
        Ports.output("system:capture_10", physical: true),
        Ports.output("system:capture_9", physical: true), Ports.output("app:out"),
      ],
      connections: [],
    )
    #expect(
      Set(keeper.missing()) == [
        ConnectionPair("system:capture_9", "host:in_in_1"),
        ConnectionPair("system:capture_10", "host:in_in_2"),
      ]
    )
  }
}
