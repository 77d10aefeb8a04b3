// SPDX-License-Identifier: MIT

import Testing

@testable import GraphFiles

@Suite("Rules across sections")
struct RuleTests {
  static let references: [Marked] = [
    .added(
      "mix: [{from: ‸deck-b, to: main}]\n",
      "from: there is no source 'deck-b' (did you mean 'deck-a'?); there are: deck-a, beep, voice",
    ),
    .added(
      "mix: [{from: beep, to: ‸man}]\n",
      "to: there is no output route 'man' (did you mean 'main'?); there are: main, phones",
    ),
    .added(
      "mix: [{from: beep, to: ‸mic}]\n",
      "to: the route 'mic' is an input route; an output route is needed",
    ),
    .added(
      "controls: {crossfader: {a: deck-a, b: [beep, ‸deck-a]}}\n",
      "b: source 'deck-a' is on the crossfader already",
    ),
    .added(
      "controls: {crossfader: {a: ‸x, b: beep}}\n",
      "a: there is no source 'x'; there are: deck-a, beep, voice",
    ),
    .added(
      "controls: {cue: {to: ‸mic}}\n",
      "to: the route 'mic' is an input route; an output route is needed",
    ),
    .added(
      "controls: {cue: {to: phones, sources: [beep, ‸beep]}}\n",
      "sources: source 'beep' is in this list already",
    ),
    Marked(
      "multiroute: 1\nroutes:\n  a: {ports: [\"s:1\"], fallback: b}\n"
        + "  b: {ports: [\"s:2\"], fallback: ‸b}\n",
      "fallback: 'b' leads back to 'b'",
    ),
    Marked(
      "multiroute: 1\nroutes: {a: {ports: [\"s:1\"], device: ‸hw:1}}\n",
      "device: 'ports' is there too; keep one of them",
    ),
    Marked(
      "multiroute: 1\nroutes: {a: {device: ‸--playback}}\n",
      "device: '--playback' begins with '-' or has a blank; write an ALSA device such as hw:1",
    ),
    .added(
      "recorders: {take: {from: ‸man, file: a.wav}}\n",
      "from: there is no source or output route 'man' (did you mean 'main'?); "
        + "there are: main, phones, deck-a, beep, voice",
    ),
    .added(
      "recorders: {take: {from: ‸mic, file: a.wav}}\n",
      "from: 'mic' is an input route; record a source that hears it ('input: mic')",
    ),
    .added(
      "recorders: {take: {from: main, file: ‸set.mp3}}\n",
      "file: a recorder cannot write the format of 'set.mp3'; allowed: a name that ends in .wav or "
        + ".flac, or 'format: wav' or 'format: flac'",
    ),
    .added(
      "recorders: {a: {from: main, file: a.wav}, b: {from: beep, file: ‸a.wav}}\n",
      "file: recorder 'a' writes to this file already; each recorder needs a file of its own",
    ),
    .added(
      "recorders: {a: {from: main, file: a.flac, samples: ‸float32}}\n",
      "samples: FLAC holds no floats; allowed: pcm16, pcm24",
    ),
    .added(
      "recorders: {a: {from: main, file: a.wav, splitAfter: 1 h, splitSize: ‸2 GB}}\n",
      "splitSize: 'splitAfter' is there too; keep one of them",
    ),
    Marked(
      "multiroute: 1\nroutes: {m: {type: lineOut, ports: [\"a:b\"]}}\nsources: {s: {input: ‸m}}\n",
      "input: the route 'm' is an output route; an input route is needed",
    ),
    Marked(
      "multiroute: 1\nsources: {s: {input: ‸m}}\n",
      "input: there is no input route 'm'; the graph has none",
    ),
    Marked(
      "multiroute: 1\nroutes: {m: {type: lineOut, ports: [\"a:b\"]}}\nsources: {‸m: {tone: {}}}\n",
      "source 'm': a route has this name; a source and a route need different names",
    ),
  ]

