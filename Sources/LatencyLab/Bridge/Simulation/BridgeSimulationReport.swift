// SPDX-License-Identifier: MIT

import DeviceBridge

/// The controllers of both bridges against simulated clocks, as figures and as a picture.
///
/// A plain value: [any-thread].
public struct BridgeSimulationReport: Sendable {
  /// Offset of the device's clock, in parts per million.
  public var offsetPPM = 208.0
  /// Simulated time, in seconds.
  public var durationSeconds = 85.0

  /// Makes a report at 208 ppm over 85 s.
  public init() {}

  /// From when on figures count.
  private static let settleSeconds = 25.0

  private func simulation(_ lateness: SimulatedClock.Lateness) -> BridgeSimulation {
    var simulation = BridgeSimulation()
    simulation.jack.lateness = lateness
    simulation.device.lateness = lateness
    simulation.device.offsetPPM = offsetPPM
    simulation.durationSeconds = durationSeconds
    return simulation
  }

  /// The figures: one record for each lateness and loop.
  public var records: [BenchRecord] {
    SimulatedClock.Lateness.allCases.flatMap { lateness in
      BridgeSimulation.Loop.allCases.map { loop in
        let trace = simulation(lateness).run(loop)
        let long = trace.sinadDB(windowSeconds: 1, fromSeconds: Self.settleSeconds)
        let short = trace.sinadDB(windowSeconds: 0.1, fromSeconds: Self.settleSeconds)
        return BenchRecord(
          benchmark: "bridge simulation",
          subject: "\(loop.rawValue), \(lateness.rawValue), \(Int(offsetPPM)) ppm",
          configuration: BenchRecord.Configuration(sampleRateHz: 48_000, bufferFrames: 256),
          metrics: [
            "bridge.sinad1s.median.decibels": long.median ?? .nan,
            "bridge.sinad1s.lowest.decibels": long.min() ?? .nan,
            "bridge.sinad100ms.median.decibels": short.median ?? .nan,
            "bridge.sinad100ms.lowest.decibels": short.min() ?? .nan,
            "bridge.wander.rms.frames": trace.wanderFrames(fromSeconds: Self.settleSeconds),
            "bridge.error.after2s.frames": trace.largestErrorFrames(fromSeconds: 2),
            "bridge.error.after10s.frames": trace.largestErrorFrames(fromSeconds: 10),
            "bridge.resyncs.count": Double(trace.resyncs),
          ],
        )
      }
    }
  }

  /// Writes the picture.
  ///
  /// - Parameter path: The file.
  /// - Throws: ``LabError`` `badFile`.
  public func writePicture(to path: String) throws(LabError) {
    try OutputFile.write(picture, to: path)
  }

  /// The error of the delay over time, both loops, with the wake-ups of a busy virtual machine: SVG.
  private var picture: String {
    let series = BridgeSimulation.Loop.allCases.enumerated().map { index, loop in
      let points = simulation(.heavyTail).run(loop).points
      let used = points.indices.filter { $0 % 20 == 0 }.map { points[$0] }
      return LineChart.Series(
        name: loop == .zita ? "zita's loop" : "MultiRoute",
        points: used.map { (x: $0.seconds, y: max(-6, min(6, $0.delayErrorFrames))) },
        color: Palette.series[index],
        dashes: nil,
      )
    }
    return LineChart(
      title: "Error of the delay: \(Int(offsetPPM)) ppm, busy virtual machine (simulated)",
      horizontalTitle: "seconds",
      verticalTitle: "frames (cut off at ±6)",
      horizontal: ChartScale(kind: .linear, from: 0, to: durationSeconds),
      vertical: ChartScale(kind: .linear, from: -6, to: 6),
      horizontalTicks: nil,
      series: series,
    ).svg
  }
}
