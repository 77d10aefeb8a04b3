// SPDX-License-Identifier: MIT

import CMixKernels
import Testing

/// The meters of channels, by every set of kernels that the machine has, against `MeterCell`'s rules.
@Suite("Meters of channels")
struct TapsTests {
  /// Channels that are metered together, each with an input of its own.
  @safe
  private final class Bank {
    let taps: UnsafeMutableBufferPointer<MixTaps>
    private let inputs: UnsafeMutableBufferPointer<MixInput>
    private let metered: UnsafeMutableBufferPointer<MixMetered>
    private let kernels: MixKernels

    init(_ kernels: MixKernels, gains: [Float], isHeard: Bool = true) throws {
      unsafe self.kernels = kernels
      unsafe taps = .allocate(capacity: gains.count)
      unsafe taps.initialize(repeating: MixTaps())
      unsafe inputs = .allocate(capacity: gains.count)
      unsafe inputs.initialize(repeating: MixInput())
      unsafe metered = .allocate(capacity: gains.count)
      let firstTaps = unsafe try #require(taps.baseAddress)
      let firstInput = unsafe try #require(inputs.baseAddress)
      for (index, gain) in gains.enumerated() {
        unsafe metered.initializeElement(
          at: index,
          to: MixMetered(
            taps: firstTaps + index,
            input: UnsafePointer(firstInput + index),
            gains: (1, gain),
            is_heard: isHeard,
          ),
        )
      }
    }

    deinit {
      unsafe taps.deallocate()
      unsafe inputs.deallocate()
      unsafe metered.deallocate()
    }

    /// Takes in a block of each channel.
    func take(_ levels: [(peak: Float, squares: Float)], perFrame: Float = 1, smoothing: Float) {
      for (index, level) in levels.enumerated() {
        unsafe inputs[index].level = MixLevel(peak: level.peak, squares: level.squares)
      }
      unsafe kernels.meter_taps(metered.baseAddress, Int32(levels.count), perFrame, smoothing)
    }

    func read(_ index: Int = 0) -> MixTapsReading { unsafe mix_taps_read(&taps[index]) }
    func takeSignal() -> Bool { unsafe mix_taps_take_signal(&taps[0]) }
    func takeSounded() -> Bool { unsafe mix_taps_take_sounded(&taps[0]) }
    var isAtRest: Bool { unsafe mix_taps_are_at_rest(&taps[0]) }
  }

  @Test("each channel has its own levels at both taps", arguments: KernelTests.names, 1...9)
  func channels(name: String, count: Int) throws {
    let gains = (1...count).map { 1 / Float($0) }
    let bank = unsafe try Bank(KernelTests.kernels(name), gains: gains)
    let levels = (1...count).map(Float.init).map { (peak: $0 / 16, squares: $0) }
    bank.take(levels, perFrame: 1 / 64, smoothing: 0.5)
    bank.take(levels, perFrame: 1 / 64, smoothing: 0.5)
    for (index, level) in levels.enumerated() {
      let reading = bank.read(index)
      let gain = gains[index]
      #expect(reading.before.peak == level.peak)
      #expect(reading.behind.peak == level.peak * gain)
      // Half of what is missing, twice.
      let square = 0.75 * level.squares / 64
      #expect(abs(reading.before.mean_square - square) <= 1e-6 * square)
      #expect(abs(reading.behind.mean_square - square * gain * gain) <= 1e-6 * square)
    }
  }

  @Test("the peak is the highest since the last reading", arguments: KernelTests.names)
  func peak(name: String) throws {
    let bank = unsafe try Bank(KernelTests.kernels(name), gains: [0.5])
    for peak in [0.5, 0.25] as [Float] { bank.take([(peak, 0)], smoothing: 1) }
    let first = bank.read()
    #expect(first.before.peak == 0.5 && first.behind.peak == 0.25)
    bank.take([(0.125, 0)], smoothing: 1)
    let second = bank.read()
    #expect(second.before.peak == 0.125 && second.behind.peak == 0.0625)
    #expect(bank.read().before.peak == 0)
  }

  @Test("a peak at one tap leaves the higher one of the other", arguments: KernelTests.names)
  func oneTap(name: String) throws {
    let kernels = unsafe try KernelTests.kernels(name)
    var (taps, input) = (MixTaps(), unsafe MixInput())
    func take(_ peak: Float, gain: Float) {
      unsafe input.level = MixLevel(peak: peak, squares: 0)
      unsafe withUnsafeMutablePointer(to: &taps) { taps in
        unsafe withUnsafePointer(to: &input) { input in
          var one = unsafe MixMetered(taps: taps, input: input, gains: (1, gain), is_heard: true)
          unsafe kernels.meter_taps(&one, 1, 1, 1)
        }
      }
    }
    take(0.5, gain: 0.25)
    take(0.25, gain: 1)
    take(0.75, gain: 0.125)
    let reading = unsafe mix_taps_read(&taps)
    #expect(reading.before.peak == 0.75)
    #expect(reading.behind.peak == 0.25)
  }

