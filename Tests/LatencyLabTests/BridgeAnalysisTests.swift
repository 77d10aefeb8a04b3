// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import LatencyLab

/// The bridge benchmark's readings of recordings that are known to the last sample.
struct BridgeAnalysisTests {
  private static let rateHz = 48_000.0
  private static let delayFrames = 700

  /// Eight seconds of the benchmark's signals, 700 frames late, with both sides' cycles on time.
  private func analysis(_ phaseFrames: (Int) -> Double) -> BridgeAnalysis {
    let frames = 8 * 48_000
    let tone = (0..<frames).map { frame in
      Float(0.5 * sin(2 * Double.pi * 997 * (Double(frame) + phaseFrames(frame)) / Self.rateHz))
    }
    let impulses = (0..<frames).map { ($0 - Self.delayFrames) % 12_000 == 0 ? Float(0.5) : 0 }
    let stamps = (0...(frames / 256)).map {
      CycleStamp(frame: $0 * 256, nanoseconds: UInt64(Double($0 * 256) / Self.rateHz * 1e9))
    }
    return BridgeAnalysis(
      BridgeRecording(sampleRateHz: Self.rateHz, channels: [tone, impulses], stamps: stamps),
      from: 0,
      frequencyHz: 997,
      played: stamps,
      playerRateHz: Self.rateHz,
      impulseFrames: 12_000,
    )
  }

  @Test func `a clean tone has no fault, and impulses tell the delay`() {
    let clean = analysis { _ in 0 }
    #expect((clean.sinad1sDB.min() ?? 0) > 110)
    #expect(clean.wanderFrames < 1e-3)
    #expect(abs(clean.meanFrequencyPPM) < 0.01)
    #expect(clean.brokenWindows == 0 && clean.resyncs == 0)
    let expected = Double(Self.delayFrames) / 48
    #expect(clean.latencyMilliseconds.count > 20)
    #expect(clean.latencyMilliseconds.allSatisfy { abs($0 - expected) < 0.01 })
  }

  @Test func `a pitch that wanders by a tenth of a frame is read as that`() {
    let wandering = analysis { 0.1 * 2.squareRoot() * sin(2 * Double.pi * Double($0) / 96_000) }
    #expect(abs(wandering.wanderFrames - 0.1) < 0.01)
    #expect((wandering.sinad1sDB.max() ?? 0) < 60)
    #expect(wandering.resyncs == 0)
  }

  @Test func `each jump of the pointer counts once`() {
    let jumping = analysis { $0 < 100_000 ? 0 : $0 < 251_000 ? 20 : -15 }
    #expect(jumping.resyncs == 2)
    #expect(jumping.brokenWindows == 2)
  }
}
