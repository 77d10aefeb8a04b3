// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import JACK
import SystemSupport

/// A host with eight tones, a MIDI controller and an OSC client that flood it.
///
/// Belongs to the control thread.
final class FloodRig: BenchRig {
  private let host: BenchHost
  private let client: ControlClient
  private let controller: LabClient<FloodVoice>
  private let sender: FloodSender
  private let midiMessages: Int

  /// Starts host and controller on a running server, and waits until they are connected.
  ///
  /// - Parameters:
  ///   - benchmark: The program and the circumstances.
  ///   - server: The server's name.
  /// - Throws: ``LabError`` `jack`, `host`, `tool` or `cancelled`.
  init(_ benchmark: FloodBenchmark, server: String) async throws(LabError) {
    midiMessages = benchmark.midiMessages
    controller = try FloodVoice.client(
      name: Self.device,
      server: server,
      sampleRateHz: benchmark.sampleRateHz,
    )
    host = try await BenchHost(
      program: benchmark.program,
      graph: Self.graph,
      name: "flood",
      server: server,
    )
    client = try await host.connect()
    let status = try await client.ask(GetStatus.self, .init())
    guard let osc = status.surfaces.first(where: { $0.kind == "osc" && $0.fault == nil }) else {
      throw LabError(.host, "the host serves no OSC")
    }
    sender = FloodSender(
      to: Self.tones.map(Self.gainPath),
      messagesPerSecond: benchmark.oscMessages,
      hostPort: osc.port,
    )
    try await waitUntilPlugged()
  }

  /// Ends all of it.
  func close() async {
    try? await sender.stop()
    await client.close()
    host.stop()
    controller.close()
  }

  /// The xruns of the server so far.
  var xruns: Int { Int(controller.connection.xruns.count) }

  /// The memory of the host that is its own, in bytes.
  var hostBytes: Int {
    let line = Machine.this.lines("/proc/\(host.pid)/status").first { $0.hasPrefix("RssAnon:") }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0)
      * 1_024
  }

  /// Begins the flood.
  ///
  /// - Throws: ``LabError`` `tool`.
  func begin() throws(LabError) {
    try sender.start()
    unsafe controller.state.pointee.send(perSecond: midiMessages)
  }

  /// Ends the flood, and compares what the host has with what was sent last.
  ///
  /// - Throws: ``LabError`` `host` or `cancelled`.
  func end(_ readings: inout FloodReadings) async throws(LabError) {
    unsafe controller.state.pointee.send(perSecond: 0)
    try await sender.stop()
    // Messages that are on their way arrive meanwhile.
    try await LabError.sleep(.milliseconds(500))
    readings.oscCount = sender.count
    readings.droppedCount = dropped
    readings.midiCount = unsafe controller.state.pointee.count
    var last = sender.lastValues
    last[Self.midiPath] = 1
    let found = try await client.ask(GetParameters.self, .init(paths: last.keys.sorted()))
    readings.unequalCount = found.values.count { setting in
      guard case .number(let value) = setting.value, let sent = last[setting.path] else {
        return true
      }
      // OSC carries numbers of 32 bits.
      return abs(value - sent) > 1e-5
    }
  }

  /// The datagrams that had no room in the host's socket: the last field of the kernel's list.
  private var dropped: Int {
    let port = String(sender.hostPort, radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: max(0, 4 - port.count)) + port
    let line = Machine.this.lines("/proc/net/udp").first { $0.contains(":\(padded) 00000000:0000") }
    return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
  }

  private func waitUntilPlugged() async throws(LabError) {
    let connection = controller.connection
    for _ in 0..<Self.patience {
      let hosts = try LabError.wrapping { () throws(JACKError) in
        try connection.connections(ofPort: "\(connection.name):out")
      }
      if !hosts.isEmpty {
        // The host reads the values of mapped parameters before it takes messages.
        return try await LabError.sleep(.milliseconds(500))
      }
      try await LabError.sleep(.milliseconds(20))
    }
    throw LabError(.host, "the host does not connect to the MIDI controller within 10 s")
  }

  private static let graph = """
    multiroute: 1
    session: {category: multiRoute, options: [mixWithOthers]}
    server: {start: never}
    routes:
      room: {type: builtInSpeaker, ports: [system:playback_1, system:playback_2]}
    sources:
    \(tones.map { "  \($0): {tone: {frequency: 480 Hz, level: -20 dB}}" }.joined(separator: "\n"))
    mix:
    \(tones.map { "  - {from: \($0), to: room}" }.joined(separator: "\n"))
    controls:
      crossfader: {a: tone1, b: tone2, curve: linear, position: -1}
      midi:
        flood:
          device: \(device)
          map:
            - {control: cc 1/7, parameter: \(midiPath), takeover: jump}
    surfaces:
      osc: {port: 0, tcp: false}

    """

  private static func gainPath(_ tone: String) -> String { "/strip/\(tone)/gain" }

  private static let tones = (1...8).map { "tone\($0)" }
  private static let midiPath = "/crossfader/position"
  private static let device = "flood-controller"
  private static let patience = 500
}
