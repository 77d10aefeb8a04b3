// SPDX-License-Identifier: MIT

import GraphFiles
import Testing

@Suite("Faults of routes, sources and sends")
struct PartFaultTests {
  static let head = "multiroute: 1\n"

  static let routes: [Marked] = [
    Marked(
      head + "routes: {r: {type: builtInMic, direction: ‸output, ports: [\"a:b\"]}}\n",
      "direction: a route of type 'builtInMic' has no output",
    ),
    Marked(
      head + "routes: {r: {type: lineOut, mirrored: ‸true, ports: [\"a:b\"]}}\n",
      "mirrored: only routes of type 'airPlay' have this key; remove it",
    ),
    Marked(
      head + "routes: {r: {type: ‸headphone, ports: [\"a:b\"]}}\n",
      "type: 'headphone' is not known (did you mean 'headphones'?); allowed: lineIn, builtInMic, "
        + "headsetMic, continuityMicrophone, lineOut, headphones, bluetoothA2DP, builtInReceiver, "
        + "builtInSpeaker, HDMI, airPlay, bluetoothLE, bluetoothHFP, usbAudio, carAudio, virtual, "
        + "PCI, fireWire, displayPort, AVB, thunderbolt",
    ),
    Marked(
      head + "routes: {r: {type: lineOut, ports: [\"a:b\"], color: ‸gren}}\n",
      "color: 'gren' is not known (did you mean 'green'?); allowed: red, orange, yellow, green, "
        + "cyan, blue, purple, pink, grey or red, green and blue as \"#rrggbb\"",
    ),
    Marked(
      head + "routes: {r: {type: lineIn, ports: [\"a:b\"], limiter: ‸{}}}\n",
      "limiter: only output routes have this key; remove it",
    ),
    Marked(
      head + "routes: {r: {type: lineOut, ports: ‸[]}}\n",
      "ports: the list is empty; name one port or pattern per channel",
    ),
    Marked(
      head + "routes: {r: {type: lineOut, ports: [‸playback_1]}}\n",
      "ports: 'playback_1' is not a port; write 'client:port', or a pattern between slashes such "
        + "as /.*:playback_1/",
    ),
    Marked(
      head + "routes: {r: {type: lineOut, ports: ‸system:playback_1}}\n",
      "ports: a single value where a list of ports, for example "
        + "[system:playback_1, \"/Mixxx:out_[01]/\"], is needed",
    ),
    Marked(
      head + "routes: {r: {type: lineOut, ports: [‸/playback_1/]}}\n",
      "ports: the pattern '/playback_1/' can never match, because it has no ':' and must match the "
        + "whole name 'client:port'; write /.*:playback_1/",
    ),
    Marked(
      head + "routes: {r: {type: lineOut, ports: [‸system:playback_1 system:playback_2]}}\n",
      "ports: 'system:playback_1 system:playback_2' is 2 ports without a comma; write "
        + "[system:playback_1, system:playback_2]",
    ),
    Marked(
      head + "routes: {r: {type: lineOut, ports: [‸/system:.*]}}\n",
      "ports: the pattern '/system:.*' has no closing slash",
    ),
    Marked(
      head + "routes: {r: {type: lineOut, ports: [‸\"/system:(a/\"]}}\n",
      "ports: the pattern '/system:(a/' cannot be used: missing ): system:(a",
    ),
    Marked(
      head + "routes:\n  r: {type: lineOut, ports: [\"a:b\"]}\n  ‸r: {}\n",
      "route: the name 'r' is taken already",
    ),
    Marked(
      head + "routes:\n  ‸a b: {}\n",
      "route: 'a b' is not a name; allowed: 1 to 40 letters, digits, '-' and '_', starting with a "
        + "letter",
    ),
    Marked(head + "routes: ‸[]\n", "routes: a list where a mapping from names to routes is needed"),
  ]

