// SPDX-License-Identifier: MIT

import Foundation
import Sessions
import Testing

@testable import GraphFiles

/// A folder with a graph and policy files, which goes with the test.
final class PolicyFolder {
  let path: String

  init(_ files: [String: String]) throws {
    path = NSTemporaryDirectory() + "multiroute-policies-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files {
      let file = URL(fileURLWithPath: "\(path)/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true,
      )
      try Data(text.utf8).write(to: file)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The graph file `g.yaml`.
  func graph() throws -> GraphFile { try GraphFile.load(path: "\(path)/g.yaml") }

  /// The faults of `g.yaml`, without the folder.
  func faults() -> [String] {
    do {
      _ = try GraphFile.load(path: "\(path)/g.yaml")
      return []
    } catch {
      return error.diagnostics.map { $0.description.replacing("\(path)/", with: "") }
    }
  }
}

@Suite("Included policy files")
struct IncludeTests {
  @Test(
    "own values win, then those of the files in their order, each before the files that it includes"
  )
  func order() throws {
    let folder = try PolicyFolder([
      "g.yaml": """
      multiroute: 1
      include: [a.yaml, b.yaml]
      tower: {fade: 1 ms, classes: {phone: [x]}}
      permissions: {denied: [p]}
      adopt: [{client: own, leave: true}]
      """,
      "a.yaml": """
      multiroute: 1
      include: [deep/c.yaml]
      tower: {fade: 2 ms, duck: {gain: -2 dB}, classes: {alarm: [x, y]}}
      adopt: [{client: a, leave: true}]
      """,
      "deep/c.yaml": """
      multiroute: 1
      tower: {silentAfter: 3 s, duck: {gain: -3 dB, ramp: 3 ms}, classes: {assistant: [x, y, z]}}
      permissions: {default: granted, granted: [p, q]}
      adopt: [{client: c, leave: true}]
      """,
      "b.yaml": """
      multiroute: 1
      tower: {duck: {ramp: 4 ms, restore: 4 ms}}
      permissions: {default: denied}
      adopt: [{client: b, leave: true}]
      """,
    ])
    let graph = try folder.graph()
    #expect(graph.tower.fadeDuration == .milliseconds(1))
    #expect(graph.tower.silentAfterDuration == .seconds(3))
    #expect(graph.tower.duck.gainDB == -2)
    #expect(graph.tower.duck.rampDuration == .milliseconds(3))
    #expect(graph.tower.duck.restoreDuration == .milliseconds(4))
    #expect(graph.tower.classes == ["x": .phone, "y": .alarm, "z": .assistant])
    #expect(graph.permissions?.standard == .granted)
    #expect(graph.permissions?.programs == ["p": .denied, "q": .granted])
    #expect(
      graph.adoptions.map(\.client)
        == ["own", "a", "c", "b"].map { GraphFile.NameSelector.name($0) }
    )
    #expect(
      graph.files.map { $0.replacing("\(folder.path)/", with: "") }
        == ["g.yaml", "a.yaml", "deep/c.yaml", "b.yaml"]
    )
  }

  @Test("of the rules for every client the graph's own counts, and stands last")
  func defaults() throws {
    let folder = try PolicyFolder([
      "g.yaml": """
      multiroute: 1
      include: [a.yaml, b.yaml]
      adopt: [{client: own, leave: true}, {session: {preset: game}}]
      """,
      "a.yaml": "multiroute: 1\nadopt: [{client: a, leave: true}, {session: {preset: player}}]\n",
      "b.yaml": "multiroute: 1\nadopt: [{client: b, leave: true}, {leave: true}]\n",
    ])
    let rules = try folder.graph().adoptions
    #expect(rules.map(\.isDefault) == [false, false, false, true])
    #expect(rules.last?.session?.preset == .game)
  }

  @Test("a file that two others include is read once")
  func diamond() throws {
    let folder = try PolicyFolder([
      "g.yaml": "multiroute: 1\ninclude: [a.yaml, b.yaml]\n",
      "a.yaml": "multiroute: 1\ninclude: [c.yaml]\n",
      "b.yaml": "multiroute: 1\ninclude: [./c.yaml]\n",
      "c.yaml": "multiroute: 1\nadopt: [{client: c, leave: true}]\n",
    ])
    #expect(try folder.graph().adoptions.count == 1)
    #expect(try folder.graph().policyPaths.count == 3)
  }

  @Test(
    "a name without a file beside the graph is a shipped policy; a file of that name counts more"
  )
  func shipped() throws {
    let kiosk = try GraphFile.parse("multiroute: 1\ninclude: [kiosk]\n", path: "/tmp/none/g.yaml")
    #expect(kiosk.permissions?.standard == .denied)
    #expect(kiosk.policyPaths == [ShippedGraphs.path("policies/kiosk")])
    let own = try PolicyFolder([
      "g.yaml": "multiroute: 1\ninclude: [kiosk]\n", "kiosk": "multiroute: 1\n",
    ])
    #expect(try own.graph().permissions == nil)
  }

  @Test("shipped policies are found beside the program: in its checkout, or where it is installed")
  func places() throws {
    let folder = try PolicyFolder([
      "graphs/policies/shop.yaml": "multiroute: 1\n", "share/multiroute/policies/bus.yaml": "",
    ])
    let built = ShippedPolicies(program: "\(folder.path)/.build/release/multiroute")
    #expect(built.names == ["shop"])
    let installed = ShippedPolicies(program: "\(folder.path)/bin/multiroute")
    #expect(installed.path(of: "bus") == "\(folder.path)/share/multiroute/policies/bus.yaml")
    #expect(installed.path(of: "../bus") == nil)
    #expect(ShippedPolicies(program: "/none/bin/multiroute").folder == nil)
  }

  static let faulty: [(files: [String: String], faults: [String])] = [
    (
      ["g.yaml": "multiroute: 1\ninclude: [kiosc]\n"],
      [
        "g.yaml:2:11: error: include: 'kiosc' is neither a file beside g.yaml nor a shipped policy (did you mean 'kiosk'?)"
      ]
    ),
    (
      ["g.yaml": "multiroute: 1\ninclude: [a.yaml]\n"],
      ["g.yaml:2:11: error: include: 'a.yaml': the file cannot be read: no such file or directory"]
    ),
    (
      [
        "g.yaml": "multiroute: 1\nname: x\ninclude: [a.yaml]\n",
        "a.yaml": "multiroute: 1\ntower: {fade: 11 s}\nroutes: {}\n",
      ],
      [
        "a.yaml:2:15: error: fade: '11 s' is out of range; allowed: 0 ms … 10 s (included by g.yaml:3)",
        "a.yaml:3:1: error: policy file: unknown key 'routes'; keys: multiroute, include, tower, permissions, adopt (included by g.yaml:3)",
      ]
    ),
    (
      [
        "g.yaml": "multiroute: 1\ninclude: [a.yaml]\n",
        "a.yaml": "multiroute: 1\ninclude:\n- b.yaml\n",
        "b.yaml": "multiroute: 1\ninclude:\n\n- g.yaml\n",
      ],
      [
        "b.yaml:4:3: error: include: 'g.yaml' includes itself; remove one 'include' (included by a.yaml:3)"
      ]
    ),
    (
      ["g.yaml": "multiroute: 1\ninclude: [a.yaml]\n", "a.yaml": "tower: [\n"],
      ["a.yaml:2:1: error:"]
    ),
    (
      ["g.yaml": "multiroute: 1\ninclude: [a.yaml]\n", "a.yaml": "tower: {}\n"],
      [
        "a.yaml:1:1: error: policy file: the key 'multiroute' is missing; write 'multiroute: 1' (included by g.yaml:2)"
      ]
    ),
    (
      [
        "g.yaml": "multiroute: 1\ninclude: [a.yaml]\n",
        "a.yaml":
          "multiroute: 1\nadopt:\n- {session: {preset: game}}\n- {client: x, session: {preset: game}, routes: [hall]}\n",
      ],
      [
        "a.yaml:3:3: error: adoption: it has neither 'client' nor 'executable', so it matches every client; write it last (included by g.yaml:2)",
        "a.yaml:4:49: error: routes: there is no output route 'hall'; the graph has none (included by g.yaml:2)",
      ]
    ),
    (
      ["g.yaml": "multiroute: 1\ninclude: kiosk\n"],
      [
        "g.yaml:2:10: error: include: a single value where a list of policy files, such as [kiosk] is needed"
      ]
    ),
  ]

  @Test(
    "each fault is told with its file, line and column, and the line that includes the file",
    arguments: faulty.indices
  )
  func faults(index: Int) throws {
    let (files, expected) = Self.faulty[index]
    let found = try PolicyFolder(files).faults()
    #expect(found.count == expected.count, "\(found)")
    for (fault, start) in zip(found, expected) { #expect(fault.hasPrefix(start), "\(fault)") }
  }

  @Test("files too deep or too many are refused")
  func limits() throws {
    var deep = ["g.yaml": "multiroute: 1\ninclude: [p1.yaml]\n"]
    for number in 1...10 {
      deep["p\(number).yaml"] = "multiroute: 1\ninclude: [p\(number + 1).yaml]\n"
    }
    #expect(
      try PolicyFolder(deep).faults() == [
        "p8.yaml:2:11: error: include: policy files more than 8 deep; include fewer inside each other (included by p7.yaml:2)"
      ]
    )
    var wide = ["g.yaml": "multiroute: 1\ninclude: [a.yaml, b.yaml]\n"]
    for name in ["a", "b"] {
      let list = (1...20).map { "\(name)\($0).yaml" }
      wide["\(name).yaml"] = "multiroute: 1\ninclude: [\(list.joined(separator: ", "))]\n"
      for file in list { wide[file] = "multiroute: 1\n" }
    }
    let faults = try PolicyFolder(wide).faults()
    #expect(faults.count == 10)
    #expect(faults.allSatisfy { $0.contains("more than 32 policy files; join some of them") })
  }

  @Test("values that were set by hand are saved in the graph itself")
  func saving() throws {
    let folder = try PolicyFolder([
      "g.yaml": """
      multiroute: 1
      include: [a.yaml] # ours
      routes: {main: {type: lineOut, ports: ["system:playback_1"]}}
      sources: {beep: {tone: {}}}
      mix: [{from: beep, to: main}]
      """,
      "a.yaml": "multiroute: 1\ntower: {fade: 2 ms}\nadopt: [{client: a, leave: true}]\n",
    ])
    let text = try GraphFile.text(ofFile: "\(folder.path)/g.yaml")
    let edit = try #require(GraphEdit(path: ["sources", "beep", "gain"], text: "-6 dB"))
    let revision = try GraphRevision(of: text, path: "\(folder.path)/g.yaml", edits: [edit])
    #expect(revision.made == [edit])
    #expect(revision.text.contains("include: [a.yaml] # ours"))
    #expect(revision.text.contains("gain: -6 dB"))
  }

  @Test("each shipped policy is a file without faults", arguments: ShippedPolicies().names)
  func policies(name: String) throws {
    let path = try #require(ShippedPolicies().path(of: name))
    let graph = try GraphFile.load(path: path)
    #expect(!graph.adoptions.isEmpty)
    let head = try GraphFile.text(ofFile: path).split(separator: "\n").prefix(6)
    #expect(head.first?.hasPrefix("# For ") == true)
    #expect(
      head.contains { $0.contains("multiroute rehearse graphs/policies/\(name).yaml --events ") }
    )
    #expect(ShippedPolicies().names == ["car", "dj", "kiosk", "studio"])
  }
}
