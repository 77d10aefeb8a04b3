// SPDX-License-Identifier: MIT

import Testing

@Suite("Faults of single values")
struct SectionFaultTests {
  static let keys: [Marked] = [
    .added(
      "‸route: {}\n",
      "graph file: unknown key 'route' (did you mean 'routes'?); keys: \(rootKeys)",
    ),
    .added(
      "‸playlists: {}\n",
      "graph file: unknown key 'playlists'; keys: \(rootKeys)"
    ),
    .added("mix: []\n‸mix: []\n", "graph file: the key 'mix' appears twice; remove one"),
    .added(
      "controls: {‸<<: {}}\n",
      "controls: unknown key '<<'; merging is not supported; keys: crossfader, cue, midi",
    ),
    .added("controls: {‸[a]: 1}\n", "controls: a list where a key is needed"),
    .added(
      "controls: ‸5\n",
      "controls: a single value where a mapping is needed; "
        + "keys: crossfader, cue, midi"
    ),
    .added(
      "controls:‸\n",
      "controls: nothing where a mapping is needed; keys: crossfader, cue, midi",
    ),
    Marked("‸name: x\n", "graph file: the key 'multiroute' is missing; write 'multiroute: 1'"),
    Marked(
      "multiroute: ‸2\n",
      "multiroute: format version '2' is not known; this program reads 1",
    ),
    Marked(
      "multiroute: 1\nroutes:\n  ‸main: {type: lineOut}\n",
      "route: the key 'ports' is missing; write 'ports: [system:playback_1]'"
    ),
    .added("mix: [‸{from: deck-a}]\n", "mix entry: the key 'to' is missing; write 'to: ROUTE'"),
  ]

  static let sessions: [Marked] = [
    Marked(
      Marked.soundGraph + "  x: {file: a.wav, session: ‸{}}\n",
      "source session: it has neither 'preset' nor 'category'; write one of them",
    ),
    Marked(
      Marked.soundGraph + "  x: {file: a.wav, session: {preset: game, category: ‸playback}}\n",
      "category: the preset 'game' does not take 'playback'; categories that do: ambient, "
        + "soloAmbient",
    ),
    Marked(
      Marked.soundGraph + "  x: {file: a.wav, session: {preset: voip, mode: ‸voiceChat}}\n",
      "mode: the preset 'voip' has its own; remove this key",
    ),
    Marked(
      Marked.soundGraph + "  x: {file: a.wav, session: {category: playback, mode: ‸voiceChat}}\n",
      "mode: the category 'playback' does not take 'voiceChat'; categories that do: playAndRecord",
    ),
    Marked(
      Marked.soundGraph
        + "  x: {file: a.wav, session: {category: soloAmbient, options: ‸[duckOthers]}}\n",
      "options: the category 'soloAmbient' does not take 'duckOthers'; categories that do: "
        + "ambient, playback, playAndRecord, multiRoute",
    ),
    .added(
      "tower: {classes: {phone: [a], alarm: [‸a]}}\n",
      "alarm: 'a' is in class 'phone' already",
    ),
    .added(
      "tower: {duck: {gain: ‸3 dB}}\n",
      "gain: '3 dB' is out of range; allowed: -60 dB … 0 dB",
    ),
  ]

