// SPDX-License-Identifier: MIT

import ArgumentParser
import InterAppAudio
import JACK
import MIDIFiles
import UnixSignals

/// `multiroute midi FILE PLACE`: plays a MIDI file to an instrument.
struct MIDICommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "midi",
    abstract: "Play a MIDI file to a node or client, each message at its frame.",
    discussion: "Example: multiroute midi song.mid synth",
  )

  /// How far ahead messages are given.
  private static let aheadSeconds = 0.25

  @OptionGroup var server: NodeServerOption
  @Argument(help: "A standard MIDI file.") var file: String
  @Argument(help: "A node's name, a client's, or 'client:' with the beginning of a port's.")
  var place: String
  @Flag(help: "Begin again at the end, until interrupted.") var loop = false

  func run() async throws {
    let music: MIDIFile
    do throws(MIDIFile.Fault) {
      music = try MIDIFile(path: file)
    } catch {
      Terminal.complain("error: \(error)")
      throw ExitCode.badData
    }
    try await server.withHost { host in
      let point = try await host.patchPoint(place, isSource: false)
      guard let input = point.midi.first else {
        throw InterAppAudioError(.unsupportedType, "'\(place)' takes no MIDI")
      }
      let output = try await host.midiOutput(named: "out")
      try await host.patch([output.portName], to: [input])
      Terminal.say("\(music.events.count) messages, \(Int(music.seconds)) s, to \(input)")
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await play(music, to: output, host.connection) }
        group.addTask {
          for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) { return }
        }
        try await group.next()
        group.cancelAll()
      }
      try await silence(output, host.connection)
    }
  }

  private func play(
    _ music: MIDIFile,
    to output: MIDIOutput,
    _ connection: ClientConnection,
  ) async throws {
    let rate = Double(try connection.sampleRateHz)
    let ahead = Int64(rate * Self.aheadSeconds)
    var clock = FrameClock(try connection.frameTime)
    var start = clock.frames + ahead
    repeat {
      for event in music.events {
        let frame = start + Int64(event.seconds * rate)
        try await wait(until: frame - ahead, by: &clock, connection)
        try output.send(
          ScheduledMIDI(
            frame: UInt32(truncatingIfNeeded: frame),
            status: event.status,
            data1: event.data1,
            data2: event.data2,
          )
        )
      }
      start += Int64(max(0.1, music.seconds) * rate)
      try await wait(until: start - ahead, by: &clock, connection)
    } while loop
  }

  /// Ends all notes, once what was given ahead has left.
  private func silence(_ output: MIDIOutput, _ connection: ClientConnection) async throws {
    let rate = Double(try connection.sampleRateHz)
    var clock = FrameClock(try connection.frameTime)
    let frame = clock.frames + Int64(rate * Self.aheadSeconds)
    for channel in 0..<UInt8(16) {
      try output.send(
        ScheduledMIDI(
          frame: UInt32(truncatingIfNeeded: frame),
          status: 0xb0 | channel,
          data1: 123,
          data2: 0,
        )
      )
    }
    try await wait(until: frame + Int64(rate * 0.1), by: &clock, connection)
  }

  private func wait(
    until frame: Int64,
    by clock: inout FrameClock,
    _ connection: ClientConnection,
  ) async throws {
    while true {
      clock.advance(to: try connection.frameTime)
      guard clock.frames < frame else { return }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}
