// SPDX-License-Identifier: MIT

import Sessions
import Testing
import YAML

@testable import GraphFiles

@Suite("Parts of a graph, alone and together")
struct PartRuleTests {
  private func messages(_ added: String) -> [String] {
    faults(of: Marked.soundGraph + added + "\n").map(\.message)
  }

  private func graph(_ added: String) throws -> GraphFile {
    try GraphFile.parse(Marked.soundGraph + added + "\n", path: "g.yaml", files: .everythingExists)
  }

  @Test("every flag that a file leaves out is off, but for real time, OSC over TCP and start")
  func defaults() throws {
    let graph = try graph(
      """
      mix: [{from: deck-a, to: main}]
      recorders: {take: {from: main, file: take.wav}}
      surfaces: {osc: {}, oscquery: {}, xair: {}, web: {}, mackie: [{device: X-Touch}]}
      """
    )
    #expect(graph.server.isSynchronous && graph.server.isRealtime && !graph.server.isPlaybackOnly)
    #expect(!graph.alignsRoutes && !graph.keepsPatches && !graph.hearsControllers)
    #expect(!graph.tower.letsAppsChangePolicy && graph.tower.letsAppsChooseRoutes)
    #expect(!graph.tower.appliesPreferencesAtOnce)
    for route in graph.routes {
      #expect(!route.isMuted && !route.isTypeGuessed && !route.isMirrored)
    }
    #expect(graph.sources.allSatisfy { !$0.isMuted })
    guard case .file(let file) = graph.sources[0].kind else {
      Issue.record("no file: \(graph.sources[0].kind)")
      return
    }
    #expect(!file.isLooping && !file.isResuming && file.startOffset == .zero)
    let send = try #require(graph.sends.first)
    #expect(!send.isMuted && !send.isPreFader && send.gainDB == 0 && send.channels == nil)
    #expect(graph.recorders.first?.startsWithHost == true)
    let surfaces = graph.surfaces
    #expect(surfaces.osc?.tcp == true && surfaces.osc?.lan == false)
    #expect(surfaces.oscquery?.lan == false && surfaces.xair?.lan == false)
    #expect(surfaces.web?.lan == false && surfaces.mackie.first?.isExtender == false)
    #expect(!GraphFile.NodeUse(name: "synth").isBypassed)
    #expect(GraphFile.Route.JackTrip().redundancy == 1)
  }

  @Test(
    "a value that cannot be a name is told once, and nothing is concluded from it",
    arguments: [
      ("mix: [{from: a b, to: main}, {from: a b, to: main}]", 2),
      ("mix: [{from: beep, to: a b}, {from: beep, to: a b}]", 2),
      ("controls: {crossfader: {a: [a b, a b], b: beep}}", 2),
      ("controls: {cue: {to: a b, sources: [c d, c d]}}", 3),
      ("recorders: {take: {from: a b, file: take.wav}}", 1),
      ("adopt: [{client: x, session: {preset: player}, routes: [a b]}]", 1),
      ("  x: {input: a b}", 1), ("  x: {tone: {}, was: a b}", 1),
      ("mix: [{from: deck-a, to: main, channels: [[x, 1], [x, 1], [1, 1], [1, x], [1, x]]}]", 4),
      ("mix: [{from: deck-a, to: main, channels: [[1], [1]]}]", 2),
    ]
  )
  func badNames(added: String, count: Int) {
    let found = messages(added)
    #expect(found.count == count && !found.contains { $0.contains("already") }, "\(found)")
  }

