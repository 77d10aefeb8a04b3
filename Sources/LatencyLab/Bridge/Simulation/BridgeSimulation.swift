// SPDX-License-Identifier: MIT

import DeviceBridge

/// A bridge between two simulated clocks, run as fast as the machine can.
///
/// The simulation knows the true times; the controllers see only stamps with their lateness. Audio is not
/// computed: the time of each frame follows from the ratios, and the distortion of a sine follows from these
/// times.
///
/// A plain value: [any-thread].
public struct BridgeSimulation: Sendable {
  /// The bridge whose control loop runs.
  public enum Loop: String, Sendable, CaseIterable {
    /// The loop of ``DeviceBridge``.
    case multiroute
    /// The loop of the zita bridges.
    case zita
  }

  /// JACK's clock.
  public var jack = SimulatedClock()
  /// The device's clock.
  public var device = SimulatedClock()
  /// Simulated time, in seconds.
  public var durationSeconds = 85.0
  /// The delay to keep, in frames.
  public var targetDelayFrames = 560.0
  /// The seed of all chance.
  public var seed: UInt64 = 1

  /// Delay of the resampler's filter in frames, part of the whole delay.
  private static let filterFrames = 48.0

  /// Makes a simulation of two clocks that agree.
  public init() {}

  /// Runs it.
  ///
  /// - Parameter loop: The control loop to run.
  /// - Returns: The course of the simulation.
  public func run(_ loop: Loop) -> BridgeTrace {
    var random = SeededGenerator(seed: seed)
    var controller = BridgeController(
      jackRateHz: jack.nominalRateHz,
      deviceRateHz: device.nominalRateHz,
    )
    controller.setTarget(
      delayFrames: targetDelayFrames,
      shortLimitFrames: Double(device.periodFrames),
      longLimitFrames: Double(device.periodFrames + jack.periodFrames),
    )
    var zita = ZitaController(jack: jack, device: device, targetDelayFrames: targetDelayFrames)
    var trace = BridgeTrace(periodSeconds: Double(jack.periodFrames) / jack.nominalRateHz)

    var position = 0.0
    var jackFrames = 0.0
    var deviceFrames = Double(device.periodFrames)
    var takenFrames = 0.0
    var deviceWake = wake(of: device, at: deviceFrames, &random)
    var lastDeviceWake = 0.0
    var lastJACKWake = 0.0
    while true {
      let cycleStart = jack.seconds(atFrames: jackFrames)
      guard cycleStart < durationSeconds else { break }
      // A thread that is late for one period is not earlier for the next.
      let jackWake = max(cycleStart + jack.drawLateness(&random), lastJACKWake)
      lastJACKWake = jackWake
      while deviceWake <= jackWake {
        controller.addDeviceStamp(
          frames: Int64(deviceFrames),
          nanoseconds: Int64((deviceWake * 1e6).rounded(.down)) * 1000,
        )
        zita.addDeviceStamp(frames: deviceFrames, seconds: deviceWake)
        lastDeviceWake = deviceWake
        deviceFrames += Double(device.periodFrames)
        deviceWake = max(wake(of: device, at: deviceFrames, &random), lastDeviceWake)
      }
      while device.seconds(atFrames: takenFrames) <= jackWake {
        takenFrames += Double(device.periodFrames)
        trace.take(missingFrames: takenFrames - (position - Self.filterFrames))
      }
      let ratio: Double
      let move: Double
      var isRunning = true
      switch loop {
      case .multiroute:
        controller.addJACKStamp(
          frames: Int64(jackFrames),
          nanoseconds: Int64((jackWake * 1e6).rounded(.down)) * 1000,
        )
        let decision = controller.step(
          jackFrames: Int64(jackFrames),
          periodFrames: jack.periodFrames,
          positionFrames: position,
          direction: .playback,
        )
        ratio = decision.ratio
        move = Double(decision.pointerMoveFrames)
        isRunning = decision.isRunning
      case .zita:
        // It waits half a second for everything to run.
        guard cycleStart > 0.5 else {
          jackFrames += Double(jack.periodFrames)
          continue
        }
        move = zita.step(seconds: jackWake, positionFrames: position)
        ratio = zita.ratio
      }
      position += move
      let delay = position - device.frames(atSeconds: cycleStart)
      if isRunning {
        trace.add(
          seconds: cycleStart,
          delayErrorFrames: delay - targetDelayFrames,
          ratioPPM: (ratio * jack.nominalRateHz / device.nominalRateHz - 1) * 1e6,
          isMove: move != 0,
        )
        if controller.state == .locked, trace.lockedAtSeconds == nil, loop == .multiroute {
          trace.lockedAtSeconds = cycleStart
        }
      }
      position += Double(jack.periodFrames) * ratio
      jackFrames += Double(jack.periodFrames)
    }
    return trace
  }

  private func wake(
    of clock: SimulatedClock,
    at frames: Double,
    _ random: inout SeededGenerator,
  ) -> Double {
    clock.seconds(atFrames: frames) + clock.drawLateness(&random)
  }
}
