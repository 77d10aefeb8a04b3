// SPDX-License-Identifier: MIT

import DeviceBridge
import Testing

/// Two clocks on time, a resampler that follows its ratio, and a controller between them.
private struct Rig {
  var controller = BridgeController(jackRateHz: 48_000, deviceRateHz: 48_000)
  let direction: BridgeDirection
  let deviceRateHz: Double
  var period = 256
  var jackFrames: Int64 = 0
  var deviceFrames: Int64 = 0
  var deviceRuns = true
  /// The device's count at time 0.
  var deviceCount: Int64 = 0
  /// For how long JACK has stood still in all.
  var stallSeconds = 0.0
  var position = 0.0
  var moves: [Int] = []

  init(_ direction: BridgeDirection = .playback, deviceRateHz: Double = 48_010) {
    self.direction = direction
    self.deviceRateHz = deviceRateHz
    controller.setTarget(delayFrames: 560, shortLimitFrames: 128, longLimitFrames: 256)
  }

  mutating func run(seconds: Double) {
    let end = jackFrames + Int64(seconds * 48_000)
    while jackFrames < end {
      let now = Double(jackFrames) / 48_000 + stallSeconds
      while deviceRuns, Double(deviceFrames + 256) / deviceRateHz <= now {
        deviceFrames += 256
        let due = Double(deviceFrames) / deviceRateHz
        controller.addDeviceStamp(
          frames: deviceCount + deviceFrames,
          nanoseconds: Int64(due * 1e9),
        )
      }
      controller.addJACKStamp(frames: jackFrames, nanoseconds: Int64(now * 1e9))
      let decision = controller.step(
        jackFrames: jackFrames,
        periodFrames: period,
        positionFrames: position,
        direction: direction,
      )
      if decision.pointerMoveFrames != 0 { moves.append(decision.pointerMoveFrames) }
      let sign = direction == .playback ? 1.0 : -1.0
      position += sign * Double(decision.pointerMoveFrames)
      if decision.isRunning { position += Double(period) * decision.ratio }
      jackFrames += Int64(period)
    }
  }

  /// The error of the true delay.
  var error: Double {
    let now = Double(jackFrames) / 48_000 + stallSeconds
    let delay = position - Double(deviceCount) - now * deviceRateHz
    return (direction == .playback ? delay : -delay) - 560
  }
}

struct BridgeControllerTests {
  @Test(arguments: BridgeDirection.allCases)
  func `starting, coarse, locked: silence, then sound at the delay asked for`(
    direction: BridgeDirection
  ) {
    var rig = Rig(direction)
    rig.run(seconds: 0.2)
    #expect(rig.controller.state == .starting)
    #expect(rig.moves.isEmpty)
    rig.run(seconds: 0.4)
    #expect(rig.controller.state == .coarse)
    // The first error is taken away by moving the pointer, at once and once.
    #expect(rig.moves.count == 1)
    #expect(abs(rig.error) < 1)
    rig.run(seconds: 3)
    #expect(rig.controller.state == .locked)
    rig.run(seconds: 15)
    #expect(abs(rig.error) < 0.25)
    #expect(abs(rig.controller.offsetPPM - 208.33) < 0.1)
    #expect(rig.controller.resyncs == 0)
  }

  @Test func `no stamps, no sound; with stamps it is back within a second`() {
    var rig = Rig()
    rig.run(seconds: 10)
    rig.deviceRuns = false
    rig.run(seconds: 0.5)
    #expect(rig.controller.state == .lost)
    rig.deviceRuns = true
    rig.run(seconds: 1)
    #expect([LockState.coarse, .locked].contains(rig.controller.state))
    #expect(abs(rig.error) < 1)
    #expect(rig.controller.resyncs == 0)
  }

  @Test func `another period moves the pointer once, and the rates stay known`() {
    var rig = Rig()
    rig.run(seconds: 10)
    let moves = rig.moves.count
    rig.period = 512
    rig.controller.setTarget(
      delayFrames: 816,
      shortLimitFrames: 128,
      longLimitFrames: 256,
    )
    rig.run(seconds: 1)
    #expect(rig.moves.count == moves + 1)
    #expect(abs(rig.error - 256) < 1)
    #expect(rig.controller.state == .locked)
  }

  @Test(arguments: BridgeDirection.allCases, [0.002, 0.02, 0.5])
  func `JACK stands still while its period changes, and the next cycle is in its place`(
    direction: BridgeDirection,
    stallSeconds: Double,
  ) {
    var rig = Rig(direction)
    rig.run(seconds: 10)
    rig.stallSeconds = stallSeconds
    rig.period = 512
    rig.controller.jackPeriodChanged()
    rig.controller.setTarget(
      delayFrames: 816,
      shortLimitFrames: 128,
      longLimitFrames: 256,
    )
    rig.run(seconds: 0.01)
    #expect(abs(rig.error - 256) < 1)
    rig.run(seconds: 2)
    #expect(abs(rig.error - 256) < 1)
    #expect(rig.controller.state == .locked)
    #expect(abs(rig.controller.offsetPPM - 208.33) < 1)
    #expect(rig.controller.jackClock.steps == 0)
  }

  @Test(arguments: BridgeDirection.allCases)
  func `a device that counts anew is followed without a break`(direction: BridgeDirection) {
    var rig = Rig(direction)
    rig.run(seconds: 10)
    rig.deviceCount = -400_000
    rig.controller.restartDevice()
    rig.run(seconds: 0.01)
    #expect(rig.controller.state == .coarse)
    #expect(abs(rig.error) < 1)
    rig.run(seconds: 2)
    #expect(rig.controller.state == .locked)
    #expect(abs(rig.error) < 1)
    #expect(abs(rig.controller.offsetPPM - 208.33) < 1)
  }

  @Test func `a small step is slewed within what no ear notices, a large one moves the pointer`() {
    var rig = Rig()
    rig.run(seconds: 10)
    rig.position += 40
    rig.run(seconds: 4)
    #expect(rig.controller.resyncs == 0)
    #expect(abs(rig.error) < 10)
    rig.run(seconds: 10)
    rig.position += 500
    rig.run(seconds: 1)
    #expect(rig.controller.resyncs == 1)
    #expect(abs(rig.error) < 1)
  }
}