  @Test("each output has its own level, at one tap", arguments: KernelTests.names, 1...9)
  func outputs(name: String, count: Int) throws {
    let kernels = unsafe try KernelTests.kernels(name)
    var taps = [MixTaps](repeating: MixTaps(), count: count)
    let last = Float(count)
    var levels = (1...count).map { MixLevel(peak: Float($0) / 16, squares: Float($0)) }
    /// Takes in a block of each output, and reads the peaks.
    func take(smoothing: Float) -> [MixTapsReading] {
      unsafe withPointers(to: &taps, levels) { taps, levels in
        let metered = unsafe (0..<count).map { index in
          unsafe MixMeteredOutput(taps: taps + index, level: levels + index)
        }
        unsafe kernels.meter_outputs(metered, Int32(count), 1 / 64, smoothing)
        return (0..<count).map { unsafe mix_taps_read(taps + $0) }
      }
    }
    for (index, reading) in take(smoothing: 0.5).enumerated() {
      #expect(reading.before.peak == levels[index].peak)
      #expect(reading.before.mean_square == levels[index].squares / 128)
      #expect(reading.behind.peak == 0 && reading.behind.mean_square == 0)
    }
    // One that is not finite leaves peak and mean square of the others as they are.
    levels[count - 1] = MixLevel(peak: .nan, squares: .infinity)
    for (index, reading) in take(smoothing: 0.5).enumerated() {
      let (isLast, squares) = (index == count - 1, Float(index + 1))
      #expect(reading.before.peak == (isLast ? 0 : levels[index].peak))
      #expect(reading.before.mean_square == (isLast ? last / 256 : 0.75 * squares / 64))
    }
  }

  @Test("a value that is not finite does not stick", arguments: KernelTests.names)
  func notFinite(name: String) throws {
    let bank = unsafe try Bank(KernelTests.kernels(name), gains: [1])
    bank.take([(.nan, .nan)], smoothing: 0.5)
    bank.take([(.infinity, .infinity)], smoothing: 0.5)
    let reading = bank.read()
    #expect(reading.before.peak == 0 && reading.before.mean_square == 0)
    #expect(!bank.takeSignal() && !bank.takeSounded())
    bank.take([(0.5, 0.25)], smoothing: 1)
    #expect(bank.read().before.mean_square == 0.25)
  }

  @Test("a mean square falls to exact zero, and −200 dB is silence", arguments: KernelTests.names)
  func decay(name: String) throws {
    let bank = unsafe try Bank(KernelTests.kernels(name), gains: [1])
    #expect(bank.isAtRest)
    bank.take([(0, 1e-20)], smoothing: 1)
    #expect(bank.isAtRest)
    bank.take([(0, 1.1e-20)], smoothing: 1)
    #expect(!bank.isAtRest)
    bank.take([(1, 1)], smoothing: 1)
    for _ in 0..<1000 { bank.take([(0, 0)], smoothing: 0.1) }
    #expect(bank.isAtRest)
  }

  @Test("a signal is all but exact silence, dither is no sound, and each question has its answer")
  func signal() throws {
    let bank = unsafe try Bank(KernelTests.kernels(KernelTests.names[0]), gains: [0])
    #expect(!bank.takeSignal() && !bank.takeSounded())
    bank.take([(0, 0)], smoothing: 1)
    #expect(!bank.takeSignal())
    for peak in [.leastNonzeroMagnitude, Float(MIX_SOUND_PEAK)] {
      bank.take([(peak, 0)], smoothing: 1)
      #expect(!bank.takeSounded())
      #expect(bank.takeSignal() && !bank.takeSignal())
    }
    bank.take([(0.5, 0)], smoothing: 1)
    #expect(bank.takeSounded() && !bank.takeSounded())
    #expect(bank.takeSignal() && !bank.takeSignal())
  }

  @Test("nothing is noted of an input that no send takes")
  func unheard() throws {
    let kernels = unsafe try KernelTests.kernels(KernelTests.names[0])
    let bank = unsafe try Bank(kernels, gains: [0], isHeard: false)
    bank.take([(0.5, 0.25)], smoothing: 1)
    #expect(!bank.takeSignal() && !bank.takeSounded())
    #expect(bank.read().before.peak == 0.5)
  }

  private func withPointers<Result>(
    to taps: inout [MixTaps],
    _ levels: [MixLevel],
    _ body: (UnsafeMutablePointer<MixTaps>, UnsafePointer<MixLevel>) -> Result,
  ) -> Result {
    unsafe taps.withUnsafeMutableBufferPointer { taps in
      unsafe levels.withUnsafeBufferPointer { levels in
        guard let first = taps.baseAddress, let level = levels.baseAddress else {
          preconditionFailure("no channel")
        }
        return unsafe body(first, level)
      }
    }
  }
}
