// SPDX-License-Identifier: MIT

import AudioFiles
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("Files that cannot be read")
struct BadFileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ bytes: [UInt8], _ name: String = "bad.wav") throws -> String {
    let path = folder.file(name)
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(filePath: path)))
  }

  /// The one clear error, with its place, fault and allowed values.
  private func expectError(_ code: AudioFileError.Code, _ path: String) {
    let error = #expect(throws: AudioFileError.self) { try AudioFileReader(path: path) }
    #expect(error?.code == code)
    #expect(error?.reason.isEmpty == false)
    #expect(error?.allowed.isEmpty == false)
    #expect(error?.description.contains("\n") == false)
    let player = #expect(throws: AudioFileError.self) {
      try FilePlayer(
        path: path,
        settings: FilePlayer.Settings(outputSampleRateHz: 48_000),
        pool: .manual(),
      )
    }
    #expect(player == error)
  }

  @Test("an empty file, garbage and text are not audio")
  func noAudio() throws {
    var random = TestSeed.random()
    expectError(.unknownFormat, try write([]))
    expectError(.unknownFormat, try write([0]))
    expectError(.unknownFormat, try write(Array("graph: dj-split\n".utf8)))
    expectError(
      .unknownFormat,
      try write(
        [0, 1, 2, 3] + (0..<100_000).map { _ in UInt8.random(in: 0...127, using: &random) }
      ),
    )
  }

  @Test("headers without sound behind them are not audio")
  func headersAlone() throws {
    let adts: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x00, 0x1F, 0xFC]
    let cases: [[UInt8]] = [
      [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 2_000),
      // A tag of 256 MB.
      Array("ID3".utf8) + [3, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F],
      adts, [[UInt8]](repeating: adts, count: 1_000).flatMap(\.self),
      Array("OggS".utf8), Array("OggS".utf8) + [UInt8](repeating: 0, count: 1_000),
      [0, 0, 0, 24] + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 12),
    ]
    for bytes in cases { expectError(.unknownFormat, try write(bytes)) }
  }

  @Test("a hole of a terabyte behind the sound is not read")
  func giant() throws {
    let path = try write(try bytes(Media.path("click.mp3")), "giant.mp3")
    #expect(unsafe truncate(path, 1 << 40) == 0)
    #expect(try Signals.read(path) == Signals.read(Media.path("click.mp3")))
  }

  @Test("a looping file that is damaged reports now and then, not with every round")
  func damagedLoop() throws {
    let path = folder.file("loop.flac")
    let writer = try AudioFileWriter(
      path: path,
      format: .flacPCM16,
      sampleRateHz: 48_000,
      channels: 1,
    )
    var random = TestSeed.random()
    var noise: [Float] = []
    for _ in 0..<96_000 { noise.append(Float(Int16.random(in: -9_000...9_000, using: &random))) }
    let samples = noise.map { $0 / 32_768 }
    try writer.write(samples.span)
    try writer.close()
    // Behind garbage in its middle libsndfile cannot position the file any more.
    var bytes = try bytes(path)
    for index in bytes.count / 2..<bytes.count / 2 + 5_000 {
      bytes[index] = UInt8.random(in: 0...255, using: &random)
    }
    _ = try write(bytes, "loop.flac")
    let events = EventLog<FilePlayerEvent>()
    var settings = FilePlayer.Settings(outputSampleRateHz: 48_000)
    settings.looping = .forever
    let player = try FilePlayer(
      path: path,
      settings: settings,
      pool: .manual(),
      onEvent: events.append,
    )
    // The read-ahead thread does as much in 40 s.
    for _ in 0..<2000 {
      player.prefetch()
      _ = AudioThread.pull(player.source, frames: 960, cycles: [960])
    }
    #expect((1..<20).contains(events.all.count), "\(events.all.count) events")
  }

  /// A descriptor that is closed twice is another thread's the second time.
  @Test("say their own reason, and close no file that another thread opens at the same time")
  func reasons() async throws {
    let path = try write(Array("graph: dj-split\n".utf8))
    let good = Media.path("click.mp3")
    let reasons = await withTaskGroup(of: Set<String>.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var reasons: Set<String> = []
          for _ in 0..<300 {
            do throws(AudioFileError) {
              _ = try AudioFileReader(path: good)
              _ = try AudioFileReader(path: path)
            } catch { reasons.insert(error.reason) }
          }
          return reasons
        }
      }
      return await group.reduce(into: Set()) { $0.formUnion($1) }
    }
    #expect(reasons.count == 1, "\(reasons)")
  }

  @Test("paths that are none, or name no file")
  func paths() throws {
    expectError(.invalidPath, "")
    expectError(.invalidPath, "/tmp/a\0b.wav")
    expectError(.cannotOpen, folder.file("missing.wav"))
    expectError(.cannotOpen, folder.file(String(repeating: "x", count: 300)))
    expectError(.cannotOpen, "/" + String(repeating: "x/", count: 5000))
    expectError(.cannotOpen, "-")
    expectError(.cannotOpen, "|sox")
    expectError(.cannotOpen, "/etc/passwd/a.wav")
    expectError(.notARegularFile, folder.path)
    expectError(.notARegularFile, "/dev/zero")
    let loop = folder.file("loop")
    unsafe symlink(loop, loop)
    expectError(.cannotOpen, loop)
    // A pipe without a writer: opening it like a file would wait for ever.
    let pipe = folder.file("pipe")
    unsafe mkfifo(pipe, 0o600)
    expectError(.notARegularFile, pipe)
  }

  @Test("a file without a frame can be read, but not played")
  func empty() throws {
    let path = folder.file("empty.wav")
    try Signals.write([], to: path, channels: 2)
    #expect(try AudioFileReader(path: path).info.frames == 0)
    let error = #expect(throws: AudioFileError.self) {
      try FilePlayer(
        path: path,
        settings: FilePlayer.Settings(outputSampleRateHz: 48_000, looping: .forever),
        pool: .manual(),
      )
    }
    #expect(error?.code == .damaged)
  }

  @Test("a header that promises too much is refused, or the file ends where it ends")
  func hugeHeaders() throws {
    let path = folder.file("good.wav")
    try Signals.write(Signals.counting(frames: 100, channels: 2), to: path, channels: 2)
    let good = try bytes(path)
    let format = try #require(good.firstRange(of: Array("fmt ".utf8))).lowerBound
    let data = try #require(good.firstRange(of: Array("data".utf8))).lowerBound
    for (offset, value) in [
      (4, 4), (data + 4, 4), (format + 4, 4), (format + 10, 2), (format + 12, 4),
    ] {
      var bad = good
      for index in offset..<offset + value { bad[index] = 0xFF }
      let path = try write(bad)
      if let reader = try? AudioFileReader(path: path) {
        #expect(reader.info.channels <= 1024)
        #expect(Signals.read(reader, frames: 10_000).count <= 200)
      }
    }
  }

  @Test(
    "cut off anywhere, a file is refused or gives its beginning",
    arguments: [
      "voice.wav", "deck-a.flac", "deck-b.ogg", "click.mp3",
    ]
  )
  func truncated(name: String) throws {
    let whole = try bytes(Media.path(name))
    let samples = try Signals.read(Media.path(name))
    for length in Array(0..<200) + [1000, 4097, whole.count / 2, whole.count - 1] {
      let path = try write(Array(whole.prefix(length)))
      guard let reader = try? AudioFileReader(path: path) else { continue }
      var read: [Float] = []
      while case let chunk = Signals.read(reader, frames: 4096), !chunk.isEmpty { read += chunk }
      // The last frame of a cut MP3 or Ogg may be half guessed.
      let sure = max(0, read.count - 8192)
      #expect(read.count <= samples.count)
      #expect(read.prefix(sure) == samples.prefix(sure), "\(length) bytes")
    }
  }

  @Test("a truncated FLAC says so, and plays what there is")
  func damage() throws {
    let whole = try bytes(Media.path("deck-a.flac"))
    let path = try write(Array(whole.prefix(whole.count / 2)))
    let reader = try AudioFileReader(path: path)
    while case let chunk = Signals.read(reader, frames: 4096), !chunk.isEmpty {}
    #expect(reader.damage?.code == .damaged)
    #expect(reader.damage?.reason.contains("\(reader.positionFrame)") == true)

    let events = EventLog<FilePlayerEvent>()
    let player = try FilePlayer(
      path: path,
      settings: FilePlayer.Settings(outputSampleRateHz: 48_000),
      pool: .manual(),
      onEvent: events.append,
    )
    let frames = reader.positionFrame
    let heard = AudioThread.pull(player.source, frames: frames + 5000, cycles: [1024]) { _ in
      player.prefetch()
    }
    player.prefetch()
    let original = try Signals.read(Media.path("deck-a.flac"))
    #expect(heard.prefix(frames * 2) == original.prefix(frames * 2))
    #expect(heard.dropFirst(frames * 2).allSatisfy { $0 == 0 })
    #expect(events.all == [.failed(try #require(reader.damage)), .endOfFile])
  }

  @Test("no mutation of a header crashes or hangs", arguments: Media.names)
  func mutated(name: String) throws {
    let whole = Array(try bytes(Media.path(name)).prefix(20_000))
    var random = TestSeed.random()
    for _ in 0..<150 {
      var bad = whole
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bad[Int.random(in: 0..<120, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let reader = try? AudioFileReader(path: try write(bad)) else { continue }
      #expect(reader.info.channels >= 1)
      let frames = max(1, 100_000 / reader.info.channels)
      var rounds = 0
      while rounds < 100, !Signals.read(reader, frames: frames).isEmpty { rounds += 1 }
    }
  }
}
