// SPDX-License-Identifier: MIT

import GraphFiles
import Sessions
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Host

/// Sound cards that come and go, and the types guessed for them.
struct DeviceTests {
  private let tree: MachineTree

  init() throws {
    tree = try MachineTree([
      "proc/asound/cards": """
       0 [PCH            ]: HDA-Intel - HDA Intel PCH
                            HDA Intel PCH at 0x6001118000 irq 143
       1 [Pro            ]: USB-Audio - Scarlett 2i2 USB
                            Focusrite Scarlett 2i2 USB at usb-0000:00:14.0-1, high speed

      """,
      "proc/asound/pcm": """
      00-00: ALC257 Analog : ALC257 Analog : playback 1 : capture 1
      00-03: HDMI 0 : HDMI 0 : playback 1
      01-00: USB Audio : USB Audio : playback 1 : capture 1

      """,
    ])
  }

  @Test("RTE-6: ALSA's devices have the port type that their names tell")
  func types() {
    let devices = tree.machine().soundDevices()
    #expect(devices.map(\.alsaName) == ["hw:PCH,0", "hw:PCH,3", "hw:Pro,0"])
    #expect(devices.map { $0.portType(isOutput: true) } == [.lineOut, .HDMI, .usbAudio])
    #expect(devices.map(\.canCapture) == [true, false, true])
    #expect(devices[0].portType(isOutput: false) == .lineIn)
  }

  @Test(
    "ALSA's names mean a device by number, id or both",
    arguments: [
      ("hw:1", true), ("hw:Pro", true), ("plughw:Pro,0", true), ("hw:CARD=Pro,DEV=0", true),
      ("hw:1,1", false), ("hw:0", false), ("pipewire", false), ("hw:PCH", false),
    ],
  )
  func meaning(name: String, isMeant: Bool) throws {
    let device = try #require(tree.machine().soundDevices().last)
    #expect(device.isMeant(by: name) == isMeant)
  }

  @Test(
    "RTE-6: names of ports tell what they are",
    arguments: [
      ("bluez_output.00_11.a2dp-sink:playback_FL", "bluetoothA2DP"),
      ("HDA NVidia Digital Stereo (HDMI):playback_FL", "HDMI"),
      ("Built-in Headphones:playback_FL", "headphones"), ("system:playback_1", "lineOut"),
      ("raop_sink.kitchen:playback_FL", "airPlay"), ("Scarlett 2i2 USB:playback_1", "usbAudio"),
    ],
  )
  func portTypes(port: String, type: String) {
    #expect(PortTypeGuess.type(of: [port], isOutput: true, isHardware: true).name == type)
  }

  @Test("a card that comes and goes is reported once")
  func watch() throws {
    let machine = tree.machine()
    let devices = Mutex(machine.soundDevices())
    var watch = DeviceWatch { devices.withLock { $0 } }
    #expect(watch.look(nowNanoseconds: 2_000_000_000).isEmpty)
    let usb = devices.withLock { $0.removeLast() }
    #expect(watch.look(nowNanoseconds: 2_500_000_000).isEmpty, "a look a second")
    #expect(watch.look(nowNanoseconds: 3_000_000_000) == [.init(device: usb, isThere: false)])
    devices.withLock { $0.append(usb) }
    #expect(watch.look(nowNanoseconds: 4_000_000_000) == [.init(device: usb, isThere: true)])
  }

  @Test("a missing route is heard on its fallback, or has no entry for it")
  func fallbacks() throws {
    let graph = try GraphFile.parse(
      """
      multiroute: 1
      routes:
        main: {ports: [system:playback_1], fallback: spare}
        phones: {device: hw:Gone, fallback: main}
        alone: {device: hw:Away, fallback: nowhere}
        nowhere: {ports: [nobody:in]}
        spare: {ports: [system:playback_2]}
      """,
      path: "g.yaml",
    )
    let survey = DeviceSurvey(
      graph: graph,
      ports: [Ports.input("system:playback_2", physical: true)],
      devices: [],
      isPipeWire: true,
      server: nil,
    )
    #expect(survey.missing.map(\.route) == ["main", "phones", "alone", "nowhere"])
    #expect(survey.missing.map(\.fallback) == ["spare", "spare", nil, nil])
  }

  @Test("a route is not proposed the inputs of a virtual source, and names are quoted for YAML")
  func virtualSource() throws {
    let graph = try GraphFile.parse(
      """
      multiroute: 1
      routes:
        main: {ports: [system:playback_1, system:playback_2]}
        phones: {ports: [system:playback_3, system:playback_4]}
        more: {ports: [system:playback_5]}
      """,
      path: "g.yaml",
    )
    let sink = ["playback_FL", "playback_FR"].map { "Card \"A\":\($0)" }
    let inputs = ["Card \"A\":input_FL", "Card \"A\":input_FR"]
    let survey = DeviceSurvey(
      graph: graph,
      ports: (inputs + sink).map { Ports.input($0, physical: true) },
      devices: [],
      isPipeWire: true,
      server: nil,
    )
    let main = #"ports: ["Card \"A\":playback_FL", "Card \"A\":playback_FR"]"#
    #expect(survey.missing.first?.line == main)
    let pasted = "multiroute: 1\nroutes:\n" + (survey.entries[0].block ?? "")
    let names = try GraphFile.parse(pasted, path: "p.yaml").routes[0].ports.map(\.description)
    #expect(names == sink + inputs)
    // The host's own lines are the same; a port is proposed once.
    var report = AvailabilityReport(graph: graph)
    let changes = report.changes(isSatisfied: { _ in false }, freePorts: { inputs + sink })
    #expect(changes[0].message.contains(main))
    #expect(!changes[1].message.contains("playback_FL") && changes[1].message.contains("input_FL"))
    #expect(changes[2].message.contains("no further port"))
  }

  @Test("a survey says what a graph does with each, and gives a route that can be pasted")
  func survey() throws {
    let graph = try GraphFile.parse(
      """
      multiroute: 1
      routes:
        main: {ports: [system:playback_1, system:playback_2]}
        usb: {device: hw:Pro, fallback: main}
        gone: {device: hw:Gone, fallback: main}
      """,
      path: "g.yaml",
    )
    let survey = DeviceSurvey(
      graph: graph,
      ports: [
        Ports.input("system:playback_1", physical: true),
        Ports.input("system:playback_2", physical: true),
        Ports.output("system:capture_1", physical: true), Ports.input("player:in"),
        Ports.input("usb:playback_1", physical: true),
      ],
      bridges: ["usb"],
      devices: tree.machine().soundDevices(),
      isPipeWire: false,
      server: "default (jackd)",
    )
    #expect(
      survey.entries.map(\.use) == [
        "route 'main'", "not in the graph", "a bridge: a route names its device instead",
        "not in the graph", "not in the graph",
        "not in the graph", "route 'usb'", "not in the graph",
      ]
    )
    #expect(survey.missing.map(\.route) == ["gone"])
    // A fresh graph of all the blocks is a graph without faults.
    let pasted =
      "multiroute: 1\nroutes:\n" + survey.entries.compactMap(\.block).joined(separator: "\n")
    let routes = try GraphFile.parse(pasted, path: "p.yaml").routes
    #expect(routes.count == survey.entries.count - 1)
    #expect(routes.map(\.type.name) == survey.entries.filter { $0.block != nil }.map(\.type))
  }
}
