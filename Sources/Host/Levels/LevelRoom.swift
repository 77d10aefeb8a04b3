// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import JACK
internal import Mixing
internal import Realtime

/// The levels of the mix, and the figures of the audio thread: callbacks, their durations, and late cycles.
///
/// Belongs to the control thread.
final class LevelRoom {
  /// The interval of reading levels without subscribers, for the detection of silence.
  private static let silenceIntervalNanoseconds: UInt64 = 1_000_000_000
  /// The interval of reading levels that are watched as parameters.
  private static let parameterIntervalNanoseconds: UInt64 = 100_000_000
  /// The interval of reading levels for pages, a little less than the shortest tick, so that each tick reads.
  private static let pageIntervalNanoseconds: UInt64 = 15_000_000

  /// The durations of the main client's callbacks.
  private let times = CallbackTimes()
  private let control: Control
  private let configuredIntervalNanoseconds: UInt64?
  private var startNanoseconds: UInt64
  /// The shortest interval of all subscriptions to meters; nil without any.
  private var askedNanoseconds: UInt64?
  private var isWatchedAsParameter = false
  private var isWatchedByPages = false
  private var lastNanoseconds: UInt64 = 0
  /// The callbacks on servers that are gone.
  private var cyclesBefore: UInt64 = 0
  private var xruns: UInt64 = 0
  private var lastXrun: XrunStatus?
  private var faults = InputFaultWatch()

  /// Makes a room.
  ///
  /// - Parameters:
  ///   - configuredIntervalNanoseconds: The interval of meters for the program that runs the host; nil for no
  ///     meters.
  ///   - control: The services that all rooms share.
  init(configuredIntervalNanoseconds: UInt64?, control: Control) {
    self.configuredIntervalNanoseconds = configuredIntervalNanoseconds
    self.control = control
    startNanoseconds = control.nowNanoseconds
  }

  /// Begins the uptime, because the host starts.
  func begin() { startNanoseconds = control.nowNanoseconds }

  // MARK: - Levels

  /// The levels of one reading.
  struct Reading {
    /// The strips with a signal that somebody may hear.
    let heard: Set<String>
    /// The meters for subscribers; nil without any.
    let meters: Meters?
  }

  /// Takes in the shortest interval that subscribers of the socket ask for.
  func subscriptionsChanged(_ demand: SubscriptionDemand) {
    askedNanoseconds = demand.metersIntervalMilliseconds.map { UInt64($0) * 1_000_000 }
  }

  /// Takes in whether anybody watches levels as parameters.
  func parametersWatched(_ isWatched: Bool) { isWatchedAsParameter = isWatched }

  /// Takes in whether pages in browsers show levels.
  func pagesWatched(_ isWatched: Bool) { isWatchedByPages = isWatched }

  /// The interval at which levels are read for others; nil while nobody sees them.
  private var intervalNanoseconds: UInt64? {
    [
      askedNanoseconds, configuredIntervalNanoseconds,
      isWatchedAsParameter ? Self.parameterIntervalNanoseconds : nil,
      isWatchedByPages ? Self.pageIntervalNanoseconds : nil,
    ].compactMap { $0 }.min()
  }

  /// The interval at which the host collects the engine's events: long without subscriptions to fast meters,
  /// because each round costs time.
  var tick: Duration {
    let isWatched = intervalNanoseconds.map { $0 < 100_000_000 } ?? false
    return .milliseconds(isWatched ? 20 : 50)
  }

  /// Whether anybody sees the levels.
  var isWatched: Bool { intervalNanoseconds != nil }

  /// Reads the levels where their interval has passed.
  ///
  /// - Parameter meters: Reads the levels of the engine since the last reading.
  /// - Returns: The levels; nil before the interval has passed.
  func read(_ meters: () -> MixMeters) -> Reading? {
    let now = control.nowNanoseconds
    guard now &- lastNanoseconds >= intervalNanoseconds ?? Self.silenceIntervalNanoseconds else {
      return nil
    }
    lastNanoseconds = now
    let levels = meters()
    let heard = levels.strips.filter(\.isHeard).map(\.id)
    guard intervalNanoseconds != nil else { return Reading(heard: Set(heard), meters: nil) }
    return Reading(
      heard: Set(heard),
      meters: Meters(
        time: HostClock.stamp(frame: nil),
        strips: levels.strips.map { Self.levels($0) },
        routes: levels.routes.map { Self.levels($0) },
      ),
    )
  }

  private static func levels(_ strip: MixMeters.Strip) -> StripLevels {
    StripLevels(
      id: strip.id,
      peak: strip.post.map(\.peakLinear),
      rms: strip.post.map(\.rmsLinear),
      prePeak: strip.pre.map(\.peakLinear),
      preRMS: strip.pre.map(\.rmsLinear),
      tap: MeterTap(strip.tap),
    )
  }