  static let sources: [Marked] = [
    Marked(
      head + "sources: {‸s: {gain: 0 dB}}\n",
      "source 's' has no kind; write one of: file, tone, input, ports, node",
    ),
    Marked(
      head + "sources: {s: {file: a.wav, tone: ‸{}}}\n",
      "tone: source 's' has 'file' already; keep one",
    ),
    Marked(
      head + "sources: {s: {tone: {}, loop: ‸true}}\n",
      "loop: does not belong to a source with 'tone'; only to one with 'file'",
    ),
    Marked(
      head + "sources: {s: {file: a.wav, channels: ‸2}}\n",
      "channels: does not belong to a source with 'file'; only to one with 'tone', 'input', 'node'",
    ),
    Marked(
      head + "sources: {s: {input: ‸false}}\n",
      "input: 'false' is not the name of an input route, or true for the server's capture ports",
    ),
    Marked(
      head + "sources: {s: {tone: {wave: pinkNoise, frequency: ‸1 kHz}}}\n",
      "frequency: does not belong to 'pinkNoise'; remove it",
    ),
    .added(
      "mix: [‸5]\n",
      "mix entry: a single value where a mapping is needed; keys: from, to, gain, pan, mute, "
        + "preFader, channels",
    ),
  ]

  static let sends: [Marked] = [
    .added(
      "mix: [{from: deck-a, to: main, channels: ‸[]}]\n",
      "channels: the list is empty; remove the key or name a pair of channels",
    ),
    .added(
      "mix: [{from: deck-a, to: main, channels: [‸[1]]}]\n",
      "channels: 1 entries where [source channel, route channel] or [source channel, route "
        + "channel, gain] is needed",
    ),
    .added(
      "mix: [{from: deck-a, to: main, channels: [[1, 1, ‸-3]]}]\n",
      "channels: '-3' has no unit; write '-3 dB' (units: dB)",
    ),
    .added(
      "mix: [{from: deck-a, to: main, pan: ‸0, channels: [[1, 1]]}]\n",
      "pan: 'channels' says where each channel goes; give gains there instead",
    ),
  ]

  @Test("routes", arguments: routes)
  func route(fault: Marked) {
    #expect(fault.found == fault.expected)
  }

  @Test("sources", arguments: sources)
  func source(fault: Marked) {
    #expect(fault.found == fault.expected)
  }

  @Test("sends", arguments: sends)
  func send(fault: Marked) {
    #expect(fault.found == fault.expected)
  }

  @Test(
    "a port's name may have blanks and numbers",
    arguments: [
      "PulseAudio JACK Sink:front-left", "Midi Through:Midi Through Port-0 14:0",
      "a2j:Keys [20] (capture): Keys MIDI 1",
    ]
  )
  func portWithBlanks(port: String) throws {
    #expect(faults(of: Self.head + "routes: {r: {type: lineOut, ports: [\"\(port)\"]}}\n").isEmpty)
  }

  @Test("the example of a list of ports is YAML")
  func example() throws {
    #expect(
      faults(
        of: Self.head
          + "routes: {r: {type: lineOut, ports: [system:playback_1, \"/Mixxx:out_[01]/\"]}}\n"
      ).isEmpty
    )
  }

  @Test("a media file is looked for in the folder of the graph file")
  func missingFile() {
    let none = FileProbe { .unusable(reason: "no such thing as \($0)") }
    let text = "multiroute: 1\nsources: {s: {file: a.wav}, t: {file: /b.wav}}\n"
    let errors = #expect(throws: GraphFileErrors.self) {
      try GraphFile.parse(text, path: "dir/g.yaml", files: none)
    }
    #expect(
      errors?.description == """
        dir/g.yaml:2:21: error: file: 'dir/a.wav': no such thing as dir/a.wav
        dir/g.yaml:2:39: error: file: '/b.wav': no such thing as /b.wav
        """
    )
  }

  @Test(
    "a file cannot start after its end",
    arguments: [
      ("12.5 s", nil), ("0 s", nil), ("12.501 s", "12.501 s"), ("2 min", "120 s"),
      ("24 h", "24 h"),
    ] as [(String, String?)]
  )
  func startAfterEnd(start: String, shown: String?) {
    let file = FileProbe { _ in .readable(channels: 2, length: .microseconds(12_500_400)) }
    let marked = Marked(
      "multiroute: 1\nsources: {s: {file: a.wav, start: ‸\(start)}}\n",
      "start: \(shown ?? "") is after the end of the file; allowed: 0 ms … 12.5 s",
    )
    #expect(faults(of: marked.text, files: file) == (shown == nil ? [] : marked.expected))
    // Where nothing is known of the length, nothing is said of it.
    #expect(marked.found.isEmpty)
  }
}
