// SPDX-License-Identifier: MIT

import Sessions
import Testing

@testable import GraphFiles

@Suite("A graph has the values of its file")
struct GraphValueTests {
  private func parse(_ text: String) throws -> GraphFile {
    try GraphFile.parse(text, path: "show/g.yaml", files: .everythingExists)
  }

  @Test("the smallest file has every default")
  func defaults() throws {
    let graph = try parse("multiroute: 1\n")
    #expect(graph == GraphFile(path: "show/g.yaml"))
    #expect(graph.name == "multiroute")
    #expect(graph.rampDuration == .milliseconds(5))
    #expect(graph.session.category == .multiRoute)
    #expect(graph.session.enforcement == .always)
    #expect(graph.server.start == .ifNeeded && graph.server.driver == .automatic)
    #expect(graph.server.isSynchronous && graph.server.isRealtime)
  }

  @Test("session, server and ramp")
  func settings() throws {
    let graph = try parse(
      """
      multiroute: 1
      name: kiosk_2
      ramp: 20 µs
      session:
        category: playAndRecord
        mode: videoChat
        options: [duckOthers, allowBluetooth]
        preferred: {ioBufferDuration: 5.5 ms, sampleRate: 44.1 kHz, inputChannels: 1, outputChannels: 4}
        enforce: false
      server:
        name: studio
        start: always
        driver: alsa
        device: "hw:0"
        channels: {capture: 0, playback: 8}
        periods: 3
        synchronous: false
        realtime: true
        priority: 70
        arguments: [-S, "--shorts"]
      """
    )
    #expect(graph.name == "kiosk_2")
    #expect(graph.rampDuration == .microseconds(20))
    let session = GraphFile.Session(
      category: .playAndRecord,
      mode: .videoChat,
      options: [.duckOthers, .allowBluetoothHFP],
      preferred: .init(
        ioBuffer: .duration(.microseconds(5_500)),
        sampleRateHz: 44_100,
        inputChannels: 1,
        outputChannels: 4,
      ),
      enforcement: .never,
    )
    #expect(graph.session == session)
    let server = GraphFile.Server(
      name: "studio",
      start: .always,
      driver: .alsa,
      device: "hw:0",
      captureChannels: 0,
      playbackChannels: 8,
      periods: 3,
      isSynchronous: false,
      isRealtime: true,
      realtimePriority: 70,
      arguments: ["-S", "--shorts"],
    )
    #expect(graph.server == server)
  }

  @Test("routes, in the order of the file")
  func routes() throws {
    let graph = try parse(
      """
      multiroute: 1
      routes:
        z: {type: usbAudio, direction: input, ports: ["a:1"], gain: 3 dB, mute: true, label: "Desk: 1"}
        a:
          type: usbAudio
          ports: ["/sys.*:play_[12]/", "a:2"]
          limiter: {ceiling: -3 dB, release: 1 s, lookahead: 1.5 ms}
        b: {type: HDMI, ports: ["a:3"], limiter: {}}
      """
    )
    let pattern = PortSelector.pattern(try PortPattern("sys.*:play_[12]"))
    var z = GraphFile.Route(name: "z", type: .usbAudio, direction: .input, ports: [.name("a:1")])
    (z.gainDB, z.isMuted, z.label) = (3, true, "Desk: 1")
    var a = GraphFile.Route(
      name: "a",
      type: .usbAudio,
      direction: .output,
      ports: [pattern, .name("a:2")],
    )
    a.limiter = .init(
      ceilingDB: -3,
      releaseDuration: .seconds(1),
      lookaheadDuration: .microseconds(1_500),
    )
    var b = GraphFile.Route(name: "b", type: .HDMI, direction: .output, ports: [.name("a:3")])
    b.limiter = .init()
    #expect(graph.routes == [z, a, b])
    #expect(graph.route(named: "a") == a)
    #expect(a.channels == 2)
  }