  private static func levels(_ route: MixMeters.Route) -> MixLevels {
    MixLevels(
      id: route.id,
      peak: route.channels.map(\.peakLinear),
      rms: route.channels.map(\.rmsLinear),
      limiterGain: route.limiterGain,
    )
  }

  // MARK: - Samples that are no sound

  /// Takes in the counts of samples that the audio thread silenced or clamped, and publishes new ones, at most every
  /// 10 s for each place.
  func tell(_ counts: [FaultPlace: InputFaults]) {
    for report in faults.note(counts, nowNanoseconds: control.nowNanoseconds) {
      control.publish(
        .inputFault(
          .init(
            at: report.place,
            silencedSamples: report.faults.silencedSamples,
            clampedSamples: report.faults.clampedSamples,
          )
        ),
        "\(report.place.description) has samples that are no sound: \(report.faults.words)",
      )
    }
  }

  /// The counts of a strip for `status`; nil without faults.
  func faults(ofStrip strip: String) -> InputFaultStatus? { faults.status(ofStrip: strip) }

  /// The recent faults of some strips, for `why`; nil without any.
  func faultSentence(ofStrips strips: [String]) -> String? {
    faults.sentence(ofStrips: strips, nowNanoseconds: control.nowNanoseconds)
  }

  // MARK: - Figures

  /// The store for the durations of the main client's callbacks; it outlives each presence.
  var callbackTimes: CallbackTimes { times }

  /// Takes in the durations that the audio thread has left; by the host's timer.
  func collect() { times.collect() }

  /// The facts of a late cycle.
  struct LateCycle {
    /// Its lateness by JACK's measurement.
    let delayMicroseconds: Double
    /// The JACK frame at which it was late.
    let frame: UInt64
    /// The duration of the host's own last callback.
    let callbackNanoseconds: UInt64
    /// JACK's load, in percent.
    let loadPercent: Double
    /// The length of a cycle.
    let periodMicroseconds: Double

    /// The probable cause, in words.
    var cause: String {
      let microseconds = callbackNanoseconds / 1000
      return Double(callbackNanoseconds) / 1000 > periodMicroseconds
        ? "the host's own callback took \(microseconds) µs"
        : "not the host: its callback took \(microseconds) µs, JACK's load was \(Int(loadPercent)) %"
    }
  }

  /// Counts and publishes a cycle that JACK reports as late.
  func countXrun(_ late: LateCycle) {
    xruns += 1
    lastXrun = XrunStatus(
      time: HostClock.stamp(frame: late.frame),
      delayMicroseconds: late.delayMicroseconds,
      cause: late.cause,
    )
    control.publish(
      .xrun(EventPayload.Xrun(delayMicroseconds: late.delayMicroseconds, cause: late.cause)),
      "xrun number \(xruns), late by \(Int(late.delayMicroseconds)) µs; \(late.cause)",
      frame: late.frame,
    )
  }

  /// Adds the callbacks of an attachment that is over.
  func add(cycles: UInt64) { cyclesBefore += cycles }

  /// The time since the host's start.
  var uptimeSeconds: Double { Double(control.nowNanoseconds - startNanoseconds) * 1e-9 }

  /// The engine for `status`.
  var engineStatus: EngineStatus {
    let attachment = control.attachment
    return EngineStatus(
      cycles: cyclesBefore + (attachment?.callbacks.count ?? 0),
      xruns: xruns,
      loadPercent: attachment?.loadPercent ?? 0,
      callbackMicroseconds: times.percentiles,
      lastXrun: lastXrun,
    )
  }
}

extension EventPayload.InputFault {
  /// The fault of a place. [any-thread]
  init(at place: FaultPlace, silencedSamples: UInt64, clampedSamples: UInt64) {
    switch place {
    case .strip(let strip):
      self.init(
        of: .strip(strip),
        silencedSamples: silencedSamples,
        clampedSamples: clampedSamples
      )
    case .route(let route):
      self.init(
        of: .route(route),
        silencedSamples: silencedSamples,
        clampedSamples: clampedSamples
      )
    case .capture(let port):
      self.init(
        ofCapture: port,
        silencedSamples: silencedSamples,
        clampedSamples: clampedSamples
      )
    }
  }
}

extension MeterTap {
  /// The tap of the engine, by its name on the wire. [any-thread]
  init(_ tap: StripSpec.MeterTap) {
    self =
      switch tap {
      case .pre: .pre
      case .post: .post
      }
  }
}
