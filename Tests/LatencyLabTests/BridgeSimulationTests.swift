// SPDX-License-Identifier: MIT

import DeviceBridge
import LatencyLab
import Testing

/// The controller against simulated clocks, beside the loop of the zita bridges.
struct BridgeSimulationTests {
  private func simulation(
    _ lateness: SimulatedClock.Lateness,
    offsetPPM: Double = 0,
  ) -> BridgeSimulation {
    var simulation = BridgeSimulation()
    simulation.jack.lateness = lateness
    simulation.device.lateness = lateness
    simulation.device.offsetPPM = offsetPPM
    return simulation
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  @Test(
    arguments: SimulatedClock.Lateness.allCases,
    [0.0, 200, -200, 1000, -1000],
  )
  func `the tone stays clean at any lateness and offset, and cleaner than with zita's loop`(
    lateness: SimulatedClock.Lateness,
    offsetPPM: Double,
  ) {
    let simulation = simulation(lateness, offsetPPM: offsetPPM)
    let ours = simulation.run(.multiroute)
    let zita = simulation.run(.zita)
    let oursDB = median(ours.sinadDB(windowSeconds: 1, fromSeconds: 25))
    #expect(oursDB >= 80)
    #expect(oursDB > median(zita.sinadDB(windowSeconds: 1, fromSeconds: 25)) + 15)
    let wander = ours.wanderFrames(fromSeconds: 25)
    #expect(wander <= 0.1)
    #expect(wander < zita.wanderFrames(fromSeconds: 25))
    // Usable within 2 s, settled within 10 s.
    #expect(ours.largestErrorFrames(fromSeconds: 2) < 4)
    #expect(ours.largestErrorFrames(fromSeconds: 10) < 2)
    #expect((ours.lockedAtSeconds ?? .infinity) < 5)
    #expect(ours.resyncs == 0)
  }

  @Test func `an hour at 208 ppm, with the heavy tail of a virtual machine, has no resync`() {
    var simulation = simulation(.heavyTail, offsetPPM: 208)
    simulation.durationSeconds = 3600
    let trace = simulation.run(.multiroute)
    #expect(trace.resyncs == 0)
    #expect(trace.largestErrorFrames(fromSeconds: 10) < 2)
    #expect(trace.wanderFrames(fromSeconds: 25) <= 0.1)
  }

  @Test func `a clock that drifts by 20 ppm in minutes is followed`() {
    var simulation = simulation(.heavyTail)
    simulation.device.driftPPM = 20
    simulation.durationSeconds = 600
    let trace = simulation.run(.multiroute)
    #expect(trace.resyncs == 0)
    // A slope of 0.2 ppm a second is a hundred times that of a card that warms up.
    #expect(trace.largestErrorFrames(fromSeconds: 10) < 6)
  }

  @Test(arguments: [0.0005, 0.001, 0.003, 0.005], [40.0, 43.1, 47.7])
  func `a server that stands still for less than a period costs no frame and no resync`(
    stallSeconds: Double,
    stallAtSeconds: Double,
  ) {
    var simulation = simulation(.quiet, offsetPPM: 208)
    simulation.jack.stallAtSeconds = stallAtSeconds
    simulation.jack.stallSeconds = stallSeconds
    let trace = simulation.run(.multiroute)
    #expect(trace.resyncs == 0)
    #expect(trace.underruns == 0)
    // Slewed at a thousandth: 240 frames in five seconds.
    #expect(trace.largestErrorFrames(fromSeconds: 60) < 2)
    #expect(trace.points.allSatisfy { $0.seconds < 25 || abs($0.ratioPPM - 208) < 1010 })
  }

  @Test func `a server that stands still for longer than the fill costs one move of the pointer`() {
    var simulation = simulation(.quiet, offsetPPM: 208)
    simulation.jack.stallAtSeconds = 40
    simulation.jack.stallSeconds = 0.02
    let trace = simulation.run(.multiroute)
    #expect(trace.resyncs == 1)
    // Four late stamps prove that it is not an accident.
    #expect((1...8).contains(trace.underruns))
    #expect(trace.largestErrorFrames(fromSeconds: 42) < 2)
  }

  @Test func `a card that stands still for 8 ms is slewed, because early frames wait`() {
    var simulation = simulation(.quiet)
    simulation.device.stallAtSeconds = 40
    simulation.device.stallSeconds = 0.008
    let trace = simulation.run(.multiroute)
    #expect(trace.resyncs == 0)
    #expect(trace.underruns == 0)
    #expect(trace.largestErrorFrames(fromSeconds: 55) < 2)
  }
}
