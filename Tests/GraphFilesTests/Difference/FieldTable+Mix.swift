// SPDX-License-Identifier: MIT

import Sessions

@testable import GraphFiles

extension FieldTable {
  /// Routes, sources, sends, recorders and controls.
  static let mix: [FieldTable] = [
    FieldTable(
      "Route",
      { $0.routes[0] },
      // An old name changes nothing unless the old graph has it.
      exempt: ["was"],
      [
        .set("name", \.routes[0].name, "pa"),
        .set("type", \.routes[0].type, .headphones),
        .set("isTypeGuessed", \.routes[0].isTypeGuessed, true),
        .set("isMirrored", \.routes[0].isMirrored, true),
        .set("direction", \.routes[0].direction, .input),
        .set("ports", \.routes[0].ports, [.name("system:playback_3")]),
        .set("helper", \.routes[0].helper, .device(.init(name: "hw:3"))),
        .set("alignment", \.routes[0].alignment, .delay(.milliseconds(1))),
        .set("fallback", \.routes[0].fallback, "other"),
        .set("gainDB", \.routes[0].gainDB, -.infinity),
        .set("isMuted", \.routes[0].isMuted, true),
        .set("limiter", \.routes[0].limiter, nil),
        .set("label", \.routes[0].label, "PA"),
        FieldChange("color") { $0.routes[0].color = GraphColor("blue") },
        .set("inserts", \.routes[0].inserts, []),
        .set("wet", \.routes[0].wet, 0.5),
      ]
    ),
    FieldTable(
      "Limiter",
      { $0.routes[0].limiter },
      [
        FieldChange("ceilingDB") { $0.routes[0].limiter?.ceilingDB = -3 },
        FieldChange("releaseDuration") { $0.routes[0].limiter?.releaseDuration = .seconds(1) },
        FieldChange("lookaheadDuration") {
          $0.routes[0].limiter?.lookaheadDuration = .milliseconds(1)
        },
      ]
    ),
    helper(
      "Device",
      2,
      .device(.init(name: "hw:1")),
      [
        ("name", .device(.init(name: "hw:4"))),
        ("channels", .device(.init(name: "hw:1", channels: 4))),
        ("sampleRateHz", .device(.init(name: "hw:1", sampleRateHz: 44_100))),
        ("periodFrames", .device(.init(name: "hw:1", periodFrames: 64))),
        ("periods", .device(.init(name: "hw:1", periods: 3))),
        ("slackDuration", .device(.init(name: "hw:1", slackDuration: .milliseconds(2)))),
      ]
    ),
    helper(
      "NJBridge",
      3,
      .njbridge(bridge { _ in }),
      [
        ("address", .njbridge(bridge { $0.address = "10.0.0.9" })),
        ("port", .njbridge(bridge { $0.port = 1 })),
        ("channels", .njbridge(bridge { $0.channels = 4 })),
        ("samples", .njbridge(bridge { $0.samples = .float32 })),
        ("bufferDuration", .njbridge(bridge { $0.bufferDuration = .zero })),
      ]
    ),
    helper(
      "JackTrip",
      4,
      .jacktrip(.init(address: "10.0.0.2")),
      [
        ("address", .jacktrip(.init())),
        ("port", .jacktrip(.init(address: "10.0.0.2", port: 1))),
        ("peerPort", .jacktrip(.init(address: "10.0.0.2", peerPort: 1))),
        ("channels", .jacktrip(.init(address: "10.0.0.2", channels: 1))),
        ("queuePackets", .jacktrip(.init(address: "10.0.0.2", queuePackets: 8))),
        ("redundancy", .jacktrip(.init(address: "10.0.0.2", redundancy: 2))),
        ("bits", .jacktrip(.init(address: "10.0.0.2", bits: 24))),
      ]
    ),
    FieldTable(
      "Source",
      { $0.sources[0] },
      exempt: ["was"],
      [
        .set("name", \.sources[0].name, "track"),
        .set("kind", \.sources[0].kind, .systemInput),
        .set("channels", \.sources[0].channels, 1),
        .set("gainDB", \.sources[0].gainDB, 3),
        .set("isMuted", \.sources[0].isMuted, true),
        .set("pan", \.sources[0].pan, 0),
        .set("meterTap", \.sources[0].meterTap, .pre),
        .set("label", \.sources[0].label, "Song"),
        FieldChange("color") { $0.sources[0].color = GraphColor("red") },
        .set("session", \.sources[0].session, nil),
        .set("inserts", \.sources[0].inserts, []),
        .set("wet", \.sources[0].wet, 0.25),
      ]
    ),
    FieldTable(
      "File",
      { _ in GraphFile.Source.File(path: "", resolvedPath: "") },
      [
        kind("path", 0, .file(.init(path: "b.flac", resolvedPath: "show/song.flac"))),
        kind("resolvedPath", 0, .file(.init(path: "song.flac", resolvedPath: "tour/song.flac"))),
        kind("isLooping", 0, song { $0.isLooping = true }),
        kind("startOffset", 0, song { $0.startOffset = .seconds(1) }),
        kind("isResuming", 0, song { $0.isResuming = true }),
      ]
    ),
    FieldTable(
      "Tone",
      { _ in GraphFile.Source.Tone() },
      [
        kind("wave", 1, .tone(.init(wave: .click))),
        kind("frequencyHz", 1, .tone(.init(frequencyHz: 441))),
        kind("levelDB", 1, .tone(.init(levelDB: -21))),
      ]
    ),
    FieldTable(
      "NodeUse",
      { $0.sources[0].inserts[0] },
      [
        .set("name", \.sources[0].inserts[0].name, "reverb"),
        .set("restart", \.sources[0].inserts[0].restart, .always),
        .set("isBypassed", \.sources[0].inserts[0].isBypassed, true),
      ]
    ),
    FieldTable(
      "Send",
      { $0.sends[0] },
      [
        .set("source", \.sends[0].source, "voice"),
        .set("route", \.sends[0].route, "card"),
        .set("gainDB", \.sends[0].gainDB, -1),
        .set("pan", \.sends[0].pan, 1),
        .set("isMuted", \.sends[0].isMuted, true),
        .set("isPreFader", \.sends[0].isPreFader, true),
        .set("channels", \.sends[0].channels, nil),
      ]
    ),
    FieldTable(
      "ChannelSend",
      { $0.sends[0].channels?[0] },
      [
        FieldChange("sourceChannel") { $0.sends[0].channels?[0].sourceChannel = 3 },
        FieldChange("routeChannel") { $0.sends[0].channels?[0].routeChannel = 3 },
        FieldChange("gainDB") { $0.sends[0].channels?[0].gainDB = -3 },
      ]
    ),
    FieldTable(
      "Recorder",
      { $0.recorders[0] },
      [
        .set("name", \.recorders[0].name, "tape"),
        .set("subject", \.recorders[0].subject, "song"),
        .set("path", \.recorders[0].path, "b.wav"),
        .set("resolvedPath", \.recorders[0].resolvedPath, "tour/set.wav"),
        .set("format", \.recorders[0].format, .flac),
        .set("samples", \.recorders[0].samples, .pcm16),
        .set("split", \.recorders[0].split, .bytes(2_500_000)),
        .set("bufferDuration", \.recorders[0].bufferDuration, .seconds(1)),
        .set("startsWithHost", \.recorders[0].startsWithHost, false),
      ]
    ),
    FieldTable(
      "Crossfader",
      { $0.crossfader },
      [
        FieldChange("a") { $0.crossfader?.a = [] },
        FieldChange("b") { $0.crossfader?.b = [] },
        FieldChange("curve") { $0.crossfader?.curve = .cut },
        FieldChange("position") { $0.crossfader?.position = -0.001 },
      ]
    ),
    FieldTable(
      "Cue",
      { $0.cue },
      [
        FieldChange("route") { $0.cue?.route = "card" },
        FieldChange("gainDB") { $0.cue?.gainDB = -6 },
        FieldChange("sources") { $0.cue?.sources = [] },
      ]
    ),
  ]

  private static func helper(
    _ type: String,
    _ index: Int,
    _ value: GraphFile.Route.Helper,
    _ others: [(field: String, helper: GraphFile.Route.Helper)],
  ) -> FieldTable {
    FieldTable(
      type,
      { _ in
        switch value {
        case .device(let device): device
        case .njbridge(let bridge): bridge
        case .jacktrip(let trip): trip
        }
      },
      others.map { other in FieldChange(other.field) { $0.routes[index].helper = other.helper } }
    )
  }

  private static func bridge(
    _ change: (inout GraphFile.Route.NJBridge) -> Void
  ) -> GraphFile.Route.NJBridge {
    var bridge = GraphFile.Route.NJBridge(address: "10.0.0.1", port: 4000)
    change(&bridge)
    return bridge
  }

  private static func kind(
    _ field: String,
    _ index: Int,
    _ kind: GraphFile.Source.Kind,
  ) -> FieldChange {
    FieldChange(field) { $0.sources[index].kind = kind }
  }

  private static func song(
    _ change: (inout GraphFile.Source.File) -> Void
  ) -> GraphFile.Source.Kind {
    var file = GraphFile.Source.File(path: "song.flac", resolvedPath: "show/song.flac")
    change(&file)
    return .file(file)
  }
}
