// SPDX-License-Identifier: MIT

import InterAppAudio
import NodeKit
import Testing

@Suite struct NodeFileTests {
  private static let good = """
    node: 1
    kind: effect
    name: Reverb
    subtype: rvrb
    manufacturer: test
    version: 1.2.3
    icon: audio-x-generic
    client: jalv-reverb
    command: [jalv, -n, jalv-reverb, "http://example.org/reverb"]
    audioInputs: [in_1, in_2]
    """

  @Test("IAA-2: a node file declares a program that is not running")
  func declares() throws {
    let folder = try NodeFolder()
    try folder.write(Self.good, to: "reverb.node.yaml")
    try folder.write("not a node file", to: "other.yaml")
    let (nodes, faults) = folder.folders.read()
    #expect(faults.isEmpty)
    let node = try #require(nodes.first)
    #expect(nodes.count == 1)
    #expect(node.description.kind == .effect)
    #expect(node.description.subtype == "rvrb")
    #expect(node.description.version == 0x1_0203)
    #expect(node.description.versionText == "1.2.3")
    #expect(node.description.ports.audioInputs == ["in_1", "in_2"])
    #expect(node.client == "jalv-reverb")
    #expect(node.command.count == 4)
    #expect(node.lossPolicy == .stay)
    #expect(!node.node.isRunning)
  }

  @Test("IAA-2: shipped nodes need no file, and a file for one's client takes its place")
  func shipped() throws {
    let nodes = ShippedNode.allCases.compactMap { $0.installed(in: "/opt/multiroute") }
    #expect(nodes.map(\.client) == ["synth", "delay", "equalizer", "gate"])
    #expect(nodes[1].command == ["/opt/multiroute", "node", "run", "delay", "--on-loss=stop"])
    #expect(nodes[1].description.ports.audioInputs == ["in_1", "in_2"])
    let folder = try NodeFolder(shipped: nodes)
    #expect(folder.folders.read().nodes == nodes)
    try folder.write(
      Self.good.replacing("client: jalv-reverb", with: "client: delay"),
      to: "mine.node.yaml",
    )
    let read = folder.folders.read().nodes
    #expect(read.map(\.client).sorted() == ["delay", "equalizer", "gate", "synth"])
    #expect(read.first { $0.client == "delay" }?.command.first == "jalv")
  }

  @Test(arguments: [
    ("kind: effect", "kind: reverb", ":2: error: kind: must be one of: generator, instrument"),
    ("subtype: rvrb", "subtype: reverb", ":4: error: subtype: must have exactly four"),
    ("version: 1.2.3", "version: 1.999", ":6: error: version: must be like 1.0.0"),
    ("icon: audio-x-generic", "icno: x", ":7: error: unknown key 'icno'; keys: node, kind"),
    ("audioInputs: [in_1, in_2]", "audioInputs: in_1", ":10: error: audioInputs: a list"),
    ("name: Reverb", "", ": error: name: the key is missing"),
    ("icon: audio-x-generic", "onLoss: leave", ":7: error: onLoss: must be stop or stay"),
    ("icon: audio-x-generic", "environment: {1A: b}", ":7: error: environment: a mapping of names"),
    (
      "icon: audio-x-generic", "environment: LD_PRELOAD",
      ":7: error: environment: a mapping of names"
    ),
    ("icon: audio-x-generic", "session: mine", ":7: error: session: must be own or held"),
    ("node: 1", "node: 2", ":1: error: node: the format version must be 1"),
    ("version: 1.2.3", "name: Delay", ":6: error: the key 'name' is there twice; keep one of them"),
    ("name: Reverb", "name: !!str Reverb", ":3: error: a value with a tag; the file has no tags"),
  ])
  func `a faulty file is reported with file, line and the allowed values`(
    _ replaced: String,
    _ by: String,
    _ message: String,
  ) throws {
    let folder = try NodeFolder()
    try folder.write(Self.good.replacing(replaced, with: by), to: "bad.node.yaml")
    let (nodes, faults) = folder.folders.read()
    #expect(nodes.isEmpty)
    let fault = try #require(faults.first)
    #expect(fault.description.contains("bad.node.yaml" + message), "\(fault)")
  }

