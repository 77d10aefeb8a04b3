// SPDX-License-Identifier: MIT

import Glibc
import LatencyLab
import TestSupport
import Testing

@Suite struct RoundTripEstimatorTests {
  private static func makeEstimator() throws -> RoundTripEstimator {
    var options = RoundTripEstimator.Options()
    options.probeFrames = 2048
    options.maximumDelayFrames = 2048
    return try RoundTripEstimator(options: options)
  }

  @Test(arguments: [0, 0.001, 0.5, 1, 37, 1000.5, 1000.999, 2047.75, 2048])
  func readsACleanDelayToAThousandthOfAFrame(delayFrames: Double) async throws {
    let estimator = try Self.makeEstimator()
    for gainLinear in [1.0, -1, 0.001, -0.001] {
      await Task.yield()
      var capture = [Float](repeating: 0, count: estimator.captureFrames)
      DelayPath(delayFrames: delayFrames, gainLinear: gainLinear)
        .add(estimator.probe, to: &capture)
      let estimate = try estimator.estimate(capture)
      #expect(abs(estimate.delayFrames - delayFrames) < 0.001)
      #expect(abs(estimate.levelDB - 20 * log10(abs(gainLinear))) < 0.01)
      #expect(estimate.isInverted == (gainLinear < 0))
      #expect(estimate.confidence == 1)
    }
  }

  /// A delay of up to 2 s is read rightly or refused, whatever answers to earlier probes are in the window.
  @Test func isRightOrRefusesWhereEarlierAnswersAreLate() async throws {
    var random = TestRandom(TestSeed.derived(number: 4))
    for _ in 0..<40 {
      await Task.yield()
      let delay = Int.random(in: 0...96_000, using: &random)
      let period = 4_096 + Int.random(in: 2_400...3_000, using: &random)
      let count = 96_000 / period + 3
      var line = [Float](repeating: 0, count: count * period + 4_096)
      var estimators = [try Self.makeEstimator()]
      for index in 0..<count {
        for (frame, sample) in estimators[index].probe.enumerated() {
          let place = index * period + delay + frame
          if place < line.count { line[place] += sample }
        }
        estimators.append(try estimators[index].next())
      }
      for (index, estimator) in estimators.dropLast().enumerated() {
        let capture = Array(line[(index * period)...].prefix(estimator.captureFrames))
        guard let reading = try? estimator.estimate(capture) else { continue }
        #expect(abs(reading.delayFrames - Double(delay)) < 0.01, "\(delay), \(index)")
      }
    }
  }

