// SPDX-License-Identifier: MIT

import AudioFiles
import Foundation
import TestSupport
import Testing

@Suite("Files of other encoders, against the ffmpeg program's decoding")
struct EncoderTests {
  let folder: TemporaryFolder
  /// 4 s in 16 bits at 44.1 kHz: one half is quiet and the other one is loud, so that no part tells the bit rate of the rest.
  let original: String

  init() throws {
    folder = try TemporaryFolder()
    original = try Self.write("original.wav", frames: 4 * 44_100 + 123, in: folder)
  }

  private static func write(
    _ name: String,
    frames: Int,
    rateHz: Double = 44_100,
    channels: Int = 2,
    in folder: TemporaryFolder,
  ) throws -> String {
    var random = TestSeed.random(name)
    let sine = Signals.sine(frames: frames, frequencyHz: 440, sampleRateHz: rateHz, peak: 0.05)
    let samples = (0..<frames * channels).map { index in
      let isLoud = index / channels > frames / 2
      return sine[index / channels] + (isLoud ? Float.random(in: -0.5...0.5, using: &random) : 0)
    }
    let path = folder.file(name)
    try Signals.write(
      samples,
      to: path,
      format: .wavPCM16,
      sampleRateHz: rateHz,
      channels: channels,
    )
    return path
  }

  /// Makes two or more links and joins them.
  private func chain(_ suffix: String, _ formats: [(rateHz: Double, channels: Int)]) async throws
    -> (path: String, links: [String])
  {
    var links: [String] = []
    var bytes = Data()
    for (index, format) in formats.enumerated() {
      let part = try Self.write(
        "part-\(index).wav",
        frames: Int(1.5 * format.rateHz),
        rateHz: format.rateHz,
        channels: format.channels,
        in: folder,
      )
      let link = try await Encoding.ogg(suffix, serial: index + 1).encode(part, in: folder)
      links.append(link)
      bytes += try Data(contentsOf: URL(filePath: link))
    }
    return (try write(bytes, "chain." + suffix), links)
  }

  private func write(_ bytes: Data, _ name: String) throws -> String {
    let path = folder.file(name)
    try bytes.write(to: URL(filePath: path))
    return path
  }

  private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  /// Reads a file whole, and expects these samples and no others.
  private func expect(_ path: String, is expected: [Float], bound: Float) throws {
    let reader = try AudioFileReader(path: path)
    #expect(!expected.isEmpty)
    #expect(reader.info.frames == expected.count / reader.info.channels)
    let read = Self.rest(of: reader)
    #expect(read.count == expected.count)
    let difference = Self.difference(read, expected)
    #expect(difference <= bound, "\(path): \(difference)")
    #expect(reader.damage == nil)
  }

  private static func rest(of reader: AudioFileReader) -> [Float] {
    var samples: [Float] = []
    while case let chunk = Signals.read(reader, frames: 1237), !chunk.isEmpty { samples += chunk }
    return samples
  }

