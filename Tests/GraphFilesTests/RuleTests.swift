// SPDX-License-Identifier: MIT

import GraphFiles
import Testing

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