  static let ports: [Marked] = [
    Marked(
      "multiroute: 1\nroutes:\n  a: {type: lineOut, ports: [\"s:1\"]}\n"
        + "  b: {type: HDMI, ports: [\"s:2\", ‸\"s:1\"]}\n",
      "ports: 's:1' is in route 'a' already; each port is in one route, once",
    ),
    Marked(
      "multiroute: 1\nroutes:\n  a: {type: lineOut, ports: [\"s:1\", ‸\"/s:[12]/\"]}\n",
      "ports: '/s:[12]/' is in route 'a' already; each port is in one route, once",
    ),
    Marked(
      "multiroute: 1\nname: dj\nsources: {s: {ports: [\"a:b\", ‸\"dj:main_1\"]}}\n",
      "ports: 'dj:main_1' is a port of the host itself ('name: dj'), which makes a loop; name a "
        + "port of another client",
    ),
    Marked(
      "multiroute: 1\nroutes: {a: {type: lineOut, ports: [‸\"multiroute:x\"]}}\n",
      "ports: 'multiroute:x' is a port of the host itself ('name: multiroute'), which makes a "
        + "loop; name a port of another client",
    ),
    Marked(
      "multiroute: 1\nroutes: {a: {type: lineIn, ports: [\"s:1\"]}}\n"
        + "sources: {b: {ports: [‸\"s:1\"]}}\n",
      "ports: 's:1' belongs to route 'a'; to hear an input route, write 'input: a'",
    ),
    Marked(
      "multiroute: 1\n‸routes: {a: {type: lineOut, ports: [\"s:1\"]}}\n"
        + "sources: {b: {tone: {}, channels: 768}}\n",
      "1 route channels and 768 source channels; JACK gives one client at most 768 ports",
    ),
  ]

  @Test(
    "a graph may have as many ports as JACK gives, and with more it is told nothing else of them"
  )
  func portCount() {
    func messages(_ channels: Int, _ ports: String) -> [String] {
      let text =
        "multiroute: 1\nroutes: {a: {type: lineOut, ports: [\(ports)]}}\n"
        + "sources: {b: {tone: {}, channels: \(channels)}}\n"
      return faults(of: text).map(\.message)
    }
    #expect(messages(767, "'s:1'").isEmpty)
    #expect(messages(768, "'s:1'").count == 1)
    let twice = messages(767, "'s:1', 's:1'")
    #expect(twice.count == 1 && twice[0].contains("JACK gives one client at most 768 ports"))
    #expect(messages(766, "'s:1', 's:1'").count == 1)
  }

  @Test("one pattern twice is a fault; two patterns, and two faulty ports, are not told to overlap")
  func overlaps() {
    func messages(_ ports: String) -> [String] {
      let text = "multiroute: 1\nroutes: {a: {type: lineOut, ports: [\(ports)]}}\n"
      return faults(of: text).map(\.message)
    }
    #expect(messages("'/s:1|s:2/', '/s:1|s:3/'").isEmpty)
    #expect(messages("'/s:1|s:2/', '/s:1|s:2/'").map { $0.contains("already") } == [true])
    #expect(messages("x, y").map { $0.contains("is not a port") } == [true, true])
    #expect(messages("x, '/s:.*|/'").map { $0.contains("is not a port") } == [true])
  }

  @Test(
    "a port's name may have blanks, unless every word is a port",
    arguments: [
      ("a b:c d", true), ("a: b:1", true), ("20:0 x:1", true), ("a:1 b", true), ("a:1 b:2:3", true),
      ("a:1 :2", true), ("a:1 b:", true), ("a:1 b:2", false), ("a:1  b:2 c:3", false),
      (":b", false), ("a:", false), ("a", false), ("a:b:c", true),
      ("a:" + String(repeating: "x", count: 317), true),
      ("a:" + String(repeating: "x", count: 318), false),
    ]
  )
  func portNames(name: String, isPort: Bool) {
    let text = "multiroute: 1\nroutes: {a: {type: lineOut, ports: ['\(name)']}}\n"
    #expect(faults(of: text).isEmpty == isPort, "\(faults(of: text))")
  }

  @Test("a pattern of a port has two slashes", arguments: ["/", "/a:b", "/a:b/c"])
  func openPattern(text: String) {
    let found = faults(of: "multiroute: 1\nroutes: {a: {type: lineOut, ports: ['\(text)']}}\n")
    #expect(found.map(\.message) == ["ports: the pattern '\(text)' has no closing slash"])
  }

  @Test("a node is no client of the host itself", arguments: ["dj", "dj-sources", "dj-x", "x"])
  func hostAsNode(name: String) {
    let found = faults(
      of: "multiroute: 1\nname: dj\nsession: {category: playback, options: [mixWithOthers]}\n"
        + "routes: {a: {type: lineOut, ports: ['s:1'], inserts: [\(name)]}}\n"
    )
    let isHost = ["dj", "dj-sources"].contains(name)
    #expect(found.contains { $0.message.contains("is the host itself") } == isHost, "\(found)")
  }

