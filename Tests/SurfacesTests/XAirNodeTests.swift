// SPDX-License-Identifier: MIT

import ControlProtocol
import OSC
import TestSupport
import Testing

@testable import Surfaces

/// Nodes of the dialect, without a port.
@Suite
struct XAirNodeTests {
  /// The text of a node; nil for no answer.
  private static func node(_ path: String, of dialect: XAirDialect = XAirTests.dialect)
    -> String?
  {
    var dialect = dialect
    guard case .answers(let answers) = dialect.take(OSCMessage("/node", [.text(path)])),
      answers.count == 1, answers[0].path == "node", answers[0].values.count == 1
    else { return nil }
    return answers[0].values[0].text
  }

  @Test(arguments: [
    ("ch/01/config", #"/ch/01/config "deck a" 0 In01 U01"#),
    ("ch/01/preamp", "/ch/01/preamp +0.0 OFF OFF OFF 100"),
    ("ch/01/gate", "/ch/01/gate OFF GATE -80.0 60.0 1  502 983 SELF"),
    ("ch/01/gate/filter", "/ch/01/gate/filter OFF 3.0 990.9"),
    ("ch/01/dyn", "/ch/01/dyn OFF COMP PEAK LOG 0.0 3.0 1 0.00 10 10.0 151 100 SELF OFF"),
    ("ch/01/insert", "/ch/01/insert OFF OFF"), ("ch/01/eq", "/ch/01/eq ON"),
    ("ch/01/eq/1", "/ch/01/eq/1 PEQ 124.7 +0.00 2.0"),
    ("ch/01/eq/3", "/ch/01/eq/3 PEQ 1k97 +0.00 2.0"),
    ("ch/01/eq/4", "/ch/01/eq/4 HShv 10k02 +0.00 2.0"),
    ("ch/01/mix", "/ch/01/mix ON   0.0 ON +0"),
    ("ch/01/mix/01", "/ch/01/mix/01 -10.0 OFF POST +0"),
    ("ch/01/mix/02", "/ch/01/mix/02   -oo OFF POST"), ("ch/01/grp", "/ch/01/grp %0000 %0000"),
    ("ch/01/automix", "/ch/01/automix OFF  +0.0"), ("/ch/16/mix", "/ch/16/mix OFF   -oo OFF +0"),
    ("rtn/aux/config", #"/rtn/aux/config "" 2 U0102"#),
    ("bus/1/config", #"/bus/1/config "phones" 3"#), ("bus/1/mix", "/bus/1/mix ON -20.0 OFF +0"),
    ("bus/1/eq", "/bus/1/eq ON PEQ"), ("bus/1/eq/5", "/bus/1/eq/5 PEQ 5k02 +0.00 2.0"),
    ("fxsend/1/mix", "/fxsend/1/mix ON   0.0"),
    ("lr/dyn", "/lr/dyn OFF COMP PEAK LOG 0.0 3.0 1 0.00 10 10.0 151 100 OFF"),
    ("lr/mix", "/lr/mix ON   0.0 +0"),
    ("config/solo", "/config/solo   0.0 LRAFL 0.0 PFL PFL -20 OFF OFF OFF OFF"),
    ("config/linkcfg", "/config/linkcfg ON ON ON ON"), ("dca/1", "/dca/1 ON   0.0"),
    ("fx/1", "/fx/1 HALL OFF"), ("routing/main/02", "/routing/main/02 MON"),
    ("routing/aux/01", "/routing/aux/01 Bus1 POST"),
    ("routing/p16/01", "/routing/p16/01 Ch01 IN+M"), ("headamp/01", "/headamp/01 +0.0 OFF"),
    ("-prefs/name", #"/-prefs/name "stage""#), ("-snap/64", #"/-snap/64 """#),
  ])
  func `XA-8 a node has the text of a saved scene`(path: String, text: String) {
    #expect(Self.node(path) == text + "\n")
  }

  @Test func `XA-8 nodes that the mixer lacks are not answered`() {
    for path in ["", "/", "nothing", "ch/17/mix", "ch/01/mix/11", "ch", "node", "main/st"] {
      #expect(Self.node(path) == nil, "\(path)")
    }
  }

  @Test func `each node travels in one datagram, and sets itself to what it says`() {
    for path in XAirModel.nodes.keys {
      guard let text = Self.node(path) else {
        Issue.record("\(path) is not answered")
        continue
      }
      let packet = OSCPacket.message(OSCMessage("node", [.text(text)])).bytes
      #expect(packet.count <= 1_400, "\(path) has \(packet.count) bytes")
      var dialect = XAirTests.dialect
      let before = dialect
      switch dialect.take(OSCMessage("/", [.text(text)])) {
      case .changes(let changes, _):
        for change in changes { _ = dialect.take(change.setting) }
      default: break
      }
      #expect(Self.node(path, of: dialect) == text)
      for field in XAirModel.nodes[path] ?? [] {
        let address = "\(path)/\(field.name)"
        #expect(
          dialect.answer(address)?.values.first?.tag == before.answer(address)?.values.first?.tag
        )
      }
    }
  }

  @Test func `XA-8 a text sets the first values of a node`() {
    var dialect = XAirTests.dialect
    guard
      case .changes(let changes, let kept) = dialect.take(
        OSCMessage("/", [.text("ch/02/mix OFF -12.1 OFF -50")])
      )
    else {
      Issue.record("nothing is set")
      return
    }
    #expect(
      changes.map(\.setting.path)
        == ["mute", "gain", "send/main/mute", "pan"].map { "/strip/mic/\($0)" }
    )
    #expect(changes.map(\.address).first == "/ch/02/mix/on")
    guard case .number(let gainDB) = changes[1].setting.value else {
      Issue.record("no gain")
      return
    }
    #expect(abs(gainDB + 12.1) < 1e-4)
    #expect(changes[3].setting.value == .number(-0.5))
    #expect(kept.isEmpty)
    _ = dialect.take(OSCMessage("/", [.text(#"/ch/01/eq/2 VEQ 2k04 -4.50 0.3"#)]))
    #expect(Self.node("ch/01/eq/2", of: dialect) == "/ch/01/eq/2 VEQ 2k04 -4.50 0.3\n")
    _ = dialect.take(OSCMessage("/", [.text(#"ch/09/config "01 Zé" 3"#)]))
    #expect(Self.node("ch/09/config", of: dialect) == "/ch/09/config \"01 Zé\" 3 In09 U09\n")
    _ = dialect.take(OSCMessage("/", [.text("ch/03/grp %0101")]))
    #expect(dialect.answer("/ch/03/grp/dca")?.values == [.integer(5)])
    for fault in [
      "", "ch/03/grp %2", "ch/03/mix on", "ch/03/mix ON nan", "x/y ON", "\"", "ch/01/eq/2 VEQ k",
    ] {
      guard case .nothing = dialect.take(OSCMessage("/", [.text(fault)])) else {
        if fault.hasPrefix("ch/03/mix ON") || fault.hasPrefix("ch/01/eq") { continue }
        Issue.record("'\(fault)' sets something")
        continue
      }
    }
    #expect(dialect.answer("/ch/03/mix/fader")?.values == [.float(0)])
  }

  @Test func `XA-4 words and numbers set what the host lacks, and others are told of it`() {
    var dialect = XAirTests.dialect
    guard
      case .changes(let changes, let kept) = dialect.take(
        OSCMessage("/ch/01/gate/mode", [.text("DUCK")])
      )
    else {
      Issue.record("nothing is kept")
      return
    }
    #expect(changes.isEmpty)
    #expect(kept == [OSCMessage("/ch/01/gate/mode", [.integer(4)])])
    for faulty: OSCValue in [.integer(5), .integer(-1), .text("duck"), .float(1), .blob([])] {
      guard case .nothing = dialect.take(OSCMessage("/ch/01/gate/mode", [faulty])) else {
        Issue.record("\(faulty) is kept")
        continue
      }
    }
    #expect(dialect.answer("/ch/01/gate/mode")?.values == [.integer(4)])
  }
}

/// Packets that no app sends.
@Suite
struct XAirFuzzTests {
  private static let seeds: [OSCMessage] = [
    OSCMessage("/node", [.text("ch/01/mix")]), OSCMessage("/", [.text("ch/01/mix ON -10.0 ON +5")]),
    OSCMessage("/", [.text(#"ch/01/config "a b" 3 In01 U01"#)]),
    OSCMessage("/ch/01/mix/fader", [.float(0.5)]), OSCMessage("/ch/01/gate/mode", [.text("DUCK")]),
    OSCMessage("/subscribe", [.text("/ch/01/mix/on"), .integer(2)]),
    OSCMessage(
      "/batchsubscribe",
      [.text("m"), .text("/meters/0"), .integer(0), .integer(0), .integer(0)]
    ),
    OSCMessage(
      "/formatsubscribe",
      [.text("/t"), .text("/ch/**/mix/on"), .integer(6), .integer(9), .integer(80)]
    ),
    OSCMessage("/meters", [.text("/meters/1"), .integer(0), .integer(0), .integer(1)]),
    OSCMessage("/renew", [.text("m")]), OSCMessage("/unsubscribe"), OSCMessage("/xremote"),
  ]

  @Test func `100,000 mutated packets are answered within a datagram, or not at all`() {
    var random = TestSeed.random()
    var dialect = XAirDialect(name: "stage")
    dialect.arrange(XAirTests.parameters)
    let seeds = Self.seeds.map { OSCPacket.message($0).bytes }
    var read = 0
    var answered = 0
    for number in 0..<100_000 {
      var bytes = seeds[number % seeds.count]
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] = .random(in: 0...255, using: &random)
      }
      if number.isMultiple(of: 7) { bytes.removeLast(.random(in: 0..<bytes.count, using: &random)) }
      guard let packet = try? OSCPacket(bytes: bytes) else { continue }
      for message in packet.messages {
        read += 1
        var answers: [OSCMessage] = []
        switch dialect.take(message) {
        case .answers(let own): answers = own
        case .changes(let changes, let kept):
          answers = kept + changes.flatMap { dialect.take($0.setting) }
        case .subscription(let subscription):
          answers = dialect.message(subscription).map { [$0] } ?? []
        default: break
        }
        answered += answers.count
        for answer in answers where OSCPacket.message(answer).bytes.count > 1_472 {
          Issue.record("\(answer) to \(message)")
        }
      }
    }
    #expect(read > 10_000 && answered > 1_000)
  }
}
