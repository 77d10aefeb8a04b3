// SPDX-License-Identifier: MIT

import Glibc
import InterAppAudio
import JACK

/// A host for nodes in 100 lines: finds an instrument and effects, starts those that are not running,
/// connects them to the speakers, and plays a tune in time.
///
///     multiroute node run synth &
///     multiroute node run delay &
///     swift run inter-app-host synth delay
///
/// The first argument is an instrument; the others are effects, in the order of the signal.
///
/// Belongs to the control thread.
@main
struct InterAppHostExample {
  /// The notes of the tune, one per beat.
  private static let tune: [UInt8] = [57, 60, 64, 69, 67, 64, 60, 55]
  private static let beatsPerMinute = 120.0

  static func main() async {
    do {
      let names = CommandLine.arguments.dropFirst()
      let host = try InterAppHost(HostDescription(name: "example-host"))
      guard let first = names.first else {
        await list(host)
        return await host.close()
      }
      try await play(first, through: Array(names.dropFirst()), host)
      await host.close()
    } catch {
      print("error: \(error)")
      exit(EXIT_FAILURE)
    }
  }

  /// Prints the running and installed nodes, the most recently used first.
  private static func list(_ host: InterAppHost) async {
    for node in await host.nodes() {
      let said = node.description
      print(node.name, said.kind.rawValue, said.versionText, node.isRunning ? "runs" : "installed")
    }
  }

  private static func play(
    _ name: String,
    through effects: [String],
    _ host: InterAppHost,
  ) async throws {
    // Changes among nodes and their commands: the notifications of the original.
    let watching = Task {
      for await change in host.changes {
        switch change {
        case .published(let node): print("+ \(node.name)")
        case .withdrawn(let node): print("- \(node.name): its instance is invalid")
        case .remoteControl(_, .togglePlayPause): try? await toggle(host)
        case .remoteControl(_, let event): print("asked: \(event)")
        default: break
        }
      }
    }
    defer { watching.cancel() }

    let instrument = try await host.connect(host.node(named: name))
    var chain: [NodeInstance] = []
    for effect in effects { chain.append(try await host.connect(host.node(named: effect))) }

    // The instrument through the effects to the first two hardware outputs, without added latency.
    let speakers = try host.connection
      .ports(kind: AudioKind.self, flags: [.input, .physical])
      .prefix(2).map(\.name)
    try await host.insert(chain, between: instrument.node.audioOutputs, and: speakers)

    // Tempo and transport: all nodes see the same values in a cycle.
    try await host.setTempo(beatsPerMinute, beatsPerBar: 4)
    try await host.setPlaying(true)
    try await playTune(instrument, host)
    try await host.setPlaying(false)
    await host.disconnect(instrument)
    for effect in chain { await host.disconnect(effect) }
  }

  /// Sends every note ahead of time, with the frame at which it is heard.
  private static func playTune(_ instrument: NodeInstance, _ host: InterAppHost) async throws {
    let rate = Double(try host.connection.sampleRateHz)
    let framesPerBeat = UInt32(rate * 60 / beatsPerMinute)
    var frame = try host.connection.frameTime &+ UInt32(rate / 10)
    for note in tune {
      guard !instrument.isInvalidated else { return print("\(instrument.node.name) is gone") }
      try instrument.send(ScheduledMIDI(frame: frame, status: 0x90, data1: note, data2: 100))
      let end = frame &+ framesPerBeat * 3 / 4
      try instrument.send(ScheduledMIDI(frame: end, status: 0x80, data1: note, data2: 0))
      frame &+= framesPerBeat
      try await Task.sleep(for: .seconds(60 / beatsPerMinute))
    }
    try await Task.sleep(for: .seconds(1))
  }

  /// Handles the play button of a node.
  private static func toggle(_ host: InterAppHost) async throws {
    try await host.setPlaying(try host.connection.transport.state == .stopped)
  }
}
