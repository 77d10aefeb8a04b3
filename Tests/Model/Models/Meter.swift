// SPDX-License-Identifier: MIT

/// The audio thread takes in blocks, and control reads twice: no peak is lost, and none is invented.
func meterModel(peaks: [Float], readings: Int) -> Model {
  Model(
    name: "MeterCell",
    bounds: "peaks \(peaks), \(readings) readings",
    makeRun: {
      let owner = MeterOwner()
      let heard = UnsafeMutablePointer<Float>.allocate(capacity: 1)
      heard.initialize(to: 0)
      let highest = peaks.max() ?? 0
      return Run(
        threads: [
          { for peak in peaks { owner.meter.update(peak: peak, meanSquare: peak, smoothing: 1) } },
          {
            for _ in 0..<readings {
              let reading = owner.meter.read()
              require(
                reading.peakLinear == 0 || peaks.contains(reading.peakLinear),
                "a peak that never was"
              )
              require(
                reading.rmsLinear == 0 || peaks.contains { $0.squareRoot() == reading.rmsLinear },
                "a mean square that never was",
              )
              heard.pointee = max(heard.pointee, reading.peakLinear)
            }
          },
        ],
        finish: {
          let last = owner.meter.read()
          require(max(heard.pointee, last.peakLinear) == highest, "the highest peak was never read")
          require(
            last.rmsLinear == (peaks.last ?? 0).squareRoot(),
            "the mean square is not the last"
          )
          heard.deallocate()
        },
      )
    },
  )
}

private final class MeterOwner {
  let meter = MeterCell()
}
