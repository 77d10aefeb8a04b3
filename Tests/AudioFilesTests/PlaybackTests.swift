// SPDX-License-Identifier: MIT

import AudioFiles
import Testing

@Suite("Playback without resampling")
struct PlaybackTests {
  let folder: TemporaryFolder
  let path: String

  /// Long against the smallest ring, odd against every block size.
  static let fileFrames = 10_007

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("counting.wav")
    try Signals.write(
      Signals.counting(frames: Self.fileFrames, channels: 2),
      to: path,
      channels: 2,
    )
  }

  private func open(_ change: (inout FilePlayer.Settings) -> Void = { _ in }) throws -> FilePlayer {
    var settings = FilePlayer.Settings(outputSampleRateHz: 48_000, readAheadSeconds: 0.05)
    change(&settings)
    return try FilePlayer(path: path, settings: settings, pool: .manual())
  }

  /// The file from a frame on, again and again.
  private func expected(from start: Int, frames: Int) -> [Float] {
    let file = Signals.counting(frames: Self.fileFrames, channels: 2)
    return (start * 2..<(start + frames) * 2).map { file[$0 % file.count] }
  }

  @Test(
    "is the file, sample by sample, across ring wraps and loops",
    arguments: [
      [1, 7, 63, 64, 100], [64], [333, 1024], [2048, 5],
    ]
  )
  func loops(cycles: [Int]) throws {
    let player = try open { $0.looping = .forever }
    let frames = 5 * Self.fileFrames + 13
    let heard = AudioThread.pull(player.source, frames: frames, cycles: cycles) { _ in
      player.prefetch()
    }
    #expect(heard == expected(from: 0, frames: frames))
    #expect(player.positionFrame == frames % Self.fileFrames)
    #expect(player.underruns == (0, 0))
  }

  @Test("starts with the frame asked for")
  func startOffset() throws {
    for start in [FilePlayer.Start.frame(4321), .seconds(4321.0 / 48_000)] {
      let player = try open { $0.start = start }
      #expect(player.positionFrame == 4321)
      let heard = AudioThread.pull(player.source, frames: 3000, cycles: [64, 1]) { _ in
        player.prefetch()
      }
      #expect(heard == expected(from: 4321, frames: 3000))
    }
  }
}