  private static func difference(_ one: some Sequence<Float>, _ other: some Sequence<Float>)
    -> Float
  {
    zip(one, other).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  @Test("each frame that ffmpeg decodes is read, and no other", arguments: Encoding.all)
  func same(encoding: Encoding) async throws {
    let path = try await encoding.encode(original, in: folder)
    try expect(path, is: try await FFmpeg.decode(path, in: folder), bound: encoding.bound)
  }

  @Test("of MPEG-4 with AAC, the frames that were encoded are read")
  func mpeg4() async throws {
    let encoding = Encoding(
      name: "tone.m4a",
      command: ["ffmpeg", "-v", "error", "-nostdin", "-i", "IN", "-c:a", "aac", "OUT"],
    )
    let path = try await encoding.encode(original, in: folder)
    let decoded = try await FFmpeg.decode(path, in: folder)
    let read = try Signals.read(path)
    // The file says how much of its last packet is sound; ffmpeg 5.1 plays the padding behind it, too.
    // MPEG-4 counts it in milliseconds.
    let further = read.count - (try Signals.read(original)).count
    #expect((0...2 * 44_100 / 1_000).contains(further))
    #expect(read.count <= decoded.count)
    #expect(Self.difference(read, decoded) <= Encoding.sameDecoder)
  }

  // MARK: - Chains

  /// The program itself is no measure of a chain.
  ///
  /// It plays the block that prepares the second Vorbis file, and skips nothing at the beginning of the second Opus file. Of each
  /// file alone it plays exactly its sound.
  @Test("a chain of files is read to its end", arguments: ["ogg", "opus", "oga"])
  func chained(suffix: String) async throws {
    let (path, links) = try await chain(suffix, [(44_100, 2), (44_100, 2), (44_100, 2)])
    var expected: [Float] = []
    for link in links { expected += try await FFmpeg.decode(link, in: folder) }
    try expect(path, is: expected, bound: Encoding.sameDecoder)
  }

  @Test("ffmpeg reads a chain of FLAC as we do")
  func chainOfFLAC() async throws {
    let (path, _) = try await chain("oga", [(44_100, 2), (44_100, 2)])
    try expect(path, is: try await FFmpeg.decode(path, in: folder), bound: 0)
  }

  @Test("a chain has the rate and the channels of its first file", arguments: ["ogg", "oga"])
  func chainOfRates(suffix: String) async throws {
    let formats = [(44_100.0, 2), (48_000, 1), (22_050, 2), (44_100, 1)]
    let (path, links) = try await chain(suffix, formats.map { (rateHz: $0.0, channels: $0.1) })
    #expect(try AudioFileReader(path: path).info.channels == 2)
    #expect(try AudioFileReader(path: path).info.sampleRateHz == 44_100)
    var expected: [Float] = []
    for link in links {
      expected += try await FFmpeg.decode(link, "-ar", "44100", "-ac", "2", in: folder)
    }
    try expect(path, is: expected, bound: Encoding.sameDecoder)
  }

  @Test("a player plays a chain without a gap, and again from its beginning")
  func played() async throws {
    let (path, _) = try await chain("ogg", [(44_100, 2), (48_000, 1)])
    let whole = try Signals.read(path)
    let player = try FilePlayer(
      path: path,
      settings: FilePlayer.Settings(outputSampleRateHz: 44_100, looping: .times(1)),
      pool: .manual(),
    )
    let heard = AudioThread.pull(player.source, frames: whole.count, cycles: [256]) { _ in
      player.prefetch()
    }
    #expect(heard == whole + whole)
  }

  // MARK: - Places

  @Test("any frame can be gone to", arguments: ["headless.mp3", "opus", "oga", "ogg"])
  func places(kind: String) async throws {
    let isChain = kind != "headless.mp3"
    let path =
      isChain
      ? try await chain(kind, [(48_000, 2), (44_100, 1), (48_000, 2)]).path
      : try await Encoding.headlessMP3.encode(original, in: folder)
    let whole = try Signals.read(path)
    let reader = try AudioFileReader(path: path)
    let channels = reader.info.channels
    let frames = whole.count / channels
    var random = TestSeed.random(kind)
    var places = [0, frames, 1, frames - 1, frames / 3, frames / 3 + 1]
    for _ in 0..<60 { places.append(Int.random(in: 0...frames, using: &random)) }
    for place in places {
      try reader.seek(toFrame: place)
      let read = Signals.read(reader, frames: 500)
      let expected = whole[(place * channels)...].prefix(500 * channels)
      #expect(read.count == expected.count, "frame \(place)")
      // Opus fades what was before a place out of its state, and never quite: 100 dB below the noise.
      let bound: Float = kind == "opus" ? 5e-6 : Encoding.sameDecoder
      let difference = Self.difference(read, expected)
      #expect(difference <= bound, "frame \(place): \(difference)")
    }
  }

  // MARK: - Wrong headers and damage

  @Test("a header's number of frames is not believed", arguments: [0, 16, Int32.max])
  func wrongHeader(frames: Int32) async throws {
    var bytes = try bytes(try await Encoding.mp3.encode(original, in: folder))
    let tag = try #require(bytes.firstRange(of: Data("Xing".utf8))).lowerBound
    for index in 0..<4 { bytes[tag + 8 + index] = UInt8(frames >> (24 - 8 * index) & 0xFF) }
    let path = try write(bytes, "wrong.mp3")
    try expect(
      path,
      is: try await FFmpeg.decode(path, in: folder),
      bound: Encoding.sameDecoder,
    )
  }

  @Test("data without sound are passed over as by ffmpeg", arguments: ["mp3", "aac"])
  func holes(suffix: String) async throws {
    let encoding: Encoding = suffix == "mp3" ? .headlessMP3 : .aac
    let good = try bytes(try await encoding.encode(original, in: folder))
    let tag = Data("ID3".utf8 + [3, 0, 0, 0, 0, 7, 0x68]) + Data(count: 1_000)
    let middle = good.count / 2
    let cases = [
      tag + good, good.dropFirst(middle),
      good.prefix(middle) + Data(count: 20_000) + good.dropFirst(middle),
      good.prefix(middle),
    ]
    for (index, bytes) in cases.enumerated() {
      let path = try write(bytes, "\(index)." + suffix)
      let reader = try AudioFileReader(path: path)
      let expected = try await FFmpeg.decode(path, in: folder)
      let read = Self.rest(of: reader)
      #expect(read.count == expected.count, "case \(index)")
      #expect(Self.difference(read, expected) <= Encoding.sameDecoder, "case \(index)")
    }
  }

  @Test("a packet that cannot be decoded is left out as by ffmpeg, and told")
  func brokenPacket() async throws {
    var bytes = try bytes(try await Encoding.aac.encode(original, in: folder))
    let whole = try Signals.read(folder.file("stream.aac"))
    var place = 0
    func size(_ at: Int) -> Int {
      Int(bytes[at + 3] & 3) << 11 | Int(bytes[at + 4]) << 3 | Int(bytes[at + 5] >> 5)
    }
    for _ in 0..<50 { place += size(place) }
    for index in place + 7..<place + size(place) { bytes[index] = 0xFF }
    let path = try write(bytes, "broken.aac")
    let reader = try AudioFileReader(path: path)
    let read = Self.rest(of: reader)
    let expected = try await FFmpeg.decode(path, in: folder)
    #expect(read.count == whole.count - 2 * 1_024)
    #expect(read.count == expected.count)
    #expect(Self.difference(read, expected) <= Encoding.sameDecoder)
    #expect(reader.damage?.reason == "damaged packets are left out: 1")
  }

  @Test(
    "damaged files are refused, or give no more frames than they say",
    arguments: ["mp3", "ogg", "opus", "oga"],
  )
  func hostile(suffix: String) async throws {
    let path =
      suffix == "mp3"
      ? try await Encoding.headlessMP3.encode(original, in: folder)
      : try await chain(suffix, [(44_100, 2), (48_000, 1)]).path
    let good = try bytes(path)
    var random = TestSeed.random(suffix)
    for round in 0..<100 {
      var bad = good
      if round % 3 == 0 { bad = bad.prefix(Int.random(in: 1..<good.count, using: &random)) }
      for _ in 0..<(round % 3) * 6 {
        let end = round % 2 == 0 ? min(200, bad.count) : bad.count
        bad[Int.random(in: 0..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let reader = try? AudioFileReader(path: try write(bad, "bad." + suffix)) else {
        continue
      }
      #expect((1...64).contains(reader.info.channels))
      #expect((1...384_000).contains(reader.info.sampleRateHz))
      // The highest rate against the lowest one; a damaged file may not tell its length.
      let frames = reader.info.frames ?? 19_999_999
      try #require(frames < 20_000_000, "round \(round)")
      #expect(Self.rest(of: reader).count / reader.info.channels <= frames, "round \(round)")
      try? reader.seek(toFrame: frames / 2)
      _ = Signals.read(reader, frames: 100)
    }
  }
}
