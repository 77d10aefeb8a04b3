// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
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

  /// The time by which messages are sent ahead.
  private static let aheadSeconds = 0.25

  @OptionGroup var server: NodeServerOption
  @Argument(help: "A standard MIDI file.", completion: .file(extensions: ["mid", "midi"]))
  var file: String
  @Argument(
    help: "A node's name, a client's, or 'client:' with the beginning of a port's.",
    completion: LiveNames.places,
  )
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
        throw InterAppAudioError(
          .unsupportedType,
          "'\(place)' has no MIDI input; name a node or a port that has one"
        )
      }
      // From the first note on, a signal ends all of them.
      let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
      let output = try await host.midiOutput(named: "out")
      try await host.patch([output.portName], to: [input])
      Terminal.say("\(music.events.count) messages, \(Int(music.seconds)) s, to \(input)")
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await play(music, to: output, host.connection) }
        group.addTask {
          for await _ in signals { return }
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

  /// Ends all notes, after the messages that were sent ahead.
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

/// JACK's frame time continued beyond its wrap at 2³² frames, which comes after 25 hours at 48 kHz.
///
/// Pure value: [any-thread].
struct FrameClock {
  /// The frames, counted on from the first time.
  private(set) var frames: Int64
  private var time: UInt32

  init(_ time: UInt32) {
    self.time = time
    frames = Int64(time)
  }

  /// Advances to the present time.
  ///
  /// Call it at least once in 2³¹ frames.
  mutating func advance(to time: UInt32) {
    frames += Int64(Int32(bitPattern: time &- self.time))
    self.time = time
  }
}
