// SPDX-License-Identifier: MIT

import AudioFiles
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Recording")
struct RecorderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func settings(
    channels: Int = 2,
    format: AudioFileFormat = .wavFloat32,
    split: FileRecorder.Split = .never,
  ) -> FileRecorder.Settings {
    FileRecorder.Settings(format: format, sampleRateHz: 48_000, channels: channels, split: split)
  }

  @Test("the file holds what the tap was given")
  func exact() throws {
    let events = EventLog<FileRecorderEvent>()
    let path = folder.file("take.wav")
    let recorder = try FileRecorder(path: path, settings: settings(), onEvent: events.append)
    let samples = Signals.counting(frames: 100_003, channels: 2)
    AudioThread.push(samples, into: recorder.tap, cycles: [64, 1, 1000, 0, 333])
    let status = recorder.finish()
    #expect(status.paths == [path])
    #expect(status.framesWritten == 100_003)
    #expect(status.framesLost == 0)
    #expect(status.error == nil)
    #expect(try Signals.read(path) == samples)
    #expect(events.all == [.began(path: path), .finished(path: path, frames: 100_003)])
    // Finished is finished.
    AudioThread.push(samples, into: recorder.tap, cycles: [64])
    #expect(recorder.finish() == status)
    #expect(try Signals.read(path).count == samples.count)
  }

  @Test(
    "cycles that may wait for the disk lose nothing, as fast as they go",
    .timeLimit(.minutes(1))
  )
  func patience() async throws {
    let path = folder.file("take.wav")
    var settings = settings()
    settings.bufferSeconds = 0.1
    let recorder = try FileRecorder(path: path, settings: settings)
    let samples = Signals.counting(frames: 60 * 48_000, channels: 2)
    await onOwnThread {
      AudioThread.push(
        samples,
        into: recorder.tap,
        cycles: [256, 2_048],
        patienceNanoseconds: 30_000_000_000,
      )
    }
    let status = recorder.finish()
    #expect(status.framesLost == 0)
    #expect(try Signals.read(path) == samples)
  }

  @Test("samples that are no numbers are silence in the file")
  func numbers() throws {
    let recorder = try FileRecorder(path: folder.file("take.wav"), settings: settings(channels: 1))
    AudioThread.push([0.5, .nan, .infinity, -.infinity, -2], into: recorder.tap, cycles: [5])
    _ = recorder.finish()
    #expect(try Signals.read(folder.file("take.wav")) == [0.5, 0, 0, 0, -2])
  }

  @Test(
    "a device is no target, and no file is made among devices",
    arguments: ["/dev/full", "/dev/null", "/dev/take.wav", "/proc/self/take.wav", "/sys/take.wav"],
  )
  func devices(path: String) throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: "/dev").count
    var settings = settings()
    settings.stepsOverExisting = true
    let error = #expect(throws: AudioFileError.self) {
      try FileRecorder(path: path, settings: settings)
    }
    #expect(error?.code == .notARegularFile)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "/dev").count == before)
  }

  @Test("a pipe is no target, even if another name would be free")
  func pipe() throws {
    let path = folder.file("pipe.wav")
    #expect(unsafe mkfifo(path, 0o600) == 0)
    var settings = settings()
    settings.stepsOverExisting = true
    let error = #expect(throws: AudioFileError.self) {
      try FileRecorder(path: path, settings: settings)
    }
    #expect(error?.code == .notARegularFile)
    #expect(try folder.names == ["pipe.wav"])
  }

  @Test("a hundred recorders share four threads, each with its own samples")
  func pool() throws {
    let recorders = try (0..<100).map { index in
      try FileRecorder(path: folder.file("\(index).wav"), settings: settings(channels: 1))
    }
    for (index, recorder) in recorders.enumerated() {
      let samples = Signals.counting(frames: 1000, channels: 1, from: index)
      AudioThread.push(samples, into: recorder.tap, cycles: [64])
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap {
      try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
    }
    #expect((1...4).contains(names.count { $0 == "recorder\n" }))
    for (index, recorder) in recorders.enumerated() {
      #expect(recorder.finish().framesLost == 0)
      #expect(
        try Signals.read(folder.file("\(index).wav"))
          == Signals.counting(frames: 1000, channels: 1, from: index)
      )
    }
  }

  @Test("32 channels at 48 kHz, as fast as the ring takes them, lose no frame")
  func manyChannels() throws {
    let recorder = try FileRecorder(path: folder.file("wide.wav"), settings: settings(channels: 32))
    let second = Signals.counting(frames: 48_000, channels: 32)
    for turn in 0..<10 {
      AudioThread.push(second, into: recorder.tap, cycles: [64])
      // Four seconds fit; a disk slower than real time is allowed to be so for that long. Looked for once a
      // millisecond.
      while recorder.status.framesWritten < (turn - 2) * 48_000 { usleep(1000) }
    }
    let status = recorder.finish()
    #expect(status.framesLost == 0)
    #expect(status.framesWritten == 480_000)
    let reader = try AudioFileReader(path: folder.file("wide.wav"))
    for _ in 0..<10 { #expect(Signals.read(reader, frames: 48_000) == second) }
  }

  @Test(
    "split files follow on one another without a gap",
    arguments: [FileRecorder.Split.frames(10_000), .bytes(80_007)],
  )
  func split(split: FileRecorder.Split) throws {
    let events = EventLog<FileRecorderEvent>()
    let recorder = try FileRecorder(
      path: folder.file("take.wav"),
      settings: settings(split: split),
      onEvent: events.append,
    )
    let samples = Signals.counting(frames: 35_000, channels: 2)
    AudioThread.push(samples, into: recorder.tap, cycles: [64, 100])
    let status = recorder.finish()
    #expect(try folder.names == (1...4).map { "take-00\($0).wav" })
    #expect(status.paths == (1...4).map { folder.file("take-00\($0).wav") })
    let parts = try status.paths.map(Signals.read)
    #expect(parts.map(\.count) == [20_000, 20_000, 20_000, 10_000])
    #expect(Array(parts.joined()) == samples)
    #expect(events.all.count == 8)
  }

  @Test("names in use are stepped over by later files, and refused for the first")
  func names() throws {
    try Signals.write([0], to: folder.file("take-002.wav"), channels: 1)
    let settings = settings(channels: 1, split: .frames(10))
    let recorder = try FileRecorder(path: folder.file("take.wav"), settings: settings)
    AudioThread.push(Signals.counting(frames: 20, channels: 1), into: recorder.tap, cycles: [20])
    #expect(recorder.finish().paths.map { $0.suffix(7) } == ["001.wav", "003.wav"])
    let error = #expect(throws: AudioFileError.self) {
      try FileRecorder(path: folder.file("take.wav"), settings: settings)
    }
    #expect(error?.code == .alreadyExists)
  }

  @Test("a pause leaves out what comes")
  func pause() throws {
    let recorder = try FileRecorder(path: folder.file("a.wav"), settings: settings(channels: 1))
    AudioThread.push([1, 2, 3], into: recorder.tap, cycles: [3])
    recorder.pause()
    #expect(recorder.isPaused)
    AudioThread.push([4, 5, 6], into: recorder.tap, cycles: [3])
    recorder.resume()
    AudioThread.push([7, 8, 9], into: recorder.tap, cycles: [3])
    recorder.finish()
    #expect(try Signals.read(folder.file("a.wav")) == [1, 2, 3, 7, 8, 9])
  }

  @Test("where the ring is full, frames are counted as lost and are silence in the file")
  func overrun() throws {
    var settings = settings(channels: 1)
    settings.bufferSeconds = 0.1
    let recorder = try FileRecorder(path: folder.file("a.wav"), settings: settings)
    // Far faster than the writer thread's rounds.
    let frames = 400_000
    let samples = (1...frames).map { Float($0) }
    AudioThread.push(samples, into: recorder.tap, cycles: [1000])
    while recorder.status.framesWritten == 0 { usleep(1000) }
    // Cycles at a pace that leaves the writer time to make up for the gap, at four cycles' worth in a cycle.
    for start in stride(from: frames + 1, to: 2 * frames, by: 1000) {
      AudioThread.push((start..<start + 1000).map { Float($0) }, into: recorder.tap, cycles: [1000])
      usleep(start < frames + 200_000 ? 5000 : 1000)
    }
    let status = recorder.finish()
    #expect(status.framesLost > 0)
    let read = try Signals.read(folder.file("a.wav"))
    // Every frame is where it was given, or silence.
    let wrong = read.enumerated().filter { $1 != 0 && $1 != Float($0 + 1) }
    #expect(wrong.isEmpty)
    #expect(read.filter { $0 != 0 }.count == 2 * frames - status.framesLost)
  }

  @Test("a nil input is silence")
  func silence() throws {
    let recorder = try FileRecorder(path: folder.file("a.wav"), settings: settings(channels: 1))
    let planes = UnsafeMutablePointer<UnsafePointer<Float>?>.allocate(capacity: 1)
    unsafe planes.initialize(to: nil)
    unsafe recorder.tap.write(planes, frames: 100)
    unsafe planes.deallocate()
    recorder.finish()
    #expect(try Signals.read(folder.file("a.wav")) == [Float](repeating: 0, count: 100))
  }

  @Test("settings outside of their range are refused")
  func badSettings() throws {
    var slow = settings()
    slow.bufferSeconds = 0
    for bad in [
      slow, settings(channels: 0), settings(channels: 9, format: .flacPCM16),
      settings(split: .frames(0)), settings(split: .bytes(7)), settings(split: .bytes(-1)),
    ] {
      let error = #expect(throws: AudioFileError.self) {
        try FileRecorder(path: folder.file("a.wav"), settings: bad)
      }
      #expect(error?.code == .invalidSetting)
    }
    #expect(try folder.names == [])
  }

  @Test(
    "killed at a random moment, a recorder leaves files that play",
    arguments: [11, 23, 61, 97]
  )
  func killed(milliseconds: Int) async throws {
    let path = folder.file("killed.wav")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, milliseconds] in
      let settings = FileRecorder.Settings(
        format: .wavPCM24,
        sampleRateHz: 48_000,
        channels: 2,
        split: .frames(30_000),
        bufferSeconds: 0.1,
      )
      let recorder = try FileRecorder(path: path, settings: settings)
      let child = getpid()
      Thread.detachNewThread {
        // The moment of the death, which the test varies.
        usleep(UInt32(milliseconds) * 1000)
        kill(child, SIGKILL)
      }
      var frame = 0
      while true {
        AudioThread.push(
          Signals.counting(frames: 256, channels: 2, from: frame),
          into: recorder.tap,
          cycles: [256],
        )
        frame += 256
        // At most the capacity of the ring: checked twice a millisecond.
        while frame - recorder.status.framesWritten > 2000 { usleep(500) }
      }
    }
    let names = try folder.names
    #expect(!names.isEmpty)
    var start = 0
    for (index, name) in names.enumerated() {
      // Killed between a file's creation and its header, it is empty.
      let isNewest = index == names.count - 1
      guard let reader = try? AudioFileReader(path: folder.file(name)) else {
        #expect(isNewest)
        continue
      }
      let read = Signals.read(reader, frames: 40_000)
      #expect(isNewest || read.count == 60_000)
      #expect(read == Signals.counting(frames: read.count / 2, channels: 2, from: start))
      start += read.count / 2
    }
  }
}