  @Test("sources of every kind")
  func sources() throws {
    let graph = try parse(
      """
      multiroute: 1
      routes: {mic: {type: builtInMic, ports: ["a:1", "a:2", "a:3"]}}
      sources:
        f: {file: x/y.flac, loop: true, start: 1 min, gain: -inf dB, mute: true, label: F, color: blue}
        g: {file: /z.wav, color: "#A0b1C2"}
        t: {tone: {wave: click, frequency: 2 Hz, level: -6.5 dB}, channels: 2}
        i: {input: mic}
        p: {ports: ["Mixxx:out_0", "/Mixxx:out_.*/"]}
      """
    )
    #expect(graph.sources.map(\.name) == ["f", "g", "t", "i", "p"])
    #expect(graph.sources.map(\.channels) == [2, 2, 2, 3, 2])
    #expect(graph.sources[0].gainDB == -.infinity && graph.sources[0].isMuted)
    #expect(graph.sources[0].label == "F")
    #expect(graph.sources.map(\.color?.hex) == ["#4f8ff0", "#a0b1c2", nil, nil, nil])
    let file = GraphFile.Source.File(
      path: "x/y.flac",
      resolvedPath: "show/x/y.flac",
      isLooping: true,
      startOffset: .seconds(60),
    )
    #expect(graph.sources[0].kind == .file(file))
    #expect(graph.sources[1].kind == .file(.init(path: "/z.wav", resolvedPath: "/z.wav")))
    let tone = GraphFile.Source.Tone(wave: .click, frequencyHz: 2, levelDB: -6.5)
    #expect(graph.sources[2].kind == .tone(tone))
    #expect(graph.source(named: "i")?.kind == .inputRoute("mic"))
    let ports: [PortSelector] = [
      .name("Mixxx:out_0"), .pattern(try PortPattern("Mixxx:out_.*")),
    ]
    #expect(graph.sources[4].kind == .ports(ports))
  }

  @Test("strips show their level behind the fader unless the file says otherwise")
  func meterTaps() throws {
    let graph = try parse(
      """
      multiroute: 1
      routes: {main: {type: lineOut, ports: ["a:1"]}}
      sources: {a: {tone: {}}, b: {tone: {}, meter: pre}, c: {tone: {}, meter: post}}
      adopt:
        - {client: one, session: {preset: player}}
        - {client: two, session: {preset: player}, meter: pre}
        - client: many
          session: {preset: musicMaking}
          routes: [main]
          meter: pre
          strips: {x: {ports: [o1]}, y: {ports: [o2], meter: post}}
      """
    )
    #expect(graph.sources.map(\.meterTap) == [.post, .pre, .post])
    #expect(graph.adoptions.map(\.meterTap) == [.post, .pre, .pre])
    #expect(graph.adoptions[2].strips.map(\.meterTap) == [.pre, .post])
  }

  @Test("the server's capture ports have two channels unless the file says otherwise")
  func systemInput() throws {
    let graph = try parse(
      "multiroute: 1\nsources: {a: {input: true}, b: {input: true, channels: 5}}"
    )
    #expect(graph.sources.map(\.kind) == [.systemInput, .systemInput])
    #expect(graph.sources.map(\.channels) == [2, 5])
  }

  @Test("sends and controls")
  func mix() throws {
    let graph = try parse(
      Marked.soundGraph + """
        mix:
          - {from: deck-a, to: main, gain: -3 dB, pan: -25 %, mute: true, preFader: true}
          - {from: deck-a, to: phones, channels: [[1, 1, -6 dB], [2, 1]]}
        controls:
          crossfader: {a: [deck-a, voice], b: beep, curve: cut, position: 0.5}
          cue: {to: phones, gain: -6 dB, sources: [beep]}
        """
    )
    var first = GraphFile.Send(source: "deck-a", route: "main", gainDB: -3, pan: -0.25)
    (first.isMuted, first.isPreFader) = (true, true)
    let cells = [
      GraphFile.Send.ChannelSend(sourceChannel: 1, routeChannel: 1, gainDB: -6),
      GraphFile.Send.ChannelSend(sourceChannel: 2, routeChannel: 1),
    ]
    let second = GraphFile.Send(source: "deck-a", route: "phones", channels: cells)
    #expect(graph.sends == [first, second])
    let crossfader = GraphFile.Crossfader(
      a: ["deck-a", "voice"],
      b: ["beep"],
      curve: .cut,
      position: 0.5,
    )
    #expect(graph.crossfader == crossfader)
    #expect(graph.cue == GraphFile.Cue(route: "phones", gainDB: -6, sources: ["beep"]))
  }

  @Test("an alias stands for the value at its anchor")
  func aliases() throws {
    let graph = try parse(
      """
      multiroute: 1
      routes:
        a: {type: lineOut, ports: ["s:1"], limiter: &soft {ceiling: -6 dB}}
        b: {type: HDMI, ports: ["s:2"], limiter: *soft}
      """
    )
    #expect(graph.routes.map(\.limiter?.ceilingDB) == [-6, -6])
  }