  /// 1,000 random paths are read rightly or refused.
  ///
  /// Delay, polarity, level down to -60 dB, noise from none to far too much, and faults. The
  /// reading must be right within 0.01 frame in every case.
  @Test(arguments: 0..<4)
  func isRightOrRefusesInAThousandRandomCases(quarter: Int) async throws {
    let estimator = try Self.makeEstimator()
    var random = TestRandom(TestSeed.derived(number: quarter))
    var readings = 0
    var refusals: [RoundTripRefusal.Reason: Int] = [:]
    var goodPaths = (accepted: 0, all: 0)
    for index in 0..<250 {
      // Others need the few threads of the pool too.
      await Task.yield()
      let known = [0, 1, 37, 1000.5]
      let delayFrames =
        index % 5 < 4 ? known[index % 5] : Double.random(in: 0...2048, using: &random)
      let gainLinear =
        pow(10, Double.random(in: -60...0, using: &random) / 20)
        * (Bool.random(using: &random) ? 1 : -1)
      let ratioDB = Double.random(in: -30...100, using: &random)
      let fault =
        index.isMultiple(of: 2) ? Fault.none : Fault.allCases.randomElement(using: &random) ?? .none
      var capture = [Float](repeating: 0, count: estimator.captureFrames)
      let path = DelayPath(delayFrames: delayFrames, gainLinear: gainLinear)
      path.add(estimator.probe, to: &capture)
      fault.apply(to: &capture, path: path, probeFrames: estimator.probe.count, using: &random)
      let noiseLinear = 0.125 * abs(gainLinear) * pow(10, -ratioDB / 20)
      for frame in capture.indices { capture[frame] += Float(noiseLinear * random.normal()) }

      let isGood = fault == .none && ratioDB > 30
      goodPaths.all += isGood ? 1 : 0
      do throws(RoundTripRefusal) {
        let estimate = try estimator.estimate(capture)
        readings += 1
        goodPaths.accepted += isGood ? 1 : 0
        #expect(
          abs(estimate.delayFrames - delayFrames) < 0.01,
          "case \(index): \(delayFrames) frames, \(ratioDB) dB, \(fault): \(estimate)",
        )
        #expect(estimate.isInverted == (gainLinear < 0), "case \(index)")
      } catch {
        refusals[error.reason, default: 0] += 1
        #expect(error.candidate.map { $0.confidence < 1 } ?? true)
      }
    }
    #expect(readings > 50, "\(refusals)")
    #expect(goodPaths.accepted == goodPaths.all)
    for reason in [RoundTripRefusal.Reason.noisy, .notFound, .notPureDelay, .ambiguous] {
      #expect(refusals[reason, default: 0] > 2, "\(reason) in \(refusals)")
    }
  }

  @Test func refusesWhatIsNotTheProbe() async throws {
    let estimator = try Self.makeEstimator()
    var random = TestRandom(3)
    let count = estimator.captureFrames
    let signals: [(RoundTripRefusal.Reason, [Float])] = [
      (.tooShort, [Float](repeating: 0.1, count: 2047)),
      (.silence, [Float](repeating: 0, count: count)),
      (.silence, [Float](repeating: .nan, count: count)),
      (.notFound, (0..<count).map { _ in Float(0.1 * random.normal()) }),
      (.notFound, (0..<count).map { Float(sin(Double($0) * 0.3)) }),
      (.notFound, (0..<count).map { $0 == 1000 ? 1 : 0 }),
    ]
    for (reason, signal) in signals {
      await Task.yield()
      #expect(Self.refusal(of: signal, by: estimator)?.reason == reason)
    }
  }

  @Test func refusesADelayBeyondItsRange() throws {
    let estimator = try Self.makeEstimator()
    var capture = [Float](repeating: 0, count: estimator.captureFrames)
    DelayPath(delayFrames: 2248, gainLinear: 1).add(estimator.probe, to: &capture)
    #expect(Self.refusal(of: capture, by: estimator)?.reason == .beyondRange)
  }

  @Test func refusesTwoClocksThatDriftApart() throws {
    let estimator = try Self.makeEstimator()
    var capture = [Float](repeating: 0, count: estimator.captureFrames)
    // 1,000 ppm, by linear steps of whole blocks: 2 frames over the probe.
    for block in 0..<64 {
      let part = estimator.probe.enumerated().map { $0.offset / 32 == block ? $0.element : 0 }
      DelayPath(delayFrames: 100 + 0.032 * Double(block), gainLinear: 1).add(part, to: &capture)
    }
    #expect(Self.refusal(of: capture, by: estimator)?.reason == .notPureDelay)
  }

  @Test func probeStaysWithinItsBandAndPeak() throws {
    let estimator = try Self.makeEstimator()
    #expect(estimator.probe.count == 2048)
    let peak = estimator.probe.reduce(0) { max($0, abs($1)) }
    #expect(abs(peak - 0.5) < 1e-6)
    // Goertzel's sum well inside and well outside of the band.
    func level(at frequency: Double) -> Double {
      var (re, im) = (0.0, 0.0)
      for (frame, sample) in estimator.probe.enumerated() {
        re += Double(sample) * cos(2 * .pi * frequency * Double(frame))
        im += Double(sample) * sin(2 * .pi * frequency * Double(frame))
      }
      return (re * re + im * im).squareRoot()
    }
    let inside = (1...20).map { level(at: 0.02 + 0.017 * Double($0)) }.reduce(0, +) / 20
    let outside = (1...20).map { level(at: 0.39 + 0.005 * Double($0)) }.max() ?? 0
    #expect(outside < inside * 0.001)
  }

  @Test func namesTheOptionThatIsOutOfRange() {
    var options = RoundTripEstimator.Options()
    options.probeFrames = 100
    #expect(throws: LabError.self) { try RoundTripEstimator(options: options) }
    do throws(LabError) {
      _ = try RoundTripEstimator(options: options)
    } catch {
      #expect(error.code == .badOption)
      #expect(error.description.contains("256 to 1048576"))
    }
  }

  private static func refusal(
    of capture: [Float],
    by estimator: RoundTripEstimator,
  ) -> RoundTripRefusal? {
    do throws(RoundTripRefusal) {
      _ = try estimator.estimate(capture)
      return nil
    } catch {
      return error
    }
  }
}

@Suite struct LatencyDiscrepancyTests {
  private static let claim = LatencyClaim(
    basis: .hardwareLoop,
    minimumFrames: 128,
    maximumFrames: 192
  )

  @Test(arguments: [
    (128.0, LatencyDiscrepancy.agrees), (127.6, .agrees), (192.4, .agrees),
    (100, .overreported(frames: 28)), (200, .unreported(frames: 8)),
    (256, .unreportedPeriods(count: 1)), (320.3, .unreportedPeriods(count: 2)),
  ])
  func namesTheDifference(frames: Double, expected: LatencyDiscrepancy) {
    let found = LatencyDiscrepancy(measuredFrames: frames, claim: Self.claim, bufferFrames: 64)
    #expect(found == expected)
    #expect(!found.description.isEmpty)
  }
}
