// SPDX-License-Identifier: MIT

import Glibc

extension RoundTripEstimator {
  /// The correlation of a capture with the probe, by frequency, within the band.
  struct CrossSpectrum {
    /// Conjugate of the probe times the capture; zero outside of the band.
    var product: Spectrum
    /// Power of the capture within the band.
    var capturePower: [Double]
  }

  /// An arrival of the probe.
  struct Arrival {
    var delayFrames: Double
    /// Gain with its sign.
    var gainLinear: Double
  }

  /// The part of a capture that one arrival does not explain.
  struct Residual {
    /// One standard error of the delay, from the noise, in frames.
    var standardErrorFrames: Double
    /// Ratio of the arrival's peak to the standard deviation of the noise in the correlation.
    var peakToNoise: Double
    /// In-band ratio of the arrival to the rest, as power.
    var signalToNoise: Double
    /// The strongest other arrival: where, and its level relative to the first.
    var otherDelayFrames: Int
    var otherLevel: Double
    /// Largest error of the reading from other arrivals, in frames.
    var pullFrames: Double
  }

  func crossSpectrum(of capture: Spectrum) -> CrossSpectrum {
    var product = Spectrum(count: transform.count)
    var power = [Double](repeating: 0, count: transform.count)
    for bin in band {
      let (xr, xi) = (probeSpectrum.real[bin], probeSpectrum.imaginary[bin])
      let (yr, yi) = (capture.real[bin], capture.imaginary[bin])
      product.real[bin] = xr * yr + xi * yi
      product.imaginary[bin] = xr * yi - xi * yr
      power[bin] = yr * yr + yi * yi
    }
    return CrossSpectrum(product: product, capturePower: power)
  }

  /// The place where the correlation is farthest from zero, between the frames.
  func findArrival(in cross: CrossSpectrum) -> Arrival {
    let values = transform.backward(cross.product).real
    var best = 0
    for lag in values.indices where abs(values[lag]) > abs(values[best]) { best = lag }
    // Lags of the upper half that only a negative delay reaches are taken as such.
    let lag = best > transform.count - options.probeFrames / 2 ? best - transform.count : best

    // Newton's method on the slope; the start is the vertex of the parabola through three frames.
    let before = values[(best + transform.count - 1) % transform.count]
    let after = values[(best + 1) % transform.count]
    let bend = before - 2 * values[best] + after
    var delay = Double(lag) + (bend == 0 ? 0 : max(-0.5, min(0.5, (before - after) / (2 * bend))))
    var derivatives = correlation(cross, at: delay)
    for _ in 0..<Self.newtonSteps {
      guard derivatives.curvature != 0 else { break }
      let step = max(-0.5, min(0.5, derivatives.slope / derivatives.curvature))
      delay = max(Double(lag) - 1, min(Double(lag) + 1, delay - step))
      derivatives = correlation(cross, at: delay)
      if abs(step) < 1e-9 { break }
    }
    return Arrival(delayFrames: delay, gainLinear: derivatives.value / probeEnergy)
  }

  /// Value, slope and curvature of the correlation at any delay.
  private func correlation(
    _ cross: CrossSpectrum,
    at delayFrames: Double,
  ) -> (value: Double, slope: Double, curvature: Double) {
    let radiansPerBin = 2 * Double.pi / Double(transform.count)
    var rotation = Rotation(
      start: radiansPerBin * Double(band.lowerBound) * delayFrames,
      step: radiansPerBin * delayFrames
    )
    var (value, slope, curvature) = (0.0, 0.0, 0.0)
    for bin in band {
      let frequency = radiansPerBin * Double(bin)
      let (pr, pi) = (cross.product.real[bin], cross.product.imaginary[bin])
      let real = pr * rotation.cosine - pi * rotation.sine
      let imaginary = pr * rotation.sine + pi * rotation.cosine
      value += real
      slope -= frequency * imaginary
      curvature -= frequency * frequency * real
      rotation.advance()
    }
    return (value, slope, curvature)
  }

  /// Subtracts the arrival and measures the rest.
  func residual(of cross: CrossSpectrum, without arrival: Arrival) -> Residual {
    let radiansPerBin = 2 * Double.pi / Double(transform.count)
    var rotation = Rotation(
      start: -radiansPerBin * Double(band.lowerBound) * arrival.delayFrames,
      step: -radiansPerBin * arrival.delayFrames,
    )
    var left = Spectrum(count: transform.count)
    var (leftPower, noise, slopeNoise) = (0.0, 0.0, 0.0)
    for bin in band {
      let frequency = radiansPerBin * Double(bin)
      let explained = arrival.gainLinear * probePower[bin]
      left.real[bin] = cross.product.real[bin] - explained * rotation.cosine
      left.imaginary[bin] = cross.product.imaginary[bin] - explained * rotation.sine
      // |X*E|² = |X|²|E|², the weight of this bin in the noise of the correlation.
      let power = left.power(at: bin)
      noise += power
      slopeNoise += frequency * frequency * power
      if probePower[bin] > 0 { leftPower += power / probePower[bin] }
      rotation.advance()
    }
    let peak = abs(arrival.gainLinear) * probeEnergy
    let others = transform.backward(left)
    var result = Residual(
      standardErrorFrames: (slopeNoise / 2).squareRoot()
        / (abs(arrival.gainLinear) * probeCurvature),
      peakToNoise: noise > 0 ? peak / (noise / 2).squareRoot() : .infinity,
      signalToNoise: leftPower > 0
        ? arrival.gainLinear * arrival.gainLinear * probeEnergy / leftPower : .infinity,
      otherDelayFrames: 0,
      otherLevel: 0,
      pullFrames: 0,
    )
    let place = Int(arrival.delayFrames.rounded())
    for lag in 0..<transform.count {
      let level = others.power(at: lag).squareRoot() / peak
      if level > result.otherLevel {
        result.otherLevel = level
        result.otherDelayFrames = lag
      }
      let distance = (lag - place + 2 * transform.count) % transform.count
      // An arrival may lie up to half a frame from its lag: the strongest pull of three holds.
      let pull = max(
        pullFrames[distance],
        pullFrames[(distance + 1) % transform.count],
        pullFrames[(distance + transform.count - 1) % transform.count],
      )
      result.pullFrames = max(result.pullFrames, Self.absorbedShare * level * pull)
    }
    return result
  }

  /// The fit takes part of a near arrival for its own, so that less than all of it is left over.
  private static let absorbedShare = 2.0
  /// Newton's method converges from half a frame in four or five steps.
  private static let newtonSteps = 12

  /// A phasor that turns by the same angle each step.
  struct Rotation {
    var cosine: Double
    var sine: Double
    private let stepCosine: Double
    private let stepSine: Double

    init(start: Double, step: Double) {
      (cosine, sine) = (cos(start), sin(start))
      (stepCosine, stepSine) = (cos(step), sin(step))
    }

    mutating func advance() {
      (cosine, sine) = (
        cosine * stepCosine - sine * stepSine, cosine * stepSine + sine * stepCosine,
      )
    }
  }
}