  @Test func `a node file adds variables to the environment of its program`() throws {
    let folder = try NodeFolder()
    try folder.write(
      Self.good + "\nenvironment: {LD_PRELOAD: /opt/trace.so, EMPTY: ''}\n",
      to: "reverb.node.yaml",
    )
    let node = try #require(folder.folders.read().nodes.first)
    #expect(node.environment == ["LD_PRELOAD": "/opt/trace.so", "EMPTY": ""])
    #expect(node.node.environment == node.environment)
  }

  @Test("IAA-4, IAA-8: a node file holds a session for its program, and has the background flag")
  func heldSession() throws {
    let folder = try NodeFolder()
    let held = Self.good + "\nsession: held\nbackgroundAudio: true\n"
    for (name, text) in [("A", held), ("B", Self.good)] {
      try folder.write(text.replacing("Reverb", with: name), to: "\(name).node.yaml")
    }
    let nodes = folder.folders.read().nodes
    #expect(nodes.map(\.description.isSessionActive) == [true, false])
    #expect(nodes.map(\.description.hasBackgroundAudio) == [true, false])
    let host = HostDescription(name: "h")
    #expect(throws: Never.self) { try host.checkAccess(to: nodes[0].node) }
    #expect(throws: InterAppAudioError.self) { try host.checkAccess(to: nodes[1].node) }
  }

  @Test("IAA-2: the list is sorted by last use, and wildcards match any value")
  func sorted() throws {
    let folder = try NodeFolder()
    for (name, kind) in [("A", "effect"), ("B", "instrument"), ("C", "effect")] {
      let text = Self.good.replacing("Reverb", with: name).replacing("effect", with: kind)
      try folder.write(text, to: "\(name).node.yaml")
    }
    let installed = folder.folders.read().nodes
    func names(_ wanted: AudioComponentDescription = AudioComponentDescription()) -> [String] {
      NodeList.make(
        running: [],
        installed: installed,
        lastUse: folder.folders.lastUse(),
        finding: wanted,
      ).map(\.name)
    }
    #expect(names() == ["A", "B", "C"])
    let last = try #require(installed.first { $0.description.name == "C" })
    folder.folders.noteUse(of: last.description)
    #expect(names() == ["C", "A", "B"])
    #expect(names(AudioComponentDescription(componentType: "auri")) == ["B"])
    #expect(names(AudioComponentDescription(componentManufacturer: "none")) == [])
  }

  @Test("IAA-3, IAA-4: an error names the missing condition and its place")
  func access() throws {
    var said = NodeDescription(kind: .effect, subtype: "a   ", manufacturer: "b   ", name: "fx")
    var host = HostDescription(name: "h")
    func message() -> String? {
      do throws(InterAppAudioError) {
        try host.checkAccess(to: Node(description: said))
        return nil
      } catch {
        #expect(error.code == .notPermitted)
        #expect(error.code.rawValue == -66_748)
        return error.message
      }
    }
    #expect(message() == "IAA-4: node 'fx' takes the host's audio and its session is not active")
    said.isSessionActive = true
    #expect(message() == nil)
    said.hasEntitlement = false
    #expect(message() == "IAA-3: node 'fx' lacks the inter-app-audio entitlement")
    host.mixesWithOthers = false
    #expect(message()?.contains("the session of host 'h' lacks mixWithOthers") == true)
    said.hasEntitlement = true
    host.mixesWithOthers = true
    host.isSessionActive = false
    #expect(message() == "IAA-4: the session of host 'h' is not active")
    host.isSessionActive = true
    said.kind = .instrument
    said.isSessionActive = false
    #expect(message() == nil)
    said.usesSystemAudio = true
    #expect(message() == "IAA-4: node 'fx' uses system audio and its session is not active")
    said.isSessionActive = true
    #expect(message() == nil)
  }
}
