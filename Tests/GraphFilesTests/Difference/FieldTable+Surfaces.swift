// SPDX-License-Identifier: MIT

@testable import GraphFiles

extension FieldTable {
  /// Controllers and control surfaces.
  static let surfaces: [FieldTable] = [
    FieldTable(
      "Controller",
      { $0.controllers[0] },
      // The mappings of the file count.
      exempt: ["mappingPath"],
      [
        .set("name", \.controllers[0].name, "decks"),
        .set("device", \.controllers[0].device, .name("Other")),
        .set("mappings", \.controllers[0].mappings, []),
        .set("mappingFile", \.controllers[0].mappingFile, "box.yaml"),
        .set("messagesPerSecond", \.controllers[0].messagesPerSecond, 50),
      ]
    ),
    FieldTable(
      "ControlMapping",
      { $0.controllers[0].mappings[0] },
      [
        .set("control", \.controllers[0].mappings[0].control, MIDIControl(.note(2), channel: 0)),
        .set("target", \.controllers[0].mappings[0].target, .scene("intro")),
        .set("mode", \.controllers[0].mappings[0].mode, .momentary),
        .set("takeover", \.controllers[0].mappings[0].takeover, .jump),
        .set("from", \.controllers[0].mappings[0].from, 1),
        .set("to", \.controllers[0].mappings[0].to, 0),
        .set("steps", \.controllers[0].mappings[0].steps, 7),
        .set("touch", \.controllers[0].mappings[0].touch, MIDIControl(.note(2), channel: 0)),
        .set("feedback", \.controllers[0].mappings[0].feedback, nil),
      ]
    ),
    FieldTable(
      "Feedback",
      { $0.controllers[0].mappings[0].feedback },
      [
        FieldChange("control") {
          $0.controllers[0].mappings[0].feedback?.control = MIDIControl(.note(2), channel: 0)
        },
        FieldChange("off") { $0.controllers[0].mappings[0].feedback?.off = 1 },
        FieldChange("on") { $0.controllers[0].mappings[0].feedback?.on = 1 },
      ]
    ),
    FieldTable(
      "Surfaces",
      { $0.surfaces },
      [
        .set("osc", \.surfaces.osc, nil),
        .set("mackie", \.surfaces.mackie, []),
        .set("xair", \.surfaces.xair, nil),
        .set("oscquery", \.surfaces.oscquery, nil),
        .set("web", \.surfaces.web, nil),
      ]
    ),
    FieldTable(
      "OSC",
      { $0.surfaces.osc },
      [
        FieldChange("port") { $0.surfaces.osc?.port = 1 },
        FieldChange("tcp") { $0.surfaces.osc?.tcp = false },
        FieldChange("lan") { $0.surfaces.osc?.lan = true },
      ]
    ),
    FieldTable(
      "OSCQuery",
      { $0.surfaces.oscquery },
      [
        FieldChange("port") { $0.surfaces.oscquery?.port = 1 },
        FieldChange("lan") { $0.surfaces.oscquery?.lan = true },
      ]
    ),
    FieldTable(
      "XAir",
      { $0.surfaces.xair },
      [
        FieldChange("port") { $0.surfaces.xair?.port = 1 },
        FieldChange("lan") { $0.surfaces.xair?.lan = true },
      ]
    ),
    FieldTable(
      "Web",
      { $0.surfaces.web },
      [
        FieldChange("port") { $0.surfaces.web?.port = 1 },
        FieldChange("lan") { $0.surfaces.web?.lan = true },
        FieldChange("certificate") {
          $0.surfaces.web?.certificate = .init(path: "a.pem", keyPath: "b.pem")
        },
      ]
    ),
    FieldTable(
      "MackieUnit",
      { $0.surfaces.mackie[0] },
      [
        .set("device", \.surfaces.mackie[0].device, "MCU"),
        .set("model", \.surfaces.mackie[0].model, .logic),
        .set("isExtender", \.surfaces.mackie[0].isExtender, true),
        .set("hasColors", \.surfaces.mackie[0].hasColors, false),
      ]
    ),
  ]
}
