// SPDX-License-Identifier: MIT

import AudioFiles
import TestSupport
import Testing

@Suite("Read-ahead threads")
struct ReadAheadPoolTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("counting.wav")
    try Signals.write(Signals.counting(frames: 30_011, channels: 2), to: path, channels: 2)
  }

  @Test("one thread keeps many players fed, each exactly", .timeLimit(.minutes(1)))
  func many() async throws {
    let pool = ReadAheadPool(name: "test-pool")
    let events = EventLog<FilePlayerEvent>()
    let players = try (0..<12).map { index in
      try FilePlayer(
        path: path,
        settings: FilePlayer.Settings(
          outputSampleRateHz: 48_000,
          looping: .times(1),
          start: .frame(index * 1000),
          readAheadSeconds: 0.5,
        ),
        pool: pool,
        onEvent: events.append,
      )
    }
    let file = Signals.counting(frames: 30_011, channels: 2)
    var heard = [[Float]](repeating: [], count: players.count)
    // Pulled in turns at a pace that the pool can follow on any machine: by the available frames.
    while !players.allSatisfy(\.hasEnded) {
      for (index, player) in players.enumerated() where !player.hasEnded {
        heard[index] += AudioThread.pull(player.source, frames: 1000, cycles: [100])
      }
      // The pace of the turns: 1000 frames each, faster than they sound.
      try await Task.sleep(for: .milliseconds(15))
    }
    for (index, player) in players.enumerated() {
      #expect(player.underruns == (0, 0))
      let expected = Array(file[(index * 2000)...]) + file
      #expect(heard[index].prefix(expected.count) == expected[...], "player \(index)")
      #expect(heard[index].dropFirst(expected.count).allSatisfy { $0 == 0 })
    }
    // Until the pool has reported all: checked once a millisecond.
    while events.all.count < players.count { try await Task.sleep(for: .milliseconds(1)) }
    #expect(events.all.allSatisfy { $0 == .endOfFile })
  }

  @Test(
    "cycles that may wait for the disk miss nothing, as fast as they go",
    .timeLimit(.minutes(1))
  )
  func patience() async throws {
    let pool = ReadAheadPool(name: "test-pool")
    let player = try FilePlayer(
      path: path,
      settings: FilePlayer.Settings(
        outputSampleRateHz: 48_000,
        looping: .times(20),
        readAheadSeconds: 0.05,
      ),
      pool: pool,
    )
    let heard = await onOwnThread {
      AudioThread.pull(
        player.source,
        frames: 21 * 30_011,
        cycles: [256, 8_192],
        patienceNanoseconds: 30_000_000_000,
      )
    }
    #expect(player.underruns == (0, 0))
    let file = Signals.counting(frames: 30_011, channels: 2)
    #expect(heard == (0..<21).flatMap { _ in file })
  }

  @Test("seeks, pauses and rates from many threads while audio runs", .timeLimit(.minutes(1)))
  func stress() async throws {
    let pool = ReadAheadPool()
    let player = try FilePlayer(
      path: path,
      settings: FilePlayer.Settings(
        outputSampleRateHz: 48_000,
        looping: .forever,
        readAheadSeconds: 0.05,
      ),
      pool: pool,
    )
    await withTaskGroup(of: Void.self) { group in
      for thread in 1...3 {
        group.addTask {
          var random = TestSeed.random(number: thread)
          for _ in 0..<300 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: player.pause()
            case 1, 2: player.seek(toFrame: Int.random(in: 0...30_011, using: &random))
            case 3: player.setLooping(Bool.random(using: &random) ? .forever : .times(1))
            case 4:
              let rateHz = Bool.random(using: &random) ? 44_100.0 : 48_000
              try? player.reconfigure(outputSampleRateHz: rateHz)
            default: player.play()
            }
            #expect((0...30_011).contains(player.positionFrame))
            // The pace of a hasty user, and below that of the audio.
            try? await Task.sleep(for: .microseconds(500))
          }
        }
      }
      group.addTask {
        for _ in 0..<600 {
          let heard = AudioThread.pull(player.source, frames: 64, cycles: [64])
          #expect(heard.allSatisfy { abs($0) <= 1.5 })
          // The pace of the audio: four times as fast as it sounds.
          try? await Task.sleep(for: .microseconds(300))
        }
      }
    }
    // After all of that it still follows commands exactly.
    try player.reconfigure(outputSampleRateHz: 48_000)
    player.pause()
    while AudioThread.pull(player.source, frames: 480, cycles: [64]).contains(where: { $0 != 0 }) {}
    player.seek(toFrame: 1234)
    player.prefetch()
    player.play()
    let heard = AudioThread.pull(player.source, frames: 1000, cycles: [64])
    #expect(heard == Signals.counting(frames: 1000, channels: 2, from: 1234))
  }

  @Test("players and pools can go in any order", .timeLimit(.minutes(1)))
  func teardown() throws {
    for turn in 0..<30 {
      var pool: ReadAheadPool? = ReadAheadPool()
      var player: FilePlayer? = try pool.map { pool in
        try FilePlayer(
          path: path,
          settings: FilePlayer.Settings(outputSampleRateHz: 44_100, looping: .forever),
          pool: pool,
        )
      }
      if turn % 2 == 0 { pool = nil }
      if let player {
        player.seek(toFrame: 100 * turn)
        _ = AudioThread.pull(player.source, frames: 128, cycles: [64])
      }
      player = nil
      pool = nil
    }
  }
}
