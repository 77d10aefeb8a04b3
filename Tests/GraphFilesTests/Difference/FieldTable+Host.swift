// SPDX-License-Identifier: MIT

import Sessions

@testable import GraphFiles

extension FieldTable {
  /// The parts that a graph has once, and adoption rules.
  static let host: [FieldTable] = [
    FieldTable(
      "GraphFile",
      { $0 },
      // The places of files are no difference of what is in them.
      exempt: ["path", "policyPaths"],
      [
        .set("name", \.name, "other"),
        .set("managedName", \.managedName, "given"),
        .set("session", \.session, GraphFile.Session()),
        .set("server", \.server, GraphFile.Server()),
        .set("rampDuration", \.rampDuration, .milliseconds(7)),
        .set("alignsRoutes", \.alignsRoutes, true),
        .set("keepsPatches", \.keepsPatches, true),
        .set("tower", \.tower, GraphFile.Tower()),
        .set("permissions", \.permissions, nil),
        FieldChange("adoptions") { $0.adoptions.removeFirst() },
        FieldChange("patches") { $0.patches.removeFirst() },
        FieldChange("routes") { $0.routes.removeLast() },
        FieldChange("sources") { $0.sources.removeLast() },
        FieldChange("sends") { $0.sends.removeLast() },
        FieldChange("recorders") { $0.recorders.removeLast() },
        .set("crossfader", \.crossfader, nil),
        .set("cue", \.cue, nil),
        FieldChange("controllers") { $0.controllers.removeLast() },
        .set("hearsControllers", \.hearsControllers, false),
        .set("surfaces", \.surfaces, GraphFile.Surfaces()),
      ]
    ),
    FieldTable(
      "Session",
      { $0.session },
      [
        .set("category", \.session.category, .playback),
        .set("mode", \.session.mode, .measurement),
        .set("options", \.session.options, [.duckOthers]),
        .set("preferred", \.session.preferred, GraphFile.Session.Preferred()),
        .set("enforcement", \.session.enforcement, .users),
      ]
    ),
    FieldTable(
      "Preferred",
      { $0.session.preferred },
      [
        .set("ioBuffer", \.session.preferred.ioBuffer, .duration(.milliseconds(5))),
        .set("sampleRateHz", \.session.preferred.sampleRateHz, 44_100),
        .set("inputChannels", \.session.preferred.inputChannels, 1),
        .set("outputChannels", \.session.preferred.outputChannels, 2),
      ]
    ),
    FieldTable(
      "Server",
      { $0.server },
      [
        .set("name", \.server.name, "studio"),
        .set("start", \.server.start, .never),
        .set("driver", \.server.driver, .dummy),
        .set("device", \.server.device, "hw:2"),
        .set("captureChannels", \.server.captureChannels, 4),
        .set("playbackChannels", \.server.playbackChannels, 4),
        .set("periods", \.server.periods, 3),
        .set("isSynchronous", \.server.isSynchronous, false),
        .set("isRealtime", \.server.isRealtime, false),
        .set("realtimePriority", \.server.realtimePriority, 60),
        .set("captures", \.server.captures, .direct),
        .set("isPlaybackOnly", \.server.isPlaybackOnly, true),
        .set("arguments", \.server.arguments, []),
      ]
    ),
    FieldTable(
      "Tower",
      { $0.tower },
      [
        .set("fadeDuration", \.tower.fadeDuration, .milliseconds(50)),
        .set("silentAfterDuration", \.tower.silentAfterDuration, .seconds(5)),
        .set("duck", \.tower.duck, GraphFile.Tower.Duck(gainDB: -20)),
        .set("classes", \.tower.classes, ["sip": .alarm]),
        .set("letsAppsChangePolicy", \.tower.letsAppsChangePolicy, true),
        .set("letsAppsChooseRoutes", \.tower.letsAppsChooseRoutes, false),
        .set("appliesPreferencesAtOnce", \.tower.appliesPreferencesAtOnce, true),
      ]
    ),
    FieldTable(
      "Duck",
      { $0.tower.duck },
      [
        .set("gainDB", \.tower.duck.gainDB, -20),
        .set("rampDuration", \.tower.duck.rampDuration, .seconds(1)),
        .set("restoreDuration", \.tower.duck.restoreDuration, .seconds(1)),
      ]
    ),
    FieldTable(
      "Permissions",
      { $0.permissions },
      [
        FieldChange("standard") { $0.permissions?.standard = .denied },
        FieldChange("programs") { $0.permissions?.programs["rec"] = .denied },
      ]
    ),
    FieldTable(
      "Adoption",
      { $0.adoptions[0] },
      exempt: ["isIncluded"],
      [
        .set("client", \.adoptions[0].client, .name("vlc")),
        .set("executable", \.adoptions[0].executable, .name("vlc")),
        .set("session", \.adoptions[0].session, nil),
        .set("routes", \.adoptions[0].routes, []),
        FieldChange("start") { $0.adoptions[0].start.gainDB = -3 },
        .set("strips", \.adoptions[0].strips, [GraphFile.AdoptedStrip(name: "deck-b")]),
        .set("channels", \.adoptions[0].channels, 2),
        .set("pause", \.adoptions[0].pause, .mpris),
        .set("meterTap", \.adoptions[0].meterTap, .pre),
        .set("patch", \.adoptions[0].patch, .theirs),
      ]
    ),
    FieldTable(
      "AdoptedStrip",
      { $0.adoptions[1].strips[0] },
      [
        .set("name", \.adoptions[1].strips[0].name, "deck-b"),
        .set("ports", \.adoptions[1].strips[0].ports, ["out_0"]),
        .set("routes", \.adoptions[1].strips[0].routes, []),
        FieldChange("start") { $0.adoptions[1].strips[0].start.isMuted.toggle() },
        .set("meterTap", \.adoptions[1].strips[0].meterTap, .pre),
      ]
    ),
    FieldTable(
      "AppSession",
      { $0.adoptions[0].session },
      [
        FieldChange("preset") { $0.adoptions[0].session?.preset = .musicMaking },
        FieldChange("category") { $0.adoptions[0].session?.category = .playback },
        FieldChange("mode") { $0.adoptions[0].session?.mode = .spokenAudio },
        FieldChange("options") { $0.adoptions[0].session?.options = [.duckOthers] },
        FieldChange("priorityClass") { $0.adoptions[0].session?.priorityClass = .alarm },
        FieldChange("music") { $0.adoptions[0].session?.music = .background },
      ]
    ),
  ]
}
