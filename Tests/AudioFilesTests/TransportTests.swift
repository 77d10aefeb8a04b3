// SPDX-License-Identifier: MIT

import AudioFiles
import TestSupport
import Testing

@Suite("Play, pause, seek, loop, end")
struct TransportTests {
  let folder: TemporaryFolder
  let counting: String
  let constant: String

  static let fileFrames = 20_000
  /// 5 ms at 48 kHz.
  static let fadeFrames = 240

  init() throws {
    folder = try TemporaryFolder()
    counting = folder.file("counting.wav")
    try Signals.write(
      Signals.counting(frames: Self.fileFrames, channels: 1),
      to: counting,
      channels: 1
    )
    constant = folder.file("constant.wav")
    try Signals.write([Float](repeating: 1, count: Self.fileFrames), to: constant, channels: 1)
  }

  private func open(
    _ path: String,
    events: EventLog<FilePlayerEvent>? = nil,
    _ change: (inout FilePlayer.Settings) -> Void = { _ in },
  ) throws -> FilePlayer {
    var settings = FilePlayer.Settings(outputSampleRateHz: 48_000, readAheadSeconds: 0.1)
    change(&settings)
    return try FilePlayer(path: path, settings: settings, pool: .manual()) { events?.append($0) }
  }

  private func pull(_ player: FilePlayer, _ frames: Int, cycles: [Int] = [64, 100]) -> [Float] {
    AudioThread.pull(player.source, frames: frames, cycles: cycles) { _ in player.prefetch() }
  }

  private func file(_ range: Range<Int>) -> [Float] {
    Signals.counting(frames: range.count, channels: 1, from: range.lowerBound)
  }

  /// No step is larger than the fade of a full-scale constant makes it.
  private func expectSmooth(_ samples: [Float]) {
    let largest = zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
    #expect(largest <= 1.001 / Float(Self.fadeFrames))
    #expect(samples.allSatisfy { (0...1).contains($0) })
  }

  @Test("pause and resume fade, and keep the place")
  func pause() throws {
    let player = try open(constant)
    var heard = pull(player, 1000)
    player.pause()
    #expect(!player.isPlaying)
    heard += pull(player, 1000)
    let place = player.positionFrame
    #expect(place == 1000 + Self.fadeFrames)
    #expect(heard.suffix(500).allSatisfy { $0 == 0 })
    player.play()
    heard += pull(player, 1000)
    #expect(heard.suffix(500).allSatisfy { $0 == 1 })
    #expect(player.positionFrame == place + 1000)
    expectSmooth(heard)
    #expect(player.underruns == (0, 0))
  }

