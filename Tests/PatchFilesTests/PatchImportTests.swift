// SPDX-License-Identifier: MIT

import GraphFiles
import TestSupport
import Testing

@testable import PatchFiles

/// Files of other programs as graphs.
struct PatchImportTests {
  static let patchbay = """
    <!DOCTYPE patchbay>
    <patchbay version="0.9.9" name="studio">
     <output-sockets>
      <socket client="metro" name="Metro" exclusive="off" type="jack-audio">
       <plug>[\\d]+_bpm</plug>
       <plug>spare</plug>
      </socket>
      <socket client="a2j|b" name="Keys" exclusive="on" type="jack-midi">
       <plug>out\\.1</plug>
      </socket>
      <socket client="Midi" name="Old" exclusive="off" type="alsa-midi"><plug>x</plug></socket>
     </output-sockets>
     <input-sockets>
      <socket client="system" name="Card" exclusive="on" type="jack-audio" forward="Other">
       <plug>playback_1</plug>
      </socket>
      <socket client="synth" name="Synth" exclusive="off" type="jack-midi"><plug>(?=x)</plug><plug>y</plug></socket>
      <socket client="synth" name="Synth 2" exclusive="off" type="jack-midi"><plug>in &amp; out</plug></socket>
      <socket client="Synth" name="Old" exclusive="off" type="alsa-midi"><plug>y</plug></socket>
     </input-sockets>
     <slots><slot name="s" mode="open"/></slots>
     <cables>
      <cable type="jack-audio" output="Metro" input="Card"/>
      <cable type="jack-midi" output="Keys" input="Synth"/>
      <cable type="jack-midi" output="Keys" input="Synth 2"/>
      <cable type="alsa-midi" output="Old" input="Old"/>
      <cable type="jack-audio" output="Metro" input="Nobody"/>
     </cables>
    </patchbay>
    """

