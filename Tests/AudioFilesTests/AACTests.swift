// SPDX-License-Identifier: MIT

import AudioFiles
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("AAC and MPEG-4")
struct AACTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Sines of two frequencies, interleaved.
  private static func music(frames: Int, channels: Int, rateHz: Double) -> [Float] {
    let sines = [440.0, 1_000].prefix(channels).map {
      Signals.sine(frames: frames, frequencyHz: $0, sampleRateHz: rateHz, peak: 0.5)
    }
    return (0..<frames * channels).map { sines[$0 % channels][$0 / channels] }
  }

  /// Writes a file and returns its samples.
  @discardableResult
  private func write(
    _ path: String,
    _ format: AudioFileFormat = .mpeg4(bitsPerSecond: 192_000),
    frames: Int,
    channels: Int = 2,
    rateHz: Double = 44_100,
  ) throws -> [Float] {
    let samples = Self.music(frames: frames, channels: channels, rateHz: rateHz)
    try Signals.write(samples, to: path, format: format, sampleRateHz: rateHz, channels: channels)
    return samples
  }

  /// The ratio of a signal to its difference from another one, in dB.
  private static func likenessDB(_ samples: some Sequence<Float>, _ others: some Sequence<Float>)
    -> Double
  {
    var (signal, rest) = (0.0, 1e-12)
    for (sample, other) in zip(samples, others) {
      signal += Double(sample) * Double(sample)
      rest += Double(sample - other) * Double(sample - other)
    }
    return 10 * log10(signal / rest)
  }

  @Test(
    "a file of MPEG-4 has exactly the frames that were written, each in its place",
    arguments: [
      (44_100, 2, 100_000), (48_000, 1, 48_000), (12_000, 1, 30_001), (96_000, 2, 1_024),
      (44_100, 2, 1_025),
    ],
  )
  func roundTrip(rateHz: Int, channels: Int, frames: Int) throws {
    let path = folder.file("take.m4a")
    let samples = try write(path, frames: frames, channels: channels, rateHz: Double(rateHz))
    let info = try AudioFileReader(path: path).info
    #expect(info.sampleRateHz == Double(rateHz))
    #expect(info.channels == channels)
    #expect(info.frames == frames)
    #expect(info.formatName == "MPEG-4, AAC")
    let read = try Signals.read(path)
    #expect(read.count == samples.count)
    // The beginning is where an encoder settles; the rest is nearer to the original than any shifted copy is.
    let from = min(samples.count / 2, 4_096 * channels)
    let likeness = Self.likenessDB(samples[from...], read[from...])
    #expect(likeness > 20)
    #expect(likeness > Self.likenessDB(samples[from...], read[(from - channels)...]))
    #expect(likeness > Self.likenessDB(samples[(from - channels)...], read[from...]))
    #expect(try folder.names == ["take.m4a"])
  }

  @Test("a stream of AAC plays, after the frames that the encoder puts before it")
  func stream() throws {
    let path = folder.file("take.aac")
    let samples = try write(path, .aacStream(bitsPerSecond: 192_000), frames: 50_000)
    let read = try Signals.read(path)
    #expect(read.count / 2 % 1_024 == 0)
    #expect(read.count / 2 >= 51_024)
    #expect(try AudioFileReader(path: path).info.frames == read.count / 2)
    let later = read[(2 * 1_024)...]
    #expect(Self.likenessDB(samples[8_192..<98_000], later.dropFirst(8_192)) > 25)
  }

  @Test(
    "any frame can be gone to, and is the one of a continuous reading",
    arguments: ["m4a", "aac"]
  )
  func positions(suffix: String) throws {
    let path = folder.file("take." + suffix)
    let bits = 192_000
    let format =
      suffix == "aac"
      ? AudioFileFormat.aacStream(bitsPerSecond: bits) : .mpeg4(bitsPerSecond: bits)
    try write(path, format, frames: 60_000)
    let all = try Signals.read(path)
    let reader = try AudioFileReader(path: path)
    var random = TestSeed.random()
    var places = [0, 1, 1_023, 1_024, all.count / 2 - 400]
    for _ in 0..<60 { places.append(Int.random(in: 0..<all.count / 2 - 400, using: &random)) }
    for place in places {
      try reader.seek(toFrame: place)
      var part = [Float](repeating: 0, count: 800)
      var room = part.mutableSpan
      #expect(reader.read(into: &room) == 400)
      // Decoders replace noise by noise of their own, so the parts are alike, not equal: 30 dB below the sines at most.
      let rest = zip(all[2 * place..<2 * place + 800], part).map { ($0 - $1) * ($0 - $1) }
      let meanSquare = rest.reduce(0, +) / 800
      #expect(meanSquare < 0.125 / 1_000, "frame \(place): \(meanSquare)")
    }
    try reader.seek(toFrame: all.count / 2)
    var part = [Float](repeating: 0, count: 2)
    var room = part.mutableSpan
    #expect(reader.read(into: &room) == 0)
    #expect(reader.damage == nil)
  }

  @Test("settings that AAC does not have are refused, and leave no file")
  func refusals() throws {
    let path = folder.file("take.m4a")
    let cases: [(rate: Double, channels: Int, bits: Int)] = [
      (44_000, 2, 128_000), (44_100, 3, 128_000), (44_100, 0, 128_000), (44_100, 2, 7_999),
      (44_100, 2, 512_001),
    ]
    for (rate, channels, bits) in cases {
      let error = #expect(throws: AudioFileError.self) {
        try AudioFileWriter(
          path: path,
          format: .mpeg4(bitsPerSecond: bits),
          sampleRateHz: rate,
          channels: channels,
        )
      }
      #expect(error?.code == .invalidSetting)
    }
    #expect(try folder.names == [])
  }

  @Test("a killed writer leaves a file that plays, up to its last whole second")
  func killed() async throws {
    let path = folder.file("killed.m4a")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let writer = try AudioFileWriter(
        path: path,
        format: .mpeg4(bitsPerSecond: 128_000),
        sampleRateHz: 48_000,
        channels: 1,
      )
      let sine = Signals.sine(frames: 48_000, frequencyHz: 440, sampleRateHz: 48_000, peak: 0.5)
      for _ in 0..<4 { try writer.write(sine.span) }
      kill(getpid(), SIGKILL)
    }
    let read = try Signals.read(path)
    #expect((96_000...194_000).contains(read.count))
    #expect(Signals.sinadDB(read[8_192..<40_000], frequencyHz: 440, sampleRateHz: 48_000) > 25)
    // It can be begun again, as a loop does.
    let reader = try AudioFileReader(path: path)
    try reader.seek(toFrame: 0)
  }

  @Test("a recorder makes the sample rate that its file is to have", arguments: [44_100, 12_000])
  func otherRate(rateHz: Int) throws {
    for format in [AudioFileFormat.wavFloat32, .mpeg4(bitsPerSecond: 128_000)] {
      let path = folder.file("take." + format.container.rawValue)
      let recorder = try FileRecorder(
        path: path,
        settings: FileRecorder.Settings(
          format: format,
          sampleRateHz: 48_000,
          fileSampleRateHz: Double(rateHz),
          channels: 1,
        ),
      )
      let sine = Signals.sine(frames: 96_000, frequencyHz: 440, sampleRateHz: 48_000, peak: 0.5)
      AudioThread.push(sine, into: recorder.tap, cycles: [256])
      let status = recorder.finish()
      #expect(status.error == nil)
      #expect(status.framesWritten == 2 * rateHz)
      let info = try AudioFileReader(path: path).info
      #expect(info.sampleRateHz == Double(rateHz))
      #expect(info.frames == 2 * rateHz)
      let read = try Signals.read(path)
      let likeness = Signals.sinadDB(
        read[8_192..<2 * rateHz - 1_000],
        frequencyHz: 440,
        sampleRateHz: Double(rateHz),
      )
      #expect(likeness > (format.container == .wav ? 80 : 25), "\(format): \(likeness) dB")
    }
  }

  @Test("damaged files are refused, or end early: nothing crashes, and no more comes than they say")
  func hostile() throws {
    var random = TestSeed.random()
    for suffix in ["m4a", "aac"] {
      let good = folder.file("good." + suffix)
      let format =
        suffix == "aac"
        ? AudioFileFormat.aacStream(bitsPerSecond: 64_000) : .mpeg4(bitsPerSecond: 64_000)
      try write(good, format, frames: 8_000)
      let bytes = try Data(contentsOf: URL(filePath: good))
      let bad = folder.file("bad." + suffix)
      for round in 0..<200 {
        var copy = bytes
        if round % 3 == 0 { copy = copy.prefix(Int.random(in: 1..<bytes.count, using: &random)) }
        for _ in 0..<(round % 3) * 4 {
          let place = Int.random(in: 0..<copy.count, using: &random)
          copy[place] = UInt8.random(in: 0...255, using: &random)
        }
        try copy.write(to: URL(filePath: bad))
        guard let reader = try? AudioFileReader(path: bad) else { continue }
        #expect((1...64).contains(reader.info.channels))
        #expect((1...384_000).contains(reader.info.sampleRateHz))
        var frames = 0
        var part = [Float](repeating: 0, count: 4_096 * reader.info.channels)
        while frames < 1_000_000 {
          var room = part.mutableSpan
          let count = reader.read(into: &room)
          frames += count
          if count < 4_096 { break }
        }
        // 9 packets cannot become more than so many frames.
        #expect(frames <= 64 * 1_024, "round \(round)")
        try? reader.seek(toFrame: 100)
      }
    }
  }
}
