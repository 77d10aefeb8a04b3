// SPDX-License-Identifier: MIT

import CMixKernels

/// The audio thread takes in blocks of different peaks, and control reads twice: no peak is lost, none is invented, and
/// none is read twice.
func meterModel(peaks: [Float], readings: Int) -> Model {
  Model(
    name: "MeterCell",
    bounds: "peaks \(peaks), \(readings) readings",
    makeRun: {
      let owner = MeterOwner()
      let heard = Heard(peaks)
      func take() -> MeterReading {
        let reading = owner.meter.read()
        heard.note(reading.peakLinear)
        require(
          reading.rmsLinear == 0 || peaks.contains { $0.squareRoot() == reading.rmsLinear },
          "a mean square that never was",
        )
        return reading
      }
      return Run(
        threads: [
          { for peak in peaks { owner.meter.update(peak: peak, meanSquare: peak, smoothing: 1) } },
          { for _ in 0..<readings { _ = take() } },
        ],
        finish: {
          let last = take()
          heard.end()
          require(
            last.rmsLinear == (peaks.last ?? 0).squareRoot(),
            "the mean square is not the last"
          )
        },
      )
    },
  )
}

/// The kernel takes in blocks of a strip while its gain changes, and control reads twice: the same at each of two taps, and
/// what was noted of the signal is answered once.
func tapsModel(blocks: [(peak: Float, gain: Float)], readings: Int) -> Model {
  Model(
    name: "MixTaps",
    bounds: "peaks and gains \(blocks.map { [$0.peak, $0.gain] }), \(readings) readings",
    makeRun: {
      let owner = TapsOwner()
      let before = Heard(blocks.map(\.peak))
      let behind = Heard(blocks.map { $0.peak * $0.gain })
      func take() -> MixTapsReading {
        let reading = mix_taps_read(owner.taps)
        before.note(reading.before.peak)
        behind.note(reading.behind.peak)
        let (square, squareBehind) = (reading.before.mean_square, reading.behind.mean_square)
        require(
          square == 0 && squareBehind == 0
            || blocks.contains { $0.peak == square && squareBehind == square * $0.gain * $0.gain },
          "mean squares that never were",
        )
        return reading
      }
      return Run(
        threads: [
          {
            for block in blocks {
              owner.input.pointee.level = MixLevel(peak: block.peak, squares: block.peak)
              owner.metered.pointee.gains.1 = block.gain
              mix_meter_taps(owner.metered, 1, 1, 1)
            }
          },
          {
            for _ in 0..<readings {
              _ = take()
              if mix_taps_take_signal(owner.taps) { owner.hadSignal = true }
            }
          },
        ],
        finish: {
          let last = take()
          before.end()
          behind.end()
          require(
            last.before.mean_square == blocks.last?.peak ?? 0,
            "the mean square is not the last"
          )
          require(mix_taps_take_sounded(owner.taps), "the sound was never noted")
          let hasSignal = mix_taps_take_signal(owner.taps)
          require(hasSignal || owner.hadSignal, "the signal was never noted")
        },
      )
    },
  )
}

/// The peaks that a reader has heard, of blocks with different ones.
private final class Heard {
  private let peaks: [Float]
  private var read: [Float] = []

  init(_ peaks: [Float]) { self.peaks = peaks }

  /// Takes in a reading; 0 is none.
  func note(_ peak: Float) {
    guard peak != 0 else { return }
    require(peaks.contains(peak), "a peak that never was")
    require(!read.contains(peak), "a peak is read twice")
    read.append(peak)
  }

  /// Looks back after the last reading.
  func end() { require(read.max() == peaks.max(), "the highest peak was never read") }
}

/// A channel that is metered.
private final class TapsOwner {
  let taps = UnsafeMutablePointer<MixTaps>.allocate(capacity: 1)
  let input = UnsafeMutablePointer<MixInput>.allocate(capacity: 1)
  let metered = UnsafeMutablePointer<MixMetered>.allocate(capacity: 1)
  /// Whether control was told of a signal.
  var hadSignal = false

  init() {
    taps.initialize(to: MixTaps())
    input.initialize(to: MixInput())
    metered.initialize(
      to: MixMetered(taps: taps, input: input, gains: (1, 0), is_heard: true)
    )
  }

  deinit {
    taps.deallocate()
    input.deallocate()
    metered.deallocate()
  }
}

private final class MeterOwner {
  let meter = MeterCell()
}