  @Test func `a patch bay of qjackctl becomes rules plug by plug, and the rest is told by line`()
    throws
  {
    let imported = try PatchImport(Array(Self.patchbay.utf8))
    #expect(imported.format == .qjackctl)
    #expect(
      imported.rules.map(\.text) == [
        #"{connect: '/metro:[\d]+_bpm/', to: 'system:playback_1', keep: always, exclusive: destination}"#,
        #"{connect: '/(a2j|b):out\.1/', to: 'synth:in & out', keep: always, exclusive: source}"#,
      ]
    )
    let notes = imported.notes.map { "\($0.line) \($0.message.prefix(24))" }
    #expect(
      notes
        == [
          "14 the socket 'Card' repeat",
          "21 the slot 's': qjackctl c",
          "6 the plug 'spare' has no ",
          "9 to: the pattern '/synth:", "17 the plug 'y' has no part",
          "26 the cable 'Old' → 'Old' ",
          "27 the cable 'Metro' → 'Nob",
        ].map { String($0) },
      "\(notes)",
    )
  }

  @Test func `a snapshot of aj-snapshot becomes rules by name`() throws {
    let text = """
      <?xml version="1.0" encoding="utf-8"?>
      <aj-snapshot>
      <alsa><client name="A"><port id="0" name="p"/></client></alsa>
      <jack>
        <client name="system"><port name="capture_1" /></client>
        <client name="My Synth">
          <port name="out: &quot;left&quot;"><connection port="system:playback_1" /></port>
          <port name="back\\slash"><connection port="system:playback_2" /><connection port="nowhere" /></port>
        </client>
      </jack>
      </aj-snapshot>
      """
    let imported = try PatchImport(Array(text.utf8))
    #expect(imported.format == .ajSnapshot)
    #expect(
      imported.rules.first == .init(.connect, #"My Synth:out: "left""#, to: "system:playback_1")
    )
    #expect(imported.rules.count == 2)
    #expect(imported.rules.last?.matches("My Synth:back\\slash", to: "system:playback_2") == true)
    #expect(imported.notes.map(\.line) == [3, 8])
  }

  static let items = """
    <!DOCTYPE patchbay>
    <patchbay name="studio" version="0.7.5">
     <items>
      <item node-type="pipewire" port-type="pipewire-audio">
       <output node="Scarlett Solo Input 1 Mic" port="Scarlett Solo USB:capture_MONO"/>
       <input node="Calf Studio Gear" port="Calf Studio Gear:Reverb In #2"/>
      </item>
      <item node-type="pipewire" port-type="pipewire-midi">
       <output node="keys\\x" port="out"/>
       <input node="synth" port="synth:in: left"/>
      </item>
      <item node-type="pipewire" port-type="pipewire-audio">
       <input node="Calf Studio Gear" port="Calf Studio Gear:Reverb In #2"/>
       <output node="Scarlett Solo Input 1 Mic" port="Scarlett Solo USB:capture_MONO"/>
      </item>
      <item node-type="alsa" port-type="alsa-midi">
       <output node="Midi Through" port="Midi Through Port-0"/><input node="FLUID Synth" port="in"/>
      </item>
      <item node-type="pipewire" port-type="pipewire-video">
       <output node="camera" port="camera:out"/><input node="viewer" port="viewer:in"/>
      </item>
      <item node-type="pipewire" port-type="pipewire-audio"><output node="a" port="a:"/></item>
      <item/>
     </items>
    </patchbay>
    """

  @Test func `a patch bay of qpwgraph becomes rules by name, and the rest is told by line`() throws
  {
    let imported = try PatchImport(Array(Self.items.utf8))
    #expect(imported.format == .qpwgraph)
    #expect(
      imported.rules.map(\.text) == [
        "{connect: 'Scarlett Solo Input 1 Mic:capture_MONO', to: 'Calf Studio Gear:Reverb In #2', keep: always}",
        #"{connect: '/keys\\x:out/', to: 'synth:in: left', keep: always}"#,
      ]
    )
    #expect(imported.notes.map(\.line) == [16, 19, 22, 23])
    let text = imported.graphText(source: "studio.qpwgraph")
    #expect(try GraphFile.parse(text, path: "p.yaml").patches == imported.rules)
    #expect(text.hasPrefix("# Connections of studio.qpwgraph, a file of qpwgraph.\n"))
    // One without connections is one of qpwgraph, too.
    let empty = try PatchImport(Array("<patchbay name='x'><items/></patchbay>".utf8))
    #expect(empty.format == .qpwgraph && empty.rules.isEmpty)
  }

  @Test func `the graph of a file is valid, and has the rules`() throws {
    let imported = try PatchImport(Array(Self.patchbay.utf8))
    let text = imported.graphText(source: "studio\n.xml")
    let graph = try GraphFile.parse(text, path: "p.yaml")
    #expect(graph.patches == imported.rules)
    #expect(text.contains("# Left out, line 27: the cable 'Metro' → 'Nobody'"))
  }

  static let hostile: [(name: String, bytes: [UInt8], message: String)] = [
    ("empty", [], "not XML"),
    ("no XML", Array("<patchbay".utf8), "not XML"),
    ("no UTF-8", Array("<patchbay name=\"".utf8) + [0xFF, 0xFE] + Array("\"/>".utf8), "not UTF-8"),
    ("another root", Array("<html/>".utf8), "known are <patchbay>"),
    (
      "an entity bomb",
      Array(
        """
        <?xml version="1.0"?><!DOCTYPE patchbay [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
        <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;">]><patchbay>&d;</patchbay>
        """.utf8
      ), "declares entities"
    ),
    (
      "an external entity",
      Array(
        "<!DOCTYPE patchbay [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><patchbay>&x;</patchbay>"
          .utf8
      ), "declares entities"
    ),
    (
      "deep",
      Array((String(repeating: "<patchbay>", count: 5_000)).utf8), "more than 16 deep"
    ),
    (
      "wide",
      Array(("<patchbay>" + String(repeating: "<x/>", count: 60_000) + "</patchbay>").utf8),
      "more than 50000 elements"
    ),
    ("large", Array(repeating: UInt8(ascii: " "), count: (4 << 20) + 1), "more than 4 MiB"),
    ("cut off", Array(patchbay.utf8.prefix(700)), "not XML"),
  ]

  @Test(arguments: hostile.indices)
  func `a hostile file is one error`(index: Int) {
    let (name, bytes, message) = Self.hostile[index]
    #expect(throws: PatchFileFault.self, "\(name)") {
      do throws(PatchFileFault) {
        _ = try PatchImport(bytes)
      } catch {
        #expect(error.message.contains(message) && error.line >= 1, "\(name): \(error)")
        throw error
      }
    }
  }

  /// YAML takes some of these for the end of a line, and does not allow the others.
  @Test(arguments: ["\u{7F}", "\u{85}", "\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}"])
  func `a foreign file's names stay comments and names`(sign: String) throws {
    let names = [
      "Metro", "Keys", "Card", "Other", "Synth", "Nobody", "spare", "playback_1", "metro", "studio",
      "\"s\"", "Old",
    ]
    var count = 0
    for name in names {
      let hostile = name.hasSuffix("\"") ? "\"s\(sign)name: evil\"" : name + sign + "name: evil"
      let bytes = Array(Self.patchbay.replacing(name, with: hostile).utf8)
      guard let imported = try? PatchImport(bytes) else { continue }
      let text = imported.graphText(source: "x\(sign)name: evil")
      let graph = try GraphFile.parse(text, path: "p.yaml")
      count += 1
      #expect(graph.name != "evil" && graph.patches == imported.rules, "\(name): \(text)")
    }
    #expect(count == names.count)
  }

  @Test func `a file with any byte changed, or cut off anywhere, is an error or a graph`() {
    var random = TestSeed.random()
    for round in 0..<1_000 {
      let bytes = Array((round < 500 ? Self.patchbay : Self.items).utf8)
      var changed = bytes
      if round % 2 == 0 {
        changed[Int.random(in: bytes.indices, using: &random)] = .random(
          in: 0...255,
          using: &random
        )
      } else {
        changed = Array(bytes.prefix(.random(in: bytes.indices, using: &random)))
      }
      guard let imported = try? PatchImport(changed) else { continue }
      let text = imported.graphText(source: "x")
      #expect(throws: Never.self, "\(text)") { try GraphFile.parse(text, path: "p.yaml") }
    }
  }
}
