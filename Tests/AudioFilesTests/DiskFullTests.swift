// SPDX-License-Identifier: MIT

import AudioFiles
import Glibc
import Testing

@Suite("A full disk")
struct DiskFullTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// To a writer, the limit on the size of files is the end of the disk, and it can be lifted again.
  private static func limitFiles(toBytes bytes: rlim_t) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: bytes, rlim_max: rlim_t.max)
    let fileSize = __rlimit_resource_t(1)
    #expect(unsafe setrlimit(fileSize, &limit) == 0)
  }

  /// Noise, which does not compress.
  private static func noise(frames: Int) -> [Float] {
    var random = Xorshift(seed: 7)
    return (0..<frames).map { _ in
      Float(Int16.random(in: -30_000...30_000, using: &random)) / 32_768
    }
  }

  @Test(
    "is reported and survived: what was written plays, and it goes on when there is room",
    arguments: [false, true],
  )
  func recorder(isFLAC: Bool) async throws {
    let path = folder.file("full.sound")
    // The limit holds for the whole process, so the recorder runs in one of its own.
    await #expect(processExitsWith: .success) { [path = path as String, isFLAC] in
      DiskFullTests.limitFiles(toBytes: 100_000)
      let events = EventLog<FileRecorderEvent>()
      let recorder = try FileRecorder(
        path: path,
        settings: FileRecorder.Settings(
          format: isFLAC ? .flacPCM16 : .wavPCM16,
          sampleRateHz: 48_000,
          channels: 1,
        ),
        onEvent: events.append,
      )
      let samples = DiskFullTests.noise(frames: 80_000)
      AudioThread.push(samples, into: recorder.tap, cycles: [64])
      // Until the writer thread has met the end of the disk: looked for once a millisecond.
      while recorder.status.error == nil { usleep(1000) }
      #expect(recorder.status.error?.code == .diskFull)
      #expect(recorder.status.framesWritten + recorder.status.framesLost <= 80_000)

      // As long as it lasts, it is reported once and not with every cycle.
      var pushed = 80_000
      for _ in 1...20 {
        AudioThread.push([0.5, 0.5], into: recorder.tap, cycles: [2])
        pushed += 2
        // The pace of the cycles: 20 in 1.2 s, during which the writer tries more than once.
        usleep(60_000)
      }
      let losses = events.all.filter { if case .lost = $0 { true } else { false } }
      #expect((1...3).contains(losses.count))
      DiskFullTests.limitFiles(toBytes: .max)
      while recorder.status.error != nil {
        AudioThread.push([0.5, 0.5], into: recorder.tap, cycles: [2])
        pushed += 2
        // The pace of the cycles.
        usleep(10_000)
      }
      let status = recorder.finish()
      #expect(status.paths.count == 2)
      #expect(status.framesWritten + status.framesLost == pushed)
      let first = try Signals.read(status.paths[0])
      // A FLAC's encoder holds some blocks that no longer reach the disk.
      #expect(first.count > 40_000)
      #expect(zip(first, samples).allSatisfy { abs($0 - $1) < 1e-4 })
      let second = try Signals.read(status.paths[1])
      #expect(!second.isEmpty && second.allSatisfy { $0 == 0.5 })
      let missing = status.framesWritten - first.count - second.count
      #expect(isFLAC ? (0...2 * 4096).contains(missing) : missing == 0)
      let failures = events.all.filter { if case .failed = $0 { true } else { false } }
      #expect((1...5).contains(failures.count))
      let told = events.all.reduce(0) { if case .lost(let frames) = $1 { $0 + frames } else { $0 } }
      #expect(told == status.framesLost)
    }
  }

  @Test("that has no room for a header is reported", arguments: [false, true])
  func header(isFLAC: Bool) async throws {
    let path = folder.file("none.sound")
    await #expect(processExitsWith: .success) { [path = path as String, isFLAC] in
      DiskFullTests.limitFiles(toBytes: 0)
      let error = #expect(throws: AudioFileError.self) {
        let writer = try AudioFileWriter(
          path: path,
          format: isFLAC ? .flacPCM16 : .wavPCM16,
          sampleRateHz: 48_000,
          channels: 1,
        )
        try writer.write(DiskFullTests.noise(frames: 20_000).span)
      }
      #expect(error?.code == .diskFull)
    }
  }
}
