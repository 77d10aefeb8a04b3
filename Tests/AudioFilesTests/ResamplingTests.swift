// SPDX-License-Identifier: MIT

import AudioFiles
import Testing

@Suite("Resampling")
struct ResamplingTests {
  /// Pushes a whole stream through, with input and output in chunks of these frames.
  private func convert(
    _ input: [Float],
    _ resampler: StreamResampler,
    channels: Int = 1,
    inputFrames: Int = 1000,
    outputFrames: Int = 777,
  ) -> [Float] {
    var output: [Float] = []
    var start = 0
    let frames = input.count / channels
    while true {
      let end = min(frames, start + inputFrames)
      var room = [Float](repeating: .nan, count: outputFrames * channels)
      var span = room.mutableSpan
      let progress = resampler.process(
        input.span.extracting(start * channels..<end * channels),
        into: &span,
        isLast: end == frames,
      )
      output += room.prefix(progress.producedFrames * channels)
      start += progress.consumedFrames
      if start == frames, progress.producedFrames == 0 { return output }
    }
  }

  @Test(
    "a tone stays a tone, at the same place in time, to its last frame",
    arguments: [
      (44_100.0, 48_000.0), (48_000, 44_100), (22_050, 48_000), (96_000, 48_000), (48_000, 48_010),
    ],
  )
  func tone(inputHz: Double, outputHz: Double) throws {
    let frames = 50_000
    let input = Signals.sine(frames: frames, frequencyHz: 997, sampleRateHz: inputHz, peak: 0.5)
    let resampler = try StreamResampler(
      channels: 1,
      inputSampleRateHz: inputHz,
      outputSampleRateHz: outputHz,
    )
    #expect(!resampler.isBypassing)
    let output = convert(input, resampler)
    #expect(abs(Double(output.count) - Double(frames) * outputHz / inputHz) <= 1)

    let middle = output[2000..<output.count - 2000]
    #expect(Signals.sinadDB(middle, frequencyHz: 997, sampleRateHz: outputHz) > 100)
    let ideal = Signals.sine(
      frames: output.count,
      frequencyHz: 997,
      sampleRateHz: outputHz,
      peak: 0.5,
    )
    #expect(middle.indices.allSatisfy { abs(output[$0] - ideal[$0]) < 1e-4 })
  }

  @Test("the size of the chunks has no effect")
  func chunks() throws {
    let input = Signals.counting(frames: 9000, channels: 2)
    let resampler = try StreamResampler(
      channels: 2,
      inputSampleRateHz: 44_100,
      outputSampleRateHz: 48_000,
    )
    let whole = convert(input, resampler, channels: 2, inputFrames: 9000, outputFrames: 20_000)
    for (inputFrames, outputFrames) in [(1, 64), (333, 1), (9000, 100)] {
      resampler.reset()
      let parts = convert(
        input,
        resampler,
        channels: 2,
        inputFrames: inputFrames,
        outputFrames: outputFrames,
      )
      #expect(abs(parts.count - whole.count) <= 2)
      #expect(zip(parts, whole).allSatisfy { abs($0 - $1) < 1e-5 })
    }
  }

  @Test("equal rates pass every bit")
  func bypass() throws {
    let resampler = try StreamResampler(
      channels: 3,
      inputSampleRateHz: 48_000,
      outputSampleRateHz: 48_000,
    )
    let input: [Float] =
      Signals.counting(frames: 5000, channels: 3) + [.infinity, -0.0, .leastNonzeroMagnitude]
    #expect(resampler.isBypassing)
    #expect(convert(input, resampler, channels: 3).map(\.bitPattern) == input.map(\.bitPattern))
  }

  @Test("rates and channels out of range are refused")
  func errors() {
    for (channels, input, output) in [
      (0, 48_000.0, 48_000.0), (129, 44_100, 48_000), (1, 0, 48_000), (1, 48_000, 0),
      (1, -48_000, -44_100), (1, .nan, 48_000), (1, 100, 48_000), (1, .infinity, 48_000),
    ] {
      let error = #expect(throws: AudioFileError.self) {
        try StreamResampler(
          channels: channels,
          inputSampleRateHz: input,
          outputSampleRateHz: output,
        )
      }
      #expect(error?.code == .invalidSetting)
    }
  }

  @Test("a player at another rate: a clean tone, loops without a seam, the right place")
  func player() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("tone.wav")
    // A whole number of periods, so that the loop of the tone is the tone.
    let frames = 44_100
    let tone = Signals.sine(frames: frames, frequencyHz: 1000, sampleRateHz: 44_100, peak: 0.5)
    try Signals.write(tone, to: path, sampleRateHz: 44_100, channels: 1)
    let player = try FilePlayer(
      path: path,
      settings: FilePlayer.Settings(outputSampleRateHz: 48_000, looping: .times(2)),
      pool: .manual(),
    )
    let heard = AudioThread.pull(player.source, frames: 3 * 48_000 + 500, cycles: [64, 999]) {
      done in
      player.prefetch()
      let place = done < 3 * 48_000 ? Double(done % 48_000) * 0.91875 : 44_100
      #expect(abs(Double(player.positionFrame) - place) <= 2 || done % 48_000 < 10)
    }
    let sound = heard[1000..<3 * 48_000 - 1000]
    #expect(Signals.sinadDB(sound, frequencyHz: 1000, sampleRateHz: 48_000) > 100)
    #expect(heard.suffix(490).allSatisfy { $0 == 0 })
    #expect(player.hasEnded)
    #expect(player.underruns == (0, 0))
  }

  @Test("a change of the output rate keeps the place")
  func reconfigure() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("counting.wav")
    try Signals.write(Signals.counting(frames: 48_000, channels: 1), to: path, channels: 1)
    let player = try FilePlayer(
      path: path,
      settings: FilePlayer.Settings(outputSampleRateHz: 96_000),
      pool: .manual(),
    )
    _ = AudioThread.pull(player.source, frames: 20_000, cycles: [64]) { _ in player.prefetch() }
    let place = player.positionFrame
    #expect(abs(place - 10_000) <= 1)
    // As the host does while the server is restarted: silent meanwhile.
    player.pause()
    _ = AudioThread.pull(player.source, frames: 1000, cycles: [64]) { _ in player.prefetch() }
    let paused = player.positionFrame
    try player.reconfigure(outputSampleRateHz: 48_000)
    #expect(player.positionFrame == paused)
    player.prefetch()
    player.play()
    let heard = AudioThread.pull(player.source, frames: 1000, cycles: [64]) { _ in
      player.prefetch()
    }
    #expect(heard == Signals.counting(frames: 1000, channels: 1, from: paused))
    #expect(throws: AudioFileError.self) { try player.reconfigure(outputSampleRateHz: -1) }
    #expect(player.positionFrame == paused + 1000)
  }
}