  @Test("the summary names everything")
  func summary() throws {
    let graph = try GraphFile.load(path: ShippedGraphs.path("dj-split"), files: .everythingExists)
    #expect(
      graph.summary == [
        "dj: 2 routes, 2 sources, 2 sends",
        "session: multiRoute, mode default, mixWithOthers, I/O buffer 5 ms, sample rate 48000 Hz, "
          + "4 out",
        "route main: lineOut, output, 2 channels (system:playback_1, system:playback_2)",
        "route headphones: headphones, output, 2 channels (system:playback_3, system:playback_4)",
        "source deck-a: file media/deck-a.flac, looping, 2 channels, meter pre → main",
        "source deck-b: file media/deck-b.ogg, looping, 2 channels, meter pre → main",
        "crossfader: deck-a ↔ deck-b, equalPower",
        "cue on headphones: deck-b",
      ]
    )
  }

  @Test("the summary names effects, helper programs, fallbacks and alignment")
  func helperSummary() throws {
    let graph = try GraphFile.parse(
      """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      routes:
        main: {type: lineOut, ports: ["s:1"], inserts: [room], wet: 0.5}
        usb: {type: usbAudio, device: hw:1, align: auto, fallback: main}
        far: {type: virtual, njbridge: {address: 192.0.2.7, port: 30000}, align: 12.5 ms}
        trip: {type: virtual, jacktrip: {channels: 1}, align: free}
      sources:
        keys: {node: synth, inserts: [equalizer, {name: delay, bypass: true}]}
        hum: {tone: {frequency: 50 Hz}}
        hiss: {tone: {wave: pinkNoise}}
      mix: [{from: hum, to: main}, {from: hum, to: trip}]
      """,
      path: "g.yaml",
    )
    #expect(
      graph.summary.dropFirst(2) == [
        "route main: lineOut, output, 1 channel (s:1), through room, wet 0.5",
        "route usb: usbAudio, output, 2 channels (device hw:1), align auto, else on main",
        "route far: virtual, output, 2 channels (njbridge 192.0.2.7, UDP 30000), align 12.5 ms",
        "route trip: virtual, output, 1 channel (jacktrip waits for a call, UDP 4464), align free",
        "source keys: node synth, 2 channels, through equalizer, delay (bypassed) → nowhere",
        "source hum: sine 50 Hz, 1 channel → main, trip",
        "source hiss: pinkNoise, 1 channel → nowhere",
      ]
    )
  }
}

@Suite("Values of a whole graph")
struct WholeGraphTests {
  @Test("routes are aligned where the graph says so, and not otherwise")
  func alignment() throws {
    for (line, isAligned) in [("align: auto", true), ("align: free", false), ("", false)] {
      let text = Marked.soundGraph + line + "\n"
      let graph = try GraphFile.parse(text, path: "g.yaml", files: .everythingExists)
      #expect(graph.alignsRoutes == isAligned, "\(line)")
    }
  }

  @Test("of the sources only files go on where the host ended")
  func resuming() throws {
    let text = Marked.soundGraph.replacing("{file: a.wav}", with: "{file: a.wav, resume: true}")
    for (text, resumes) in [
      (text, [true, false, false]), (Marked.soundGraph, [false, false, false]),
    ] {
      let graph = try GraphFile.parse(text, path: "g.yaml", files: .everythingExists)
      #expect(graph.sources.map(\.resumes) == resumes)
    }
  }
}

@Suite("Routes with a helper program")
struct HelperRouteTests {
  private func graph() throws -> GraphFile {
    try GraphFile.parse(
      """
      multiroute: 1
      name: dj
      align: auto
      routes:
        main: {device: "hw:1,0", align: free}
        far: {type: virtual, njbridge: {address: 192.0.2.7, port: 30000, channels: 3}, fallback: main}
        near: {type: virtual, direction: input, njbridge: {address: 127.0.0.1, port: 30002}}
        trip: {type: virtual, jacktrip: {address: example.org, channels: 1}, align: 12.5 ms}
      """,
      path: "g.yaml",
    )
  }

  @Test("have its ports, and follow the name of the graph")
  func ports() throws {
    var graph = try graph()
    #expect(graph.routes[0].ports == [.name("dj-main:playback_1"), .name("dj-main:playback_2")])
    #expect(graph.routes[1].ports.last == .name("dj-far:in_3"))
    #expect(graph.routes[2].ports.first == .name("dj-near:out_1"))
    #expect(graph.routes[3].ports == [.name("dj-trip:send_1")])
    graph.name = "other"
    #expect(graph.routes[0].ports.first == .name("other-main:playback_1"))
  }

  @Test("say how they are aligned, where they fall back to, and whether their type is a guess")
  func values() throws {
    let graph = try graph()
    #expect(graph.alignsRoutes)
    #expect(graph.routes.map(\.alignment) == [.free, nil, nil, .delay(.microseconds(12_500))])
    #expect(graph.routes[1].fallback == "main")
    #expect(graph.routes.map(\.isTypeGuessed) == [true, false, false, false])
    #expect(graph.routes[0].helper == .device(GraphFile.Route.Device(name: "hw:1,0")))
  }
}
