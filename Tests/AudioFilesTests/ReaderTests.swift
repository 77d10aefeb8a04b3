// SPDX-License-Identifier: MIT

import AudioFiles
import Testing

@Suite("Reading")
struct ReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(
    "lossless formats give every sample back",
    arguments: ["wav", "flac", "aiff", "au", "caf", "w64"],
  )
  func lossless(suffix: String) async throws {
    let samples = Signals.counting(frames: 5003, channels: 3)
    let original = folder.file("original.wav")
    try Signals.write(samples, to: original, format: .wavPCM24, sampleRateHz: 44_100, channels: 3)
    let path = folder.file("copy." + suffix)
    try await Sox.run(original, "-b", "24", path)

    let info = try AudioFileReader(path: path).info
    #expect(info.channels == 3)
    #expect(info.sampleRateHz == 44_100)
    #expect(info.frames == 5003)
    #expect(info.durationSeconds == 5003.0 / 44_100)
    #expect(info.formatName.contains("24 bit"))
    #expect(try Signals.read(path) == samples)
  }

  @Test("lossy formats come close to the original", arguments: [("ogg", 30.0), ("mp3", 20.0)])
  func lossy(suffix: String, leastDB: Double) async throws {
    let sine = Signals.sine(frames: 48_000, frequencyHz: 997, sampleRateHz: 48_000, peak: 0.5)
    let original = folder.file("original.wav")
    try Signals.write(sine, to: original, channels: 1)
    let path = folder.file("copy." + suffix)
    try await Sox.run(original, path)

    let samples = try Signals.read(path)
    // An MP3 is longer by its encoder's delay and padding.
    #expect((48_000...51_000).contains(samples.count))
    let middle = samples[10_000..<40_000]
    #expect(Signals.sinadDB(middle, frequencyHz: 997, sampleRateHz: 48_000) > leastDB)
  }

  @Test("going to a frame gives what reading up to it gives", arguments: Media.names)
  func seek(name: String) throws {
    let path = Media.path(name)
    let whole = try Signals.read(path)
    let reader = try AudioFileReader(path: path)
    let channels = reader.info.channels
    let frames = whole.count / channels
    for frame in [0, 1, frames / 2, 12_345, 7, 0, frames - 10] {
      try reader.seek(toFrame: frame)
      #expect(reader.positionFrame == frame)
      let end = min(frames, frame + 500) * channels
      let read = Signals.read(reader, frames: 500)
      let expected = whole[frame * channels..<end]
      #expect(read.count == expected.count)
      // The MP3 decoder rounds differently after a seek.
      let tolerance: Float = name.hasSuffix("mp3") ? 1e-6 : 0
      #expect(zip(read, expected).allSatisfy { abs($0 - $1) <= tolerance }, "frame \(frame)")
    }
  }

  @Test("a place outside of the file is refused")
  func seekOutside() throws {
    let reader = try AudioFileReader(path: Media.path("voice.wav"))
    for frame in [-1, 1 << 40, .min, .max] {
      let error = #expect(throws: AudioFileError.self) { try reader.seek(toFrame: frame) }
      #expect(error?.code == .cannotSeek)
    }
    #expect(Signals.read(reader, frames: 100).count == 100)
  }

  @Test("the shipped sounds are small, at 48 kHz, and not silent")
  func shipped() throws {
    for name in Media.names {
      let info = try AudioFileReader(path: Media.path(name)).info
      #expect(info.sampleRateHz == 48_000)
      #expect(info.channels == (name.hasPrefix("deck") ? 2 : 1))
      let samples = try Signals.read(Media.path(name))
      let peak = samples.map(abs).max() ?? 0
      #expect((0.3...1).contains(peak), "\(name)")
    }
    let deckA = try Signals.read(Media.path("deck-a.flac"))
    let deckB = try Signals.read(Media.path("deck-b.flac"))
    #expect(deckA.count == 8 * 96_000)
    #expect(deckB.count == 512_000 * 2)
    #expect(zip(deckA, deckB).contains { $0 != $1 })
  }
}