  @Test("client names of helper programs have at most 60 bytes", arguments: [40, 41])
  func helperNames(bytes: Int) {
    let graph = String(repeating: "g", count: 60 - 1 - 20)
    let route = String(repeating: "r", count: bytes == 40 ? 20 : 21)
    let found = faults(
      of: "multiroute: 1\nname: \(graph)\nroutes:\n"
        + "  \(route): {type: virtual, jacktrip: {address: a.b}}\n"
        + "  \(String(repeating: "q", count: 30)): {type: lineOut, ports: ['s:1']}\n"
    )
    #expect(
      found.map { $0.message.contains("60 bytes") } == (bytes == 40 ? [] : [true]),
      "\(found)"
    )
  }

  @Test("of a hundred mappings the names beyond the limit are told", arguments: [64, 65])
  func manyEntries(count: Int) {
    let strips = (1...count).map { "s\($0): {ports: [p\($0)], routes: [a]}" }
    let found = faults(
      of: "multiroute: 1\nroutes: {a: {type: lineOut, ports: ['s:1']}}\n"
        + "adopt: [{client: x, session: {preset: player}, strips: {"
        + strips.joined(separator: ", ") + "}}]\n"
    )
    #expect(found.map(\.message) == (count > 64 ? ["strip: more than 64 strips"] : []))
  }

  @Test("of many faults the first ones are told, and how many are left")
  func manyFaults() {
    func told(_ count: Int) -> [String] {
      let keys = (0..<count).map { "x\($0): 1\n" }.joined()
      return faults(of: "multiroute: 1\n" + keys).map(\.message)
    }
    let limit = DiagnosticLog.limit
    #expect(told(limit).count == limit && !told(limit).contains { $0.contains("not shown") })
    for more in 1...2 {
      let last = told(limit + more).last
      #expect(last == "\(more) more errors are not shown; correct these first")
    }
  }

  @Test("of many names that are meant a dozen are listed", arguments: [12, 13])
  func manyNames(count: Int) {
    let sources = (1...count).map { "s\($0): {tone: {}}" }.joined(separator: ", ")
    let text =
      "multiroute: 1\nroutes: {a: {type: lineOut, ports: ['s:1']}}\nsources: {\(sources)}\n"
      + "mix: [{from: other, to: a}]\n"
    let messages = faults(of: text).map(\.message)
    #expect(messages.count == 1 && messages[0].contains("s12") && !messages[0].contains("s13"))
    #expect(messages.first?.hasSuffix(", …") == (count > 12), "\(messages)")
  }

  @Test("recorders without a file are not told to share one")
  func recordersWithoutFile() {
    let text =
      "multiroute: 1\nroutes: {a: {type: lineOut, ports: ['s:1']}}\n"
      + "recorders: {x: {from: a}, y: {from: a}}\n"
    let messages = faults(of: text).map(\.message)
    #expect(messages.count == 2 && messages.allSatisfy { $0.contains("'file' is missing") })
  }

  static let helpers: [Marked] = [
    Marked(
      "multiroute: 1\nsession: {category: multiRoute}\nroutes:\n  a: {type: usbAudio, device: hw:1}\n"
        + "  b: {type: usbAudio, device: ‸{name: \"plughw:1,0\"}}\n",
      "device: the output of 'plughw:1,0' is route 'a''s already; one program can open it; give one route its "
        + "channels",
    ),
    Marked(
      "multiroute: 1\nroutes:\n  a: {type: usbAudio, device: \"hw:CARD=USB,DEV=1\"}\n"
        + "  b: {type: usbAudio, device: ‸\"hw:USB,1\"}\n",
      "device: the output of 'hw:USB,1' is route 'a''s already; one program can open it; give one route its channels",
    ),
    Marked(
      "multiroute: 1\nroutes:\n  a: {type: virtual, jacktrip: {}}\n"
        + "  b: {type: virtual, jacktrip: ‸{port: 4464}}\n",
      "jacktrip: UDP port 4464 is route 'a''s already; each route that receives needs a port of its own",
    ),
    Marked(
      "multiroute: 1\nroutes:\n  a: {type: virtual, jacktrip: {port: 3}}\n"
        + "  b: {type: virtual, direction: input, njbridge: ‸{address: 0.0.0.0, port: 3}}\n",
      "njbridge: UDP port 3 is route 'a''s already; each route that receives needs a port of its own",
    ),
    Marked(
      "multiroute: 1\nroutes: {a: {type: virtual, njbridge: {address: ‸300.1.1.1, port: 3}}}\n",
      "address: '300.1.1.1' is not an address; write an IP address such as 192.0.2.7",
    ),
    Marked(
      "multiroute: 1\nroutes: {a: {type: virtual, njbridge: {address: ‸example.org, port: 3}}}\n",
      "address: 'example.org' is not an address; write an IP address such as 192.0.2.7",
    ),
    Marked(
      "multiroute: 1\nroutes: {a: {type: virtual, jacktrip: {address: ‸300.1.1.1}}}\n",
      "address: '300.1.1.1' is not an address; write an IP address such as 192.0.2.7, or a host's name",
    ),
    Marked(
      "multiroute: 1\nroutes: {a: {type: virtual, jacktrip: {address: ‸no/name}}}\n",
      "address: 'no/name' is not an address; write an IP address such as 192.0.2.7, or a host's name",
    ),
    Marked(
      "multiroute: 1\nsession: {options: [mixWithOthers]}\n"
        + "sources: {s: {tone: {}, inserts: [‸\"a:b\"]}}\n",
      "inserts: 'a:b' cannot be a JACK client's name; write a node's name: at most 63 bytes without ':'",
    ),
    Marked(
      "multiroute: 1\nsession: {options: [mixWithOthers]}\n"
        + "sources: {s: {node: {name: ‸\"\(String(repeating: "n", count: 64))\"}}}\n",
      "name: '\(String(repeating: "n", count: 60))…' cannot be a JACK client's name; write a node's name: at most "
        + "63 bytes without ':'",
    ),
  ]

  static let sends: [Marked] = [
    .added(
      "mix:\n  - {from: beep, to: main}\n  - ‸{from: beep, to: main}\n",
      "mix: 'beep' goes to 'main' already; write one entry, with 'channels' for several pairs",
    ),
    .added(
      "mix: [{from: beep, to: phones, pan: ‸-1}]\n",
      "pan: route 'phones' has 1 channels; pan needs 2",
    ),
    .added(
      "mix: [{from: beep, to: main, channels: [[1, 2], [‸2, 1]]}]\n",
      "channels: source 'beep' has no channel 2; channels: 1 … 1",
    ),
    .added(
      "mix: [{from: deck-a, to: main, channels: [[1, 2], [2, ‸3]]}]\n",
      "channels: route 'main' has no channel 3; channels: 1 … 2",
    ),
    .added(
      "mix: [{from: deck-a, to: main, channels: [[1, 2], ‸[1, 2]]}]\n",
      "channels: [1, 2] is in this list already",
    ),
    Marked(
      "multiroute: 1\nsession: {preferred: {sampleRate: 8 kHz}}\n"
        + "sources: {s: {tone: {frequency: ‸5 kHz}}}\n",
      "frequency: 5000 Hz is above half the sample rate; at 8000 Hz at most 4000 Hz",
    ),
  ]

  @Test("names", arguments: references)
  func reference(fault: Marked) {
    #expect(fault.found == fault.expected)
  }

  @Test("ports", arguments: ports)
  func port(fault: Marked) {
    #expect(fault.found == fault.expected)
  }

  @Test("helper programs and nodes", arguments: helpers)
  func helper(fault: Marked) {
    #expect(fault.found == fault.expected)
  }

  @Test("a resource that may be shared, or has the other direction, is no fault")
  func sharedHelpers() {
    let text = """
      multiroute: 1
      session: {category: multiRoute}
      routes:
        a: {type: usbAudio, device: hw:1}
        b: {type: usbAudio, device: "hw:1,1"}
        c: {type: usbAudio, direction: input, device: hw:1}
        d: {type: usbAudio, device: pipewire}
        e: {type: usbAudio, device: pipewire}
        f: {type: virtual, njbridge: {address: 127.0.0.1, port: 3}}
        g: {type: virtual, njbridge: {address: "fe80::1%eth0", port: 3}}
        h: {type: virtual, direction: input, njbridge: {address: "::1", port: 3}}
        i: {type: virtual, jacktrip: {address: studio_1.example.org}}

      """
    #expect(faults(of: text).isEmpty)
  }

  @Test("sends and tones", arguments: sends)
  func send(fault: Marked) {
    #expect(fault.found == fault.expected)
  }

  @Test("a channel number is checked only where the channels of the file are known")
  func unknownFileChannels() throws {
    let text = Marked.soundGraph + "mix: [{from: deck-a, to: main, channels: [[6, 1]]}]\n"
    let unknown = FileProbe { _ in .readable(channels: nil) }
    #expect(faults(of: text, files: unknown).isEmpty)
    #expect(faults(of: text).count == 1)
  }
}
