// SPDX-License-Identifier: MIT

import AudioFiles
import TestSupport
import Testing

@testable import EndToEndSupport

/// Several routes at once, each with a stream of its own.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SplitTests {
  private static let outputs = ["main_out_1", "main_out_2", "headphones_out_1", "headphones_out_2"]

  /// The files of the two decks, as they are stored.
  private enum Storage: CaseIterable {
    case flac, wav

    var format: AudioFileFormat { self == .flac ? .flacPCM16 : .wavPCM16 }
    var suffix: String { self == .flac ? "flac" : "wav" }
  }

  @Test(.steppedServer(frames: 256, channels: 4), arguments: Storage.allCases)
  private func `two routes play two files, sample by sample`(_ storage: Storage) async throws {
    let scratch = try Scratch()
    let deckA = [Signals.noise(60_000, seed: 1), Signals.noise(60_000, seed: 2)]
    let deckB = [Signals.noise(70_001, seed: 3), Signals.noise(70_001, seed: 4)]
    try scratch.write(deckA, to: "a.\(storage.suffix)", format: storage.format)
    try scratch.write(deckB, to: "b.\(storage.suffix)", format: storage.format)
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {preferred: {ioBufferDuration: 5 ms, sampleRate: 48 kHz}}
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
        headphones: {type: headphones, ports: [system:playback_3, system:playback_4]}
      sources:
        deck-a: {file: a.\(storage.suffix), loop: true}
        deck-b: {file: b.\(storage.suffix), loop: true}
      mix:
        - {from: deck-a, to: main}
        - {from: deck-b, to: headphones}
      """,
      to: "split.yaml",
    )
    try await expectEqual(graph, to: deckA + deckB, in: scratch)
  }

  @Test(.steppedServer(frames: 1024, channels: 4))
  func `the shipped dj-split graph plays deck A to the room and deck B to the headphones`()
    async throws
  {
    let graphs = Repository.path("graphs/")
    let deckA = try Signals.read(graphs + "media/deck-a.flac")
    let deckB = try Signals.read(graphs + "media/deck-b.ogg")
    try await expectEqual(graphs + "dj-split.yaml", to: deckA + deckB, in: Scratch())
  }

  /// Runs a graph and expects its four route channels to be loops of four references.
  private func expectEqual(
    _ graph: String,
    to references: [[Float]],
    in scratch: Scratch,
  ) async throws {
    let server = try testServer().name
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let recorder = try Recorder(
      from: Self.outputs.map { host.port($0) },
      capacityFrames: 3 * 48_000,
      server: server,
    )
    recorder.start()
    let recording = try await recorder.finish()
    recorder.close()
    #expect(try await host.stop() == .code(0))

    var positions: [Int] = []
    for (samples, reference) in zip(recording.channels, references) {
      let start = try #require(samples.indices.dropFirst(4_800).first { samples[$0] != 0 })
      let match = try #require(Signals.longestMatch(of: samples, from: start, inLoop: reference))
      #expect(match.frames >= 2 * 48_000, "equal for \(match.frames) frames")
      #expect(start + match.frames == samples.count)
      positions.append((match.position - start + reference.count) % reference.count)
    }
    // Left and right of a file belong together.
    #expect(positions[0] == positions[1])
    #expect(positions[2] == positions[3])
  }
}