  @Test("the strips of adopted clients can be on the crossfader and cued, but are not sent")
  func adoptedStrips() {
    let adopt = """
      adopt:
        - {client: x, session: {preset: player}, strips: {left: {ports: [o1], routes: [main]}}}

      """
    #expect(messages(adopt + "controls: {crossfader: {a: left, b: beep}}").isEmpty)
    #expect(messages(adopt + "controls: {cue: {to: phones, sources: [left]}}").isEmpty)
    #expect(
      messages(adopt + "mix: [{from: left, to: main}]") == [
        "from: there is no source 'left'; there are: deck-a, beep, voice"
      ]
    )
    #expect(
      messages(adopt + "controls: {cue: {to: phones, sources: [lef]}}") == [
        "sources: there is no source 'lef' (did you mean 'left'?); there are: deck-a, beep, voice, left"
      ]
    )
  }

  @Test("routes of a rule are checked there, and those of its strips where they are others")
  func routesOfStrips() {
    func messages(_ keys: String) -> [String] {
      self.messages("adopt: [{client: x, session: {preset: player}, \(keys)}]")
    }
    let fault = [
      "routes: there is no output route 'man' (did you mean 'main'?); there are: main, phones"
    ]
    #expect(messages("routes: [man], strips: {l: {ports: [o1]}, r: {ports: [o2]}}") == fault)
    #expect(messages("routes: [main], strips: {l: {ports: [o1], routes: [man]}}") == fault)
    #expect(messages("routes: [main], strips: {l: {ports: [o1], routes: [phones]}}").isEmpty)
  }

  @Test("a preset takes the categories that it has, and no others", arguments: Preset.allCases)
  func presets(preset: Preset) {
    for category in Category.allCases where category != .audioProcessing {
      let found = messages(
        "adopt: [{client: x, session: {preset: \(preset.name), category: \(category.name)}}]"
      )
      let fault = "category: the preset '\(preset.name)' does not take '\(category.name)'"
      #expect(found.isEmpty == preset.categories.contains(category))
      #expect(found.allSatisfy { $0.hasPrefix(fault) } && found.count < 2, "\(found)")
    }
  }

  @Test("FLAC holds eight channels, and a WAV file any number")
  func flacChannels() {
    for (channels, file, isSound) in [
      (8, "a.flac", true), (9, "a.flac", false), (9, "a.wav", true),
    ] {
      let found = messages(
        "  many: {tone: {}, channels: \(channels)}\nrecorders: {x: {from: many, file: \(file)}}"
      )
      #expect(found.isEmpty == isSound && found.count < 2, "\(found)")
    }
  }

  @Test("a port that is no number is in nobody's way")
  func faultyPort() {
    for port in [0, 65_536] {
      let found = faults(
        of: "multiroute: 1\nroutes:\n"
          + "  a: {type: virtual, direction: input, njbridge: {address: 0.0.0.0, port: \(port)}}\n"
          + "  b: {type: virtual, jacktrip: {port: 1}}\n"
      )
      #expect(found.count == 1 && found[0].message.contains("out of range"), "\(found)")
    }
  }

  @Test("the order of strips is told where there are several")
  func strips() throws {
    func graph(_ strips: String) throws -> GraphFile {
      try self.graph(
        "adopt: [{client: x, session: {preset: player}, routes: [main], strips: {\(strips)}}]"
      )
    }
    func keys(_ old: String, _ new: String) throws -> [String] {
      try GraphDifference(from: graph(old), to: graph(new)).changes.flatMap { change in
        if case .changed(let values) = change.kind { values.map(\.key) } else { [String]() }
      }
    }
    let (l, r) = ("l: {ports: [o1]}", "r: {ports: [o2]}")
    #expect(try keys("", l).allSatisfy { $0.hasPrefix("strips.l") || $0 == "channels" })
    #expect(try keys("\(l), \(r)", "\(r), \(l)") == ["strips"])
  }

  @Test(
    "the name of an adopted strip is that of no route and no source",
    arguments: ["main", "beep"]
  )
  func stripNames(name: String) {
    let found = messages(
      "adopt: [{client: x, session: {preset: player}, routes: [main], "
        + "strips: {\(name): {ports: [o1]}}}]"
    )
    #expect(found == ["adopted strip '\(name)': a route or source has this name"])
  }

  @Test("keys that are no names, and a merge, are told once, and others are found beside them")
  func otherKeys() throws {
    let merged = messages("<<: {name: x}")
    #expect(merged.count == 1 && merged[0].contains("merging is not supported"), "\(merged)")
    #expect(messages("[x]: 1").count == 1)
    let root = try YAMLComposer.compose("{[x]: 1, a: 2, b: 3}")
    let positions = ["a", "b", "c"].map { root.entry($0)?.value.position.column }
    #expect(positions == [13, 19, nil])
  }

  @Test("a node's name has at most 63 bytes")
  func nodeNames() {
    for (count, isName) in [(1, true), (63, true), (64, false)] {
      let name = String(repeating: "n", count: count)
      let found = faults(
        of: "multiroute: 1\nsession: {options: [mixWithOthers]}\nsources: {s: {node: \(name)}}\n"
      )
      #expect(found.isEmpty == isName && found.count < 2, "\(found)")
    }
  }

  @Test("a recorder's samples are those that its format holds, unless written")
  func samples() throws {
    for (keys, format, samples) in [
      ("file: a.wav", .wav, .float32), ("file: a", .wav, .float32), ("file: .wav", .wav, .float32),
      ("file: x/a.RF64", .wav, .float32), ("file: .flac", .wav, .float32),
      ("file: a.flac", .flac, .pcm24),
      ("file: a.wav, format: flac", .flac, .pcm24), ("file: a.flac, samples: pcm16", .flac, .pcm16),
      ("file: a.mp3, format: wav", .wav, .float32), ("file: a.wav, samples: pcm24", .wav, .pcm24),
    ] as [(String, GraphFile.Recorder.Format, GraphFile.Recorder.Samples)] {
      let recorder = try #require(
        try graph("recorders: {take: {from: main, \(keys)}}").recorders.first
      )
      #expect(recorder.format == format && recorder.samples == samples, "\(keys)")
    }
  }

  @Test("only a sine has to stay at or below half the sample rate")
  func tones() {
    func count(_ tone: String) -> Int {
      faults(
        of:
          "multiroute: 1\nsession: {preferred: {sampleRate: 8 kHz}}\nsources: {s: {tone: {\(tone)}}}\n"
      ).count
    }
    #expect(count("frequency: 4 kHz") == 0 && count("frequency: 4001 Hz") == 1)
    #expect(count("wave: click, frequency: 4001 Hz") == 0)
  }

  @Test("a device's name has no blank, and an input is the name of a route")
  func names() {
    let device = faults(of: "multiroute: 1\nroutes: {a: {device: hw 1}}\n").map(\.message)
    #expect(
      device == [
        "device: 'hw 1' begins with '-' or has a blank; write an ALSA device such as hw:1"
      ]
    )
    let allowed = "is not the name of an input route, or true for the server's capture ports"
    for text in ["a b", "\"true\"x", "1"] {
      #expect(messages("  x: {input: '\(text)'}") == ["input: '\(text)' \(allowed)"])
    }
  }

  @Test("the path of a parameter has no characters with a meaning of their own in OSC")
  func parameterPaths() {
    func messages(_ path: String) -> [String] {
      self.messages(
        "controls: {midi: {x: {device: X, map: [{control: cc 1/7, parameter: '\(path)'}]}}}"
      )
    }
    #expect(messages("/strip/beep/gain").isEmpty && messages("/a/b").isEmpty)
    let others = " #*,?[]".map { "/strip/be\($0)ep/gain" }
    for path in others + ["", "a/b/c", "/a", "/a/", "//b", "/a//b"] {
      let found = messages(path)
      #expect(found.count == 1 && found[0].hasPrefix("parameter: "), "\(path): \(found)")
    }
  }

  @Test("samples of JackTrip have whole bytes, from one to four")
  func bits() {
    for bits in 8...32 {
      let found = faults(
        of: "multiroute: 1\nroutes: {a: {type: virtual, jacktrip: {bits: \(bits)}}}\n"
      ).map(\.message)
      let fault = "bits: \(bits) is not possible; allowed: 8, 16, 24, 32"
      #expect(found == (bits % 8 == 0 ? [] : [fault]))
    }
  }

  @Test("nodes need a session that mixes, and are not judged by a session with a fault of its own")
  func nodes() {
    func messages(_ session: String) -> [String] {
      faults(
        of: "multiroute: 1\n\(session)routes: {a: {type: lineOut, ports: ['s:1'], inserts: [fx]}}\n"
      ).map(\.message)
    }
    let needed = ["session: node 'fx' needs 'options: [mixWithOthers]' (IAA-3)"]
    #expect(messages("") == needed && messages("session: {enforce: false}\n") == needed)
    #expect(messages("session: {options: [mixWithOthers]}\n").isEmpty)
    let faulty = messages("session: {options: [mixWithOther]}\n")
    #expect(faulty.count == 1 && faulty != needed)
  }

  @Test("a node's place is the source or the route that has it")
  func places() {
    let text =
      "multiroute: 1\nsession: {options: [mixWithOthers]}\nroutes: {out: {type: lineOut, ports: ['s:1']"
    let twice = faults(
      of: text + ", inserts: [fx]}}\nsources: {s: {tone: {}, inserts: [fx]}}\n"
    )
    #expect(twice.count == 1 && twice[0].message.contains("node 'fx' is at 's' already"))
    #expect(twice.first?.line == 3)
    let input = faults(
      of: "multiroute: 1\nsession: {options: [mixWithOthers]}\n"
        + "routes: {mic: {type: lineIn, ports: ['s:1'], inserts: [fx]}}\n"
    )
    #expect(input.count == 1 && input[0].message.contains("'mic' is an input route"))
  }

  @Test("the words of a cell have its gain where it is not 0 dB")
  func cellWords() throws {
    func graph(_ cells: String) throws -> GraphFile {
      try self.graph("mix: [{from: deck-a, to: main, channels: \(cells)}]")
    }
    let difference = GraphDifference(
      from: try graph("[[1, 1], [2, 2, -3 dB]]"),
      to: try graph("[[1, 1, 1 dB], [2, 2, 0 dB]]"),
    )
    #expect(
      difference.changes.map(\.kind) == [
        .changed([.init("channels", from: "[[1, 1], [2, 2, -3 dB]]", to: "[[1, 1, 1 dB], [2, 2]]")])
      ]
    )
  }

  @Test(
    "a surface that is served, or no longer, is added or gone",
    arguments: [
      "osc: {}", "oscquery: {}", "xair: {}", "web: {}", "mackie: [{device: X-Touch}]",
    ]
  )
  func surfaces(keys: String) throws {
    let (without, with) = (try graph(""), try graph("surfaces: {\(keys)}"))
    #expect(GraphDifference(from: without, to: with).changes.map(\.kind) == [.added])
    #expect(GraphDifference(from: with, to: without).changes.map(\.kind) == [.gone])
  }

  @Test("programs of classes and permissions are told under their own")
  func programWords() throws {
    let difference = GraphDifference(
      from: try graph("tower: {classes: {phone: [a, b]}}\npermissions: {denied: [c]}"),
      to: try graph("tower: {classes: {phone: [b], alarm: [a]}}\npermissions: {granted: [c]}"),
    )
    let values = difference.changes.flatMap { change -> [GraphChange.Value] in
      if case .changed(let values) = change.kind { values } else { [] }
    }
    let expected: [GraphChange.Value] = [
      .init("classes.phone", from: "[a, b]", to: "[b]"),
      .init("classes.alarm", from: nil, to: "[a]"), .init("denied", from: "[c]", to: nil),
      .init("granted", from: nil, to: "[c]"),
    ]
    #expect(values.count == expected.count && expected.allSatisfy(values.contains), "\(values)")
  }

  @Test("faults are told in the order of their places, and those of one place as they were found")
  func order() {
    let log = DiagnosticLog(file: "g.yaml", text: "a\nb\nc\n")
    #expect(log.errors == nil && log.count == 0)
    let places = [(3, 1), (1, 1), (2, 1), (1, 1), (2, 1), (1, 1)]
    for (index, (line, column)) in places.enumerated() {
      log.error(at: SourcePosition(line: line, column: column), "\(index)")
    }
    #expect(log.errors?.diagnostics.map(\.message) == ["1", "3", "5", "2", "4", "0"])
    #expect(log.count == places.count)
  }

  @Test("an expression tells its groups where it captures")
  func groups() throws {
    #expect(try CompiledExpression("(a)(b)").groups == 0)
    #expect(try CompiledExpression("(a)(b)", isCapturing: true).groups == 2)
    #expect(try CompiledExpression("a", isCapturing: true).groups == 0)
    let captures = { try CompiledExpression("(a)?(b)(c?)", isCapturing: true).captures(in: $0) }
    #expect(try captures("b") == ["", "b", ""] && captures("abc") == ["a", "b", "c"])
    #expect(try captures("c") == nil)
  }

  @Test("the keys of an app's session are those of its event, whatever else is written there")
  func openedSession() {
    func found(_ keys: String) -> [String] {
      faultsOfEvents("multiroute: 1\nevents:\n- {at: 1 s, open: a, preset: player\(keys)}\n")
    }
    #expect(found("").isEmpty)
    #expect(found(", [x]: 1").count == 1)
    #expect(found(", presett: 1").count == 1)
  }

  private func faultsOfEvents(_ text: String) -> [String] {
    do {
      _ = try EventScript.parse(text, path: "e.yaml")
      return []
    } catch {
      return error.diagnostics.map(\.message)
    }
  }

  @Test("a mapping file is looked for beside the graph, then among the controllers beside it")
  func mappingFiles() throws {
    func file(_ device: String) -> String {
      "multiroute: 1\ndevice: \(device)\nmap: [{control: cc 1/1, parameter: /strip/beep/gain}]\n"
    }
    let folder = try PolicyFolder([
      "near.yaml": file("Near"), "controllers/near.yaml": file("Far"),
      "controllers/far.yaml": file("Far"),
    ])
    func controller(_ name: String) throws -> GraphFile.Controller? {
      try GraphFile.parse(
        Marked.soundGraph + "controls: {midi: {box: {mapping: \(name)}}}\n",
        path: "\(folder.path)/g.yaml",
        files: .everythingExists,
      ).controllers.first
    }
    #expect(try controller("near.yaml")?.device.matches("Near") == true)
    #expect(try controller("far.yaml")?.device.matches("Far") == true)
    #expect {
      try controller("none.yaml")
    } throws: { error in
      "\(error)".contains("none.yaml") && !"\(error)".contains("controllers/none.yaml")
    }
  }
}
