// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// A desk that speaks Mackie Control, on a real server.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct MackieTests {
  private static let graph = """
    multiroute: 1
    session: {category: multiRoute}
    routes:
      main: {type: lineOut, ports: [system:playback_1]}
    sources:
      voice: {tone: {frequency: 480 Hz, level: -20 dB}}
      band: {tone: {frequency: 960 Hz, level: -20 dB}}
    mix:
      - {from: voice, to: main}
      - {from: band, to: main}
    surfaces: {mackie: [{device: X-Touch}]}
    """

  private static let frames = 48_000

  /// Messages at times in milliseconds after the start.
  private static func desk(_ messages: [(Int, [UInt8])], server: String) throws -> MIDIDevice {
    try MIDIDevice(
      messages.map { TimedMIDI($0.0 * frames / 1000, $0.1) },
      name: "X-Touch",
      server: server,
    )
  }

  private static func values(_ paths: [String], of control: ControlClient) async throws
    -> [ParameterValue]
  {
    try await control.call(GetParameters.self, GetParameters.Params(paths: paths)).values
      .map(\.value)
  }

  private static func text(_ offset: UInt8, _ text: String) -> [UInt8] {
    [0xF0, 0x00, 0x00, 0x66, 0x14, 0x12, offset] + Array(text.utf8) + [0xF7]
  }

  @Test(.jackServer())
  func `a desk shows and changes the mix and the transport, and is filled again after each plug`()
    async throws
  {
    let server = try testServer().name
    let scratch = try Scratch()
    let graph = try scratch.write(Self.graph, to: "desk.yaml")
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let control = try await host.control()
    let desk = try Self.desk(
      [
        (0, [0x90, 0x68, 0x7F]), (10, [0xE0, 0x00, 0x20]), (20, [0xE0, 0x00, 0x40]),
        (30, [0x90, 0x68, 0x00]), (40, [0x90, 0x11, 0x7F]), (50, [0xB0, 0x11, 0x05]),
        (60, [0x90, 0x5E, 0x7F]), (70, [0xE8, 0x70, 0x7F]),
      ],
      server: server,
    )
    func isSent(_ bytes: [UInt8], to desk: MIDIDevice) -> Bool {
      desk.received.contains { $0.bytes == bytes }
    }
    // The names follow 600 ms after the rest.
    let names = Self.text(0, "voice  band   " + String(repeating: " ", count: 42))
    try await waitUntil("the desk is filled") { isSent(names, to: desk) }
    #expect(isSent([0xE0, 0x70, 0x5F], to: desk), "0 dB")
    #expect(isSent([0xB0, 0x30, 0x46], to: desk), "the pan's ring")
    try await waitUntil("a meter") {
      isSent([0xD0, 0x05], to: desk) || isSent([0xD0, 0x04], to: desk)
    }

    desk.start()
    try await waitUntil("the lamp of mute") { isSent([0x90, 0x11, 0x7F], to: desk) }
    #expect(isSent([0xE0, 0x00, 0x40], to: desk), "the fader's echo")
    try await waitUntil("the lamp of play") { isSent([0x90, 0x5E, 0x7F], to: desk) }
    let paths = [
      "/strip/voice/gain", "/strip/band/mute", "/strip/band/pan", "/transport/rolling",
      "/route/main/gain",
    ]
    let gain = FaderTaper.gainDB(atPosition: 512.0 / 1023)
    let expected: [ParameterValue] = [
      .number(gain), .flag(true), .number(0.1), .flag(true), .number(10),
    ]
    var found: [ParameterValue] = []
    for _ in 0..<100 where found != expected {
      found = try await Self.values(paths, of: control)
      // The host sets what has come, and JACK's transport starts with a later cycle.
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(found == expected)
    desk.close()

    let setting = ParameterSetting(path: "/strip/voice/gain", value: .number(10))
    _ = try await control.call(SetParameters.self, SetParameters.Params(values: [setting]))
    let again = try Self.desk([], server: server)
    try await waitUntil("the desk is filled again") { isSent(names, to: again) }
    #expect(isSent([0xE0, 0x70, 0x7F], to: again), "the gain that was set meanwhile")
    #expect(isSent([0x90, 0x11, 0x7F], to: again))
    again.close()
    await control.close()
    _ = try await host.stop()
  }

  @Test(.jackServer())
  func
    `MCU-61 an extender on the left shows the first strips, and the main unit those behind them`()
    async throws
  {
    let server = try testServer().name
    let scratch = try Scratch()
    let strips = (1...10).map { "s\($0)" }
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute}
      routes:
        main: {type: lineOut, ports: [system:playback_1]}
      sources: {\(strips.map { "\($0): {tone: {}}" }.joined(separator: ", "))}
      mix: [\(strips.map { "{from: \($0), to: main}" }.joined(separator: ", "))]
      surfaces:
        mackie: [{device: X-Touch-Ext, extender: true}, {device: X-Touch}]
      """,
      to: "extender.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let control = try await host.control()
    func name(_ kind: UInt8, _ cells: [String]) -> [UInt8] {
      let line = cells.map { $0 + String(repeating: " ", count: 7 - $0.count) }.joined()
      return [0xF0, 0x00, 0x00, 0x66, kind, 0x12, 0] + Array(line.utf8) + [0xF7]
    }
    func device(_ name: String, _ messages: [TimedMIDI]) throws -> MIDIDevice {
      try MIDIDevice(messages, name: name, server: server)
    }
    let extender = try device("X-Touch-Ext", [TimedMIDI(0, [0x90, 0x10, 0x7F])])
    let main = try device("X-Touch", [TimedMIDI(0, [0x90, 0x11, 0x7F])])
    let empty = [String](repeating: "", count: 6)
    try await waitUntil("both units show their strips") {
      extender.received.contains { $0.bytes == name(0x15, Array(strips[..<8])) }
        && main.received.contains { $0.bytes == name(0x14, Array(strips[8...]) + empty) }
    }
    let colors: [UInt8] = [0xF0, 0x00, 0x00, 0x66, 0x14, 0x72, 7, 7, 0, 0, 0, 0, 0, 0, 0xF7]
    #expect(main.received.contains { $0.bytes == colors })
    extender.start()
    main.start()
    try await waitUntil("the lamps of mute") {
      extender.received.contains { $0.bytes == [0x90, 0x10, 0x7F] }
        && main.received.contains { $0.bytes == [0x90, 0x11, 0x7F] }
    }
    let muted = ["/strip/s1/mute", "/strip/s9/mute", "/strip/s10/mute"]
    #expect(try await Self.values(muted, of: control) == [.flag(true), .flag(false), .flag(true)])
    #expect(extender.received.allSatisfy { $0.bytes[0] != 0xE8 }, "an extender has no master fader")
    for device in [extender, main] { device.close() }
    await control.close()
    _ = try await host.stop()
  }

  @Test(.jackServer())
  func `MCU-2 a Logic Control is asked, answered, and filled once it accepts`() async throws {
    let server = try testServer().name
    let scratch = try Scratch()
    let graph = try scratch.write(
      Self.graph.replacing("{device: X-Touch}", with: "{device: Logic Control, model: logic}"),
      to: "logic.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    func message(_ command: UInt8, _ data: [UInt8] = []) -> [UInt8] {
      [0xF0, 0x00, 0x00, 0x66, 0x10, command] + data + [0xF7]
    }
    let serial: [UInt8] = [0x4C, 0x43, 0x30, 0x30, 0x30, 0x30, 0x31]
    let desk = try MIDIDevice(
      [
        TimedMIDI(0, message(0x01, serial + [0x12, 0x34, 0x56, 0x78])),
        TimedMIDI(14_400, message(0x03, serial)),
      ],
      name: "Logic Control",
      server: server,
    )
    try await waitUntil("the desk is asked") { desk.received.first?.bytes == message(0x00) }
    // No more is sent to a desk that has not said that it is ready.
    #expect(desk.received.count == 1)
    desk.start()
    let response = message(0x02, serial + [0x58, 0x0F, 0x16, 0x4E])
    try await waitUntil("the challenge is answered") {
      desk.received.contains { $0.bytes == response }
    }
    let names = message(
      0x12,
      [0] + Array(("voice  band   " + String(repeating: " ", count: 42)).utf8)
    )
    try await waitUntil("the desk is filled") { desk.received.contains { $0.bytes == names } }
    desk.close()
    _ = try await host.stop()
  }
}