  @Test("pausing and playing in quick succession stays smooth", arguments: [1, 50, 64, 1000])
  func flutter(cycle: Int) throws {
    let player = try open(constant) { $0.looping = .forever }
    var random = TestSeed.random(number: cycle)
    var heard: [Float] = pull(player, 100)
    for _ in 0..<200 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: player.pause()
      case 1: player.seek(toFrame: Int.random(in: 0..<Self.fileFrames, using: &random))
      default: player.play()
      }
      heard += pull(player, Int.random(in: 1...400, using: &random), cycles: [cycle])
    }
    // A seek while paused begins at the file's own level; with this file that is a step from silence.
    let steps = zip(heard, heard.dropFirst()).filter {
      abs($0 - $1) > 1.001 / Float(Self.fadeFrames)
    }
    #expect(steps.allSatisfy { $0 == (0, 1) })
  }

  @Test("a seek while playing fades out, then in at the frame asked for")
  func seekWhilePlaying() throws {
    let player = try open(constant)
    let before = pull(player, 1000)
    player.seek(toFrame: 5000)
    #expect(player.positionFrame == 5000)
    let heard = before + pull(player, 2000)
    expectSmooth(heard)
    #expect(heard.last == 1)
    #expect(player.positionFrame == 5000 + 2000 - Self.fadeFrames)

    let exact = try open(counting)
    _ = pull(exact, 1000)
    exact.seek(toFrame: 5000)
    let after = pull(exact, 2000)
    let whole = 2 * Self.fadeFrames
    #expect(Array(after[whole...]) == file(5000 + Self.fadeFrames..<5000 + 2000 - Self.fadeFrames))
  }

  @Test("a seek while silent starts with exactly that frame")
  func seekWhileSilent() throws {
    let player = try open(counting) { $0.isPlaying = false }
    #expect(pull(player, 100).allSatisfy { $0 == 0 })
    player.seek(toFrame: 7777)
    player.seek(toFrame: 8888)
    #expect(pull(player, 100).allSatisfy { $0 == 0 })
    player.play()
    #expect(pull(player, 1000) == file(8888..<9888))
  }

  @Test("the end is the file's last frame, then silence, then an event; a seek plays again")
  func end() throws {
    let events = EventLog<FilePlayerEvent>()
    let player = try open(counting, events: events) { $0.start = .frame(Self.fileFrames - 1000) }
    let heard = pull(player, 1500, cycles: [250])
    #expect(
      heard == file(Self.fileFrames - 1000..<Self.fileFrames) + [Float](repeating: 0, count: 500)
    )
    player.prefetch()
    #expect(player.hasEnded)
    #expect(player.isPlaying)
    #expect(player.positionFrame == Self.fileFrames)
    #expect(events.all == [.endOfFile])

    player.seek(toFrame: Self.fileFrames - 10)
    #expect(!player.hasEnded)
    #expect(
      pull(player, 100) == file(Self.fileFrames - 10..<Self.fileFrames)
        + [Float](repeating: 0, count: 90)
    )
    player.prefetch()
    #expect(events.all == [.endOfFile, .endOfFile])
    #expect(player.underruns == (0, 0))
  }

  @Test("seeks are clamped to the file")
  func clamp() throws {
    let player = try open(counting) { $0.isPlaying = false }
    player.seek(toFrame: -5)
    #expect(player.positionFrame == 0)
    player.seek(toFrame: .max)
    player.prefetch()
    player.play()
    #expect(pull(player, 100).allSatisfy { $0 == 0 })
    #expect(player.hasEnded)
  }

  @Test("a number of loops, and an end to loops with everything read ahead already")
  func loops() throws {
    let length = 700
    let path = folder.file("short.wav")
    try Signals.write(Signals.counting(frames: length, channels: 1), to: path, channels: 1)
    let pass = file(0..<length)
    func passes(_ count: Int) -> [Float] { (0..<count).flatMap { _ in pass } }
    func silence(_ frames: Int) -> [Float] { [Float](repeating: 0, count: frames) }

    let three = try open(path) { $0.looping = .times(2) }
    #expect(pull(three, 2500) == passes(3) + silence(400))

    let stopped = try open(path) { $0.looping = .forever }
    let first = pull(stopped, 1500)
    stopped.setLooping(.off)
    #expect(first + pull(stopped, 1000) == passes(3) + silence(400))

    let extended = try open(path)
    let begun = pull(extended, 100)
    extended.setLooping(.times(1))
    #expect(begun + pull(extended, 1500) == passes(2) + silence(200))
    extended.prefetch()
    #expect(extended.hasEnded)
    extended.setLooping(.forever)
    #expect(pull(extended, 100) == silence(100))
    extended.seek(toFrame: 0)
    #expect(pull(extended, 1400) == passes(2))
  }

  @Test("a file of one frame loops")
  func oneFrame() throws {
    let path = folder.file("one.wav")
    try Signals.write([0.25], to: path, channels: 1)
    let player = try open(path) { $0.looping = .forever }
    #expect(pull(player, 20_000, cycles: [1024]).allSatisfy { $0 == 0.25 })
    #expect(player.positionFrame == 0)
  }

  @Test("a starved player fades out, counts, and fades in again where it stopped")
  func underrun() throws {
    let events = EventLog<FilePlayerEvent>()
    let player = try open(constant, events: events)
    // Without reading ahead, the ring holds the frames of the opening.
    var heard = AudioThread.pull(player.source, frames: 8000, cycles: [64])
    let starved = player.underruns
    let played = player.positionFrame
    #expect(starved.count == 1)
    #expect(starved.silentFrames == 8000 - played)
    #expect(heard.suffix(1000).allSatisfy { $0 == 0 })
    player.prefetch()
    #expect(events.all == [.underrun(silentFrames: starved.silentFrames)])
    heard += pull(player, 2000)
    #expect(heard.last == 1)
    #expect(player.positionFrame == played + 2000)
    #expect(player.underruns == starved)
    expectSmooth(heard)
  }

  @Test("mono goes to all channels; missing channels are silent, others are left out")
  func channels() throws {
    let mono = try open(counting) { $0.channels = 3 }
    #expect(pull(mono, 100) == file(0..<100).flatMap { [$0, $0, $0] })

    let path = folder.file("three.wav")
    let samples = Signals.counting(frames: 500, channels: 3)
    try Signals.write(samples, to: path, channels: 3)
    let frames = stride(from: 0, to: 300, by: 3).map { Array(samples[$0..<$0 + 3]) }
    let two = try open(path) { $0.channels = 2 }
    #expect(pull(two, 100) == frames.flatMap { [$0[0], $0[1]] })
    let five = try open(path) { $0.channels = 5 }
    #expect(pull(five, 100) == frames.flatMap { $0 + [0, 0] })
  }

  @Test("settings outside of their range are refused")
  func settings() throws {
    let changes: [(inout FilePlayer.Settings) -> Void] = [
      { $0.channels = 0 }, { $0.channels = 129 }, { $0.outputSampleRateHz = 0 },
      { $0.outputSampleRateHz = .nan }, { $0.outputSampleRateHz = 1e9 }, { $0.start = .frame(-1) },
      { $0.start = .frame(Self.fileFrames + 1) }, { $0.start = .seconds(.nan) },
      { $0.start = .seconds(1e300) }, { $0.readAheadSeconds = 0 },
      { $0.readAheadSeconds = .infinity },
      { $0.fadeSeconds = -1 }, { $0.fadeSeconds = .nan },
    ]
    for (index, change) in changes.enumerated() {
      let error = #expect(throws: AudioFileError.self, "\(index)") { try open(counting, change) }
      #expect(error?.code == .invalidSetting, "\(index)")
    }
  }
}
