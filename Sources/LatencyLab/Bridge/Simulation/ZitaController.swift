// SPDX-License-Identifier: MIT

import Glibc

/// The loop of the zita bridges, as far as it is publicly described: the baseline of the simulation.
///
/// The device's wake-ups go through a delay-locked loop of 0.1 Hz, JACK's through the server's own
/// filter; the error of the delay between the two goes through two low-passes of 20 times the loop's
/// bandwidth and an integrator; the bandwidth is 1 Hz for 4 s, and 0.05 Hz then.
///
/// Pure value: [any-thread].
struct ZitaController {
  private struct Filter {
    let period: Double
    let first: Double
    let second: Double
    var now = 0.0
    var next = 0.0
    var length: Double
    var isFirst = true

    init(bandwidthHz: Double, period: Double) {
      self.period = period
      let angle = 2 * Double.pi * bandwidthHz * period
      first = 1.6 * angle
      second = angle * angle
      length = period
    }

    mutating func add(_ seconds: Double, periods: Double) {
      if isFirst {
        isFirst = false
        now = seconds
        next = seconds + period
        return
      }
      let predicted = next + (periods - 1) * length
      let error = seconds - predicted
      now = predicted
      next = predicted + first * error + length
      length += second * error
    }
  }

  private var device: Filter
  private var jack: Filter
  private var deviceFrames = 0.0
  private var devicePeriod: Double
  private let jackPeriodFrames: Double
  private let deviceRateHz: Double
  private let jackRateHz: Double
  private var seconds = 0.0
  private var z1 = 0.0
  private var z2 = 0.0
  private var z3 = 0.0
  private var w0 = 0.0
  private var w1 = 0.0
  private var w2 = 0.0
  private let target: Double
  private(set) var ratio: Double

  init(
    jack: SimulatedClock,
    device: SimulatedClock,
    targetDelayFrames: Double,
  ) {
    jackRateHz = jack.nominalRateHz
    deviceRateHz = device.nominalRateHz
    jackPeriodFrames = Double(jack.periodFrames)
    devicePeriod = Double(device.periodFrames)
    target = targetDelayFrames
    self.device = Filter(bandwidthHz: 0.1, period: devicePeriod / deviceRateHz)
    // jackd2's coefficient is 0.01 of the error into the period: the same form, fixed bandwidth.
    self.jack = Filter(
      bandwidthHz: 0.01 / (2 * Double.pi * jackPeriodFrames / jackRateHz),
      period: jackPeriodFrames / jackRateHz,
    )
    ratio = deviceRateHz / jackRateHz
    setLoop(bandwidthHz: 1)
  }

  private mutating func setLoop(bandwidthHz: Double) {
    let angle = 2 * Double.pi * bandwidthHz * jackPeriodFrames / jackRateHz
    w0 = 1 - exp(-20 * angle)
    w1 = angle * 1.5 / (jackPeriodFrames * deviceRateHz / jackRateHz)
    w2 = angle / 1.5
  }

  mutating func addDeviceStamp(frames: Double, seconds: Double) {
    device.add(seconds, periods: max(1, (frames - deviceFrames) / devicePeriod))
    deviceFrames = frames
  }

  /// - Returns: By how much to move the pointer.
  mutating func step(seconds wake: Double, positionFrames: Double) -> Double {
    jack.add(wake, periods: 1)
    let rate = devicePeriod / device.length
    var error = positionFrames - (deviceFrames + (jack.now - device.now) * rate) - target
    var move = 0.0
    if seconds == 0 || abs(error) > 200 {
      move = -error.rounded()
      error += move
    }
    if seconds < 4, seconds + jackPeriodFrames / jackRateHz >= 4 { setLoop(bandwidthHz: 0.05) }
    seconds += jackPeriodFrames / jackRateHz
    z1 += w0 * (w1 * error - z1)
    z2 += w0 * (z1 - z2)
    z3 += w2 * z2
    ratio = deviceRateHz / jackRateHz * (1 - max(-0.05, min(0.05, z2 + z3)))
    return move
  }
}