  static let quantities: [Marked] = [
    .added("ramp: ‸5\n", "ramp: '5' has no unit; write '5 ms' (units: ns, µs, us, ms, s, min, h)"),
    .added(
      "ramp: ‸5 msec\n",
      "ramp: unknown unit 'msec'; units: ns, µs, us, ms, s, min, h",
    ),
    .added(
      "ramp: ‸5 MS\n",
      "ramp: unknown unit 'MS' (did you mean '5 ms'?); units: ns, µs, us, ms, s, min, h",
    ),
    .added("ramp: ‸11 s\n", "ramp: '11 s' is out of range; allowed: 0 ms … 10 s"),
    .added("ramp: ‸-1 ms\n", "ramp: '-1 ms' is out of range; allowed: 0 ms … 10 s"),
    .added("ramp: ‸soon\n", "ramp: 'soon' is not a duration, 0 ms … 10 s"),
    .added("ramp: ‸inf s\n", "ramp: 'inf s' is not a duration, 0 ms … 10 s"),
    .added("ramp: ‸[5 ms]\n", "ramp: a list where a duration, 0 ms … 10 s is needed"),
    .added("ramp:‸\n", "ramp: nothing where a duration, 0 ms … 10 s is needed"),
    .added(
      "mix: [{from: deck-a, to: main, gain: ‸-6}]\n",
      "gain: '-6' has no unit; write '-6 dB' (units: dB)",
    ),
    .added(
      "mix: [{from: deck-a, to: main, gain: ‸-6 db}]\n",
      "gain: unknown unit 'db' (did you mean '-6 dB'?); units: dB",
    ),
    .added(
      "mix: [{from: deck-a, to: main, gain: ‸\"-6,5 dB\"}]\n",
      "gain: '-6,5 dB' has a comma; write a point: '-6.5 dB'",
    ),
    .added(
      "mix: [{from: deck-a, to: main, gain: ‸25 dB}]\n",
      "gain: '25 dB' is out of range; allowed: -inf dB … 24 dB",
    ),
    .added(
      "mix: [{from: deck-a, to: main, gain: ‸nan dB}]\n",
      "gain: 'nan dB' is not a gain, -inf dB … 24 dB",
    ),
    .added(
      "mix: [{from: deck-a, to: main, pan: ‸1.5}]\n",
      "pan: '1.5' is out of range; allowed: -1 … 1 or -100 % … 100 %",
    ),
    .added(
      "session: {preferred: {sampleRate: ‸48000}}\n",
      "sampleRate: '48000' has no unit; write '48000 Hz' (units: Hz, kHz)",
    ),
    .added(
      "session: {preferred: {sampleRate: ‸48 khz}}\n",
      "sampleRate: unknown unit 'khz' (did you mean '48 kHz'?); units: Hz, kHz",
    ),
    .added(
      "session: {preferred: {ioBufferFrames: ‸256 frames}}\n",
      "ioBufferFrames: '256 frames' is not a whole number (write '256'); allowed: 16 … 8192",
    ),
    .added(
      "session: {preferred: {ioBufferFrames: ‸15}}\n",
      "ioBufferFrames: 15 is out of range; allowed: 16 … 8192",
    ),
  ]

  static let values: [Marked] = [
    .added(
      "session: {enforce: ‸yes}\n",
      "enforce: 'yes' is none of true, false or users "
        + "(did you mean 'true'?)"
    ),
    .added("session: {enforce: ‸maybe}\n", "enforce: 'maybe' is none of true, false or users"),
    .added(
      "session: {category: ‸multiroute}\n",
      "category: 'multiroute' is not known (did you mean 'multiRoute'?); allowed: ambient, "
        + "soloAmbient, playback, record, playAndRecord, multiRoute",
    ),
    .added("  x: {tone: {}, meter: ‸mid}\n", "meter: 'mid' is not known; allowed: pre, post"),
    .added(
      "adopt: [{session: {preset: player}, meter: ‸Pre}]\n",
      "meter: 'Pre' is not known (did you mean 'pre'?); allowed: pre, post",
    ),
    .added(
      "adopt: [{client: a, leave: true, meter: ‸pre}]\n",
      "meter: a rule with 'leave' has no such key; remove the key, or 'leave'",
    ),
    .added(
      "session: {options: [mixWithOthers, ‸mixWithOthers]}\n",
      "options: 'mixWithOthers' is in this list already",
    ),
    .added(
      "session: {preferred: {ioBufferDuration: ‸5 ms, ioBufferFrames: 256}}\n",
      "ioBufferDuration: 'ioBufferFrames' says it too; keep one of the two",
    ),
    .added(
      "session: {preferred: {ioBufferDuration: ‸1 s, sampleRate: 48 kHz}}\n",
      "ioBufferDuration: 1 s is 48000 frames at 48000 Hz; allowed: 16 … 8192 frames",
    ),
    .added(
      "name: ‸dj:1\n",
      "name: 'dj:1' is not a name; allowed: 1 to 40 letters, digits, '-' and '_', starting with a "
        + "letter",
    ),
    .added(
      "server: {device: ‸hw:0}\n",
      "device: the driver 'automatic' takes no device; write also 'driver: alsa'",
    ),
    .added(
      "server: {realtime: false, priority: ‸60}\n",
      "priority: does not work with 'realtime: false'; remove one of the two",
    ),
    .added(
      "server: {arguments: [‸\"\"]}\n",
      "arguments: '' is empty or has control characters; write an argument of the server"
    ),
  ]

  @Test("keys", arguments: keys)
  func key(fault: Marked) {
    #expect(fault.found == fault.expected)
  }

  @Test("sessions and the tower", arguments: sessions)
  func session(fault: Marked) {
    #expect(fault.found == fault.expected)
  }

  @Test("quantities", arguments: quantities)
  func quantity(fault: Marked) {
    #expect(fault.found == fault.expected)
  }

  @Test("flags, choices, names", arguments: values)
  func value(fault: Marked) {
    #expect(fault.found == fault.expected)
  }
}
