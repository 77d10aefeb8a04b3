// SPDX-License-Identifier: MIT

import AudioFiles
import FoundationEssentials
import Glibc
import Testing

@Suite("Writing")
struct WriterTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(
    "what is written can be read back, by us and by sox",
    arguments: [
      (AudioFileFormat.wavFloat32, "wav", 0.0), (.wavPCM24, "wav", 0), (.flacPCM24, "flac", 0),
      (.wavPCM16, "wav", 1.0 / 32_768), (.flacPCM16, "flac", 1.0 / 32_768),
    ],
  )
  func roundTrip(format: AudioFileFormat, suffix: String, tolerance: Double) async throws {
    let samples = Signals.counting(frames: 10_001, channels: 2)
    let path = folder.file("a." + suffix)
    try Signals.write(samples, to: path, format: format, sampleRateHz: 44_100, channels: 2)
    let copy = folder.file("copy.wav")
    try await Sox.run(path, "-e", "floating-point", "-b", "32", copy)
    for path in [path, copy] {
      #expect(try AudioFileReader(path: path).info.sampleRateHz == 44_100)
      let read = try Signals.read(path)
      #expect(read.count == samples.count)
      #expect(zip(read, samples).allSatisfy { abs(Double($0 - $1)) <= tolerance }, "\(path)")
    }
  }

  @Test("integers clip at full scale and do not wrap round")
  func clipping() throws {
    let path = folder.file("loud.wav")
    try Signals.write([2, -2, 1, -1, 100, -100], to: path, format: .wavPCM16, channels: 1)
    let read = try Signals.read(path)
    #expect(zip(read, [1, -1, 1, -1, 1, -1]).allSatisfy { abs($0 - $1) < 1e-4 }, "\(read)")
  }

  /// The length of the samples as the header of a WAV says it.
  ///
  /// Lenient readers take the file's length if the header says 0; others stay silent.
  private func headerDataBytes(_ path: String) throws -> Int {
    let bytes = try Array(Data(contentsOf: URL(filePath: path)).prefix(4096))
    let size = try #require(bytes.firstRange(of: Array("data".utf8))).upperBound
    return (0..<4).reduce(0) { $0 | Int(bytes[size + $1]) << (8 * $1) }
  }

  @Test("a WAV of usual size is a plain WAV, also while it is written")
  func plainWAV() throws {
    let path = folder.file("a.wav")
    let writer = try AudioFileWriter(
      path: path,
      format: .wavFloat32,
      sampleRateHz: 48_000,
      channels: 1,
    )
    let samples = Signals.counting(frames: 1000, channels: 1)
    for count in 1...5 {
      try writer.write(samples.span)
      #expect(writer.framesWritten == count * 1000)
      #expect(try Data(contentsOf: URL(filePath: path)).prefix(4) == Data("RIFF".utf8))
      #expect(try Signals.read(path).count == count * 1000)
      #expect(try headerDataBytes(path) == count * 4000)
    }
  }

  @Test("files that cannot be made give one clear error")
  func errors() throws {
    func expect(
      _ code: AudioFileError.Code,
      _ path: String,
      _ format: AudioFileFormat = .wavFloat32,
      rate: Double = 48_000,
      channels: Int = 2,
      overwrites: Bool = false,
    ) {
      let error = #expect(throws: AudioFileError.self) {
        try AudioFileWriter(
          path: path,
          format: format,
          sampleRateHz: rate,
          channels: channels,
          overwrites: overwrites,
        )
      }
      #expect(error?.code == code, "\(path) \(rate) \(channels)")
      #expect(error?.path.isEmpty == path.isEmpty)
    }
    let good = folder.file("good.wav")
    expect(.invalidPath, "")
    expect(.invalidPath, folder.file("a\0b"))
    expect(.cannotCreate, folder.file("missing/a.wav"))
    expect(.cannotCreate, folder.path, overwrites: true)
    expect(.alreadyExists, folder.path)
    expect(.notARegularFile, "/dev/null", overwrites: true)
    expect(.invalidSetting, good, channels: 0)
    expect(.invalidSetting, good, channels: 1025)
    expect(.invalidSetting, good, .flacPCM24, channels: 9)
    expect(.invalidSetting, good, rate: 0)
    expect(.invalidSetting, good, rate: .nan)
    expect(.invalidSetting, good, rate: 1e9)
    #expect(try folder.names == [])

    try Signals.write([0.5], to: good, channels: 1)
    expect(.alreadyExists, good)
    #expect(try Signals.read(good) == [0.5])
    try Signals.write([0.25], to: good, channels: 1)
    #expect(try Signals.read(good) == [0.25])
  }

  @Test(
    "a killed writer leaves a file that plays",
    arguments: [AudioFileFormat.wavFloat32, .wavPCM24, .flacPCM24],
  )
  func killed(format: AudioFileFormat) async throws {
    let path = folder.file("killed.\(format.container.rawValue)")
    let isFLAC = format.container == .flac
    let isFloat = format.sampleFormat == .float32
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [
        path = path as String, isFLAC = isFLAC as Bool, isFloat = isFloat as Bool
      ] in
      let writer = try AudioFileWriter(
        path: path,
        format: isFLAC ? .flacPCM24 : isFloat ? .wavFloat32 : .wavPCM24,
        sampleRateHz: 48_000,
        channels: 2,
      )
      for turn in 0..<50 {
        try writer.write(Signals.counting(frames: 1000, channels: 2, from: turn * 1000).span)
      }
      kill(getpid(), SIGKILL)
    }
    let read = try Signals.read(path)
    // A FLAC lacks the block that was not full yet, and the encoder's remaining samples.
    let least = isFLAC ? 50_000 - 2 * 4096 : 50_000
    #expect((least...50_000).contains(read.count / 2))
    #expect(read == Array(Signals.counting(frames: read.count / 2, channels: 2)))
    #expect((try AudioFileReader(path: path).info.frames == nil) == isFLAC)
    if !isFLAC { #expect(try headerDataBytes(path) == 100_000 * format.bytesPerSample) }
  }

  @Test("a file without a length in its header plays and loops")
  func unknownLength() async throws {
    let path = folder.file("killed.flac")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let writer = try AudioFileWriter(
        path: path,
        format: .flacPCM24,
        sampleRateHz: 48_000,
        channels: 1,
      )
      try writer.write(Signals.counting(frames: 20_000, channels: 1).span)
      kill(getpid(), SIGKILL)
    }
    let whole = try Signals.read(path)
    let player = try FilePlayer(
      path: path,
      settings: FilePlayer.Settings(outputSampleRateHz: 48_000, looping: .times(1)),
      pool: .manual(),
    )
    let frames = 2 * whole.count + 100
    let heard = AudioThread.pull(player.source, frames: frames, cycles: [100]) { _ in
      player.prefetch()
    }
    #expect(heard == whole + whole + [Float](repeating: 0, count: 100))
  }
}
