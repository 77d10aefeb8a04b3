// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import FoundationXML
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// Patch rules between programs that have nothing to do with the host, and files of aj-snapshot and qjackctl, with the real programs.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct PatchFileTests {
  private static let rules = #"""
    multiroute: 1
    server: {start: never}
    patches:
      - {connect: '/synth:out_(\d)/', to: 'system:playback_\1'}
      - {connect: "keys:out", to: "rec:in", keep: always, exclusive: destination}
      - {deny: /.*/, to: system:playback_4}

    """#

  @Test(.jackServer(channels: 4))
  func `rules connect, keep and deny, and connect is refused with the line of the rule`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let programs = try PatchPrograms(server: server)
    try programs.start("synth", outputs: ["out_1", "out_4"])
    let host = try await HostProcess.running(
      graph: try scratch.write(Self.rules, to: "rules.yaml"),
      server: server,
      in: scratch,
    )
    try await programs.wait("synth:out_1", for: ["system:playback_1"])
    #expect(try programs.connections(of: "synth:out_4") == [])
    try programs.start("keys", outputs: ["out"])
    try programs.start("rec", inputs: ["in"])
    try await programs.wait("rec:in", for: ["keys:out"])
    // Exclusive: a newcomer is cut; keep: what is taken away comes again.
    try programs.connect("synth:out_1", "rec:in")
    try await programs.wait("rec:in", for: ["keys:out"])
    try programs.disconnect("keys:out", "rec:in")
    try await programs.wait("rec:in", for: ["keys:out"])
    // Without 'keep' a connection stays away until its port appears.
    try programs.disconnect("synth:out_1", "system:playback_1")
    try programs.connect("synth:out_4", "system:playback_4")
    try await programs.wait("synth:out_4", for: [])
    #expect(try programs.connections(of: "synth:out_1") == [])
    programs.stop("synth")
    try programs.start("synth", outputs: ["out_1"])
    try await programs.wait("synth:out_1", for: ["system:playback_1"])

    let refused = try await Multiroute.run(
      ["connect", "--server", server, "synth:out_1", "system:playback_4"],
      in: scratch,
    )
    #expect(refused.end == .code(77), "\(refused)")
    #expect(refused.standardError.contains("the patch rule in line 6"), "\(refused)")
    #expect(try programs.connections(of: "synth:out_1") == ["system:playback_1"])
    let why = try await Multiroute.run("why", "keys", "--host", host.name, in: scratch)
    #expect(
      why.standardOutput.contains(
        "keys: keys:out → rec:in is connected by the patch rule in line 5"
      ),
      "\(why)",
    )
    let exported = try await Multiroute.run(
      ["export", "--host", host.name, "--format", "aj-snapshot"],
      in: scratch,
    )
    let names = try XMLDocument(xmlString: exported.standardOutput)
      .nodes(forXPath: "//connection/@port").compactMap(\.stringValue)
    #expect(names.sorted() == ["rec:in", "system:playback_1"], "\(exported)")
    let status = try await host.status()
    #expect(status.patchRules.map(\.connections) == [1, 1, 0])
    #expect(status.patchRules[1].cuts == 1 && status.patchRules[2].cuts >= 1)
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer(channels: 4))
  func `a snapshot of aj-snapshot is restored by a host, and a host's rules by aj-snapshot`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let programs = try PatchPrograms(server: server)
    func startAll() throws {
      try programs.start("my synth", outputs: ["left", "right"])
      try programs.start("rec", inputs: ["in 1"])
    }
    func snapshot(_ words: String...) async throws {
      let child = try Child(
        "aj-snapshot",
        ["-j", "-q"] + words,
        environment: ["JACK_DEFAULT_SERVER": server],
        in: scratch,
      )
      _ = try await child.waitForEnd()
    }
    try startAll()
    try programs.connect("my synth:left", "system:playback_2")
    try programs.connect("my synth:left", "rec:in 1")
    try programs.connect("my synth:right", "system:playback_1")
    try await snapshot("\(scratch.path)/snap.xml")
    for name in ["my synth", "rec"] { programs.stop(name) }

    let imported = try await Multiroute.run(
      ["import", "\(scratch.path)/snap.xml", "--output", "\(scratch.path)/snap.yaml"],
      in: scratch,
    )
    #expect(imported.end == .code(0), "\(imported)")
    #expect(imported.standardOutput.contains("3 rules of aj-snapshot"), "\(imported)")
    let check = try await Multiroute.run("check", "\(scratch.path)/snap.yaml", in: scratch)
    #expect(check.end == .code(0), "\(check)")
    let host = try await HostProcess.running(
      graph: "\(scratch.path)/snap.yaml",
      server: server,
      in: scratch,
    )
    try startAll()
    let left = ["rec:in 1", "system:playback_2"]
    try await programs.wait("my synth:left", for: left)
    try await programs.wait("my synth:right", for: ["system:playback_1"])
    #expect(try await host.stop() == .code(0))

    let exported = try await Multiroute.run(
      [
        "export", "\(scratch.path)/snap.yaml", "--format", "aj-snapshot", "-o",
        "\(scratch.path)/again.xml",
      ],
      in: scratch,
    )
    #expect(exported.end == .code(0), "\(exported)")
    for name in ["my synth", "rec"] { programs.stop(name) }
    try startAll()
    #expect(try programs.connections(of: "my synth:left") == [])
    try await snapshot("-r", "\(scratch.path)/again.xml")
    try await programs.wait("my synth:left", for: left)
    try await programs.wait("my synth:right", for: ["system:playback_1"])
  }

  @Test(.jackServer(channels: 4))
  func `connections made and removed by hand are saved, and are those of a fresh host`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let programs = try PatchPrograms(server: server)
    let text = """
      # The room.
      multiroute: 1
      server: {start: never}
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]} # both
      patches:
        - {connect: "synth:out_1", to: system:playback_3} # beside the host

      """
    let graph = try scratch.write(text, to: "hand.yaml")
    func startAll() throws {
      try programs.start("synth", outputs: ["out_1", "out_2"])
      try programs.start("rec", inputs: ["in"])
    }
    try startAll()
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    try await programs.wait("synth:out_1", for: ["system:playback_3"])
    try await programs.wait(host.port("main_out_1"), for: ["system:playback_1"])
    try programs.connect("synth:out_2", "rec:in")
    try programs.connect(host.port("main_out_2"), "rec:in")
    try programs.disconnect("synth:out_1", "system:playback_3")
    try programs.disconnect(host.port("main_out_1"), "system:playback_1")
    // The reason of a disconnection is in doubt for a second.
    try await waitUntil("the host knows the patches", within: .seconds(15)) {
      try await host.status().patches.count == 2
    }
    let saved = try await Multiroute.run("save", "--host", host.name, in: scratch)
    #expect(saved.end == .code(0) && saved.standardError.isEmpty, "\(saved)")
    let new = try String(contentsOfFile: graph, encoding: .utf8)
    #expect(new.hasPrefix(text.prefix { $0 != "-" }), "\(new)")
    #expect(try await host.stop() == .code(0))

    for name in ["synth", "rec"] { programs.stop(name) }
    let fresh = try await HostProcess.running(
      graph: graph,
      server: server,
      name: host.name,
      in: scratch,
    )
    try startAll()
    try await programs.wait("rec:in", for: ["synth:out_2", fresh.port("main_out_2")])
    try await programs.wait("system:playback_2", for: [fresh.port("main_out_2")])
    #expect(try programs.connections(of: "synth:out_1") == [])
    #expect(try programs.connections(of: fresh.port("main_out_1")) == [])
    #expect(try await fresh.stop() == .code(0))
  }

  @Test func `a faulty file is one error at its place, and no file is replaced`() async throws {
    let scratch = try Scratch()
    let file = try scratch.write(
      "<!DOCTYPE patchbay [<!ENTITY a \"b\">]>\n<patchbay>&a;</patchbay>",
      to: "x.xml"
    )
    let refused = try await Multiroute.run("import", file, in: scratch)
    #expect(refused.end == .code(65))
    #expect(refused.standardError.hasPrefix("\(file):1: error: the file declares entities"))
    #expect(refused.standardError.split(separator: "\n").count == 1, "\(refused)")
    let endless = try await Multiroute.run("import", "/dev/zero", in: scratch)
    #expect(endless.standardError.contains("more than 4 MiB"), "\(endless)")
    let empty = try scratch.write("<aj-snapshot><jack/></aj-snapshot>", to: "empty.xml")
    #expect(try await Multiroute.run("import", empty, in: scratch).end == .code(65))
    let good = try scratch.write(
      #"<aj-snapshot><jack><client name="a"><port name="o"><connection port="b:i"/></port></client></jack></aj-snapshot>"#,
      to: "good.xml",
    )
    let kept = try await Multiroute.run("import", good, "-o", file, in: scratch)
    #expect(kept.end == .code(73) && kept.standardError.contains("exists"), "\(kept)")
  }
}
