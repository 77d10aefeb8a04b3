// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// One result of a benchmark: a line of a report.
///
/// A plain value: [any-thread].
public struct BenchRecord: Equatable, Sendable, Codable {
  /// The benchmark: `roundtrip`, `wakeup`, `sweep`, `mix`, `bridge`, `node`, `session`, ….
  public var benchmark: String
  /// The thing that was measured, such as a port pair or a program; free text, part of the identity.
  public var subject: String
  /// The circumstances; part of the identity.
  public var configuration: Configuration
  /// When it began, in whole seconds.
  public var startedAt: Date
  /// The figures by name, with the unit as last part: `wakeUp.p99.microseconds`, `xruns.count`.
  public var metrics: [String: Double]
  /// Repeated readings of a metric by the same name, for comparisons beyond the noise.
  public var samples: [String: [Double]]
  /// Distributions by name: `wakeUp`, `interval`, `callback`, `baseline`, `graph`.
  public var distributions: [String: Distribution]
  /// The figures over time.
  public var timeline: [TimelinePoint]
  /// The xruns that happened.
  public var xruns: [XrunRecord]
  /// Remarks for the reader, such as a refusal or a missing permission.
  public var notes: [String]

  /// The circumstances of a result.
  public struct Configuration: Hashable, Sendable, Codable {
    /// Requested sample rate in Hz; nil without one.
    public var preferredSampleRateHz: Double?
    /// Requested buffer size in frames; nil without one.
    public var preferredBufferFrames: Int?
    /// Sample rate that was measured at, in Hz.
    public var sampleRateHz: Double
    /// Buffer size that was measured at, in frames.
    public var bufferFrames: Int
    /// Whether the server waits for its clients in the same period (`-S`); nil where unknown.
    public var isSynchronous: Bool?
    /// Number of clients chained between player and recorder.
    public var chainedClients: Int

    /// Describes the circumstances.
    public init(
      preferredSampleRateHz: Double? = nil,
      preferredBufferFrames: Int? = nil,
      sampleRateHz: Double,
      bufferFrames: Int,
      isSynchronous: Bool? = nil,
      chainedClients: Int = 0,
    ) {
      self.preferredSampleRateHz = preferredSampleRateHz
      self.preferredBufferFrames = preferredBufferFrames
      self.sampleRateHz = sampleRateHz
      self.bufferFrames = bufferFrames
      self.isSynchronous = isSynchronous
      self.chainedClients = chainedClients
    }
  }

  /// Makes a record; omit values that were not measured.
  public init(
    benchmark: String,
    subject: String,
    configuration: Configuration,
    startedAt: Date = Date(),
    metrics: [String: Double] = [:],
    samples: [String: [Double]] = [:],
    distributions: [String: Distribution] = [:],
    timeline: [TimelinePoint] = [],
    xruns: [XrunRecord] = [],
    notes: [String] = [],
  ) {
    self.benchmark = benchmark
    self.subject = subject
    self.configuration = configuration
    self.startedAt = startedAt.wholeSeconds
    self.metrics = metrics
    self.samples = samples
    self.distributions = distributions
    self.timeline = timeline
    self.xruns = xruns
    self.notes = notes
  }
}

extension BenchRecord.Configuration {
  /// The circumstances as a short text, such as `48000 Hz, 64 frames, sync`.
  var words: String {
    var text = "\(Int(sampleRateHz)) Hz, \(bufferFrames) frames"
    if let isSynchronous { text += isSynchronous ? ", sync" : ", async" }
    if chainedClients > 0 { text += ", \(chainedClients) chained" }
    return text
  }

  /// The preferred values where they differ from the actual ones.
  var difference: String? {
    let rate = preferredSampleRateHz.flatMap { $0 == sampleRateHz ? nil : "\(Int($0)) Hz" }
    let size = preferredBufferFrames.flatMap { $0 == bufferFrames ? nil : "\($0) frames" }
    let parts = [rate, size].compactMap(\.self)
    return parts.isEmpty ? nil : "asked for " + parts.joined(separator: ", ")
  }

  /// Length of the period in microseconds.
  var periodMicroseconds: Double {
    sampleRateHz > 0 ? Double(bufferFrames) / sampleRateHz * 1_000_000 : 0
  }
}

extension BenchRecord {
  /// Benchmark, subject and circumstances as text.
  var words: String { "\(benchmark) \(subject), \(configuration.words)" }
}

extension BenchRecord {
  /// The identity by which records of two reports are compared.
  struct Identity: Hashable {
    var benchmark: String
    var subject: String
    var configuration: Configuration
  }

  var identity: Identity {
    Identity(benchmark: benchmark, subject: subject, configuration: configuration)
  }
}

/// A stretch of a measurement: the jitter within it.
///
/// A plain value: [any-thread].
public struct TimelinePoint: Equatable, Sendable, Codable {
  /// Start of the stretch in seconds since the measurement began.
  public var seconds: Double
  /// Median wake-up delay in microseconds.
  public var p50Microseconds: Double
  /// 99th percentile of the wake-up delay in microseconds.
  public var p99Microseconds: Double
  /// Largest wake-up delay in microseconds.
  public var maximumMicroseconds: Double
  /// Largest wake-up delay of the baseline thread in microseconds; nil without one.
  public var baselineMaximumMicroseconds: Double?

  /// Describes a stretch.
  public init(
    seconds: Double,
    p50Microseconds: Double,
    p99Microseconds: Double,
    maximumMicroseconds: Double,
    baselineMaximumMicroseconds: Double? = nil,
  ) {
    self.seconds = seconds
    self.p50Microseconds = p50Microseconds
    self.p99Microseconds = p99Microseconds
    self.maximumMicroseconds = maximumMicroseconds
    self.baselineMaximumMicroseconds = baselineMaximumMicroseconds
  }
}

/// An xrun: its time, its delay, and the machine's activity then.
///
/// A plain value: [any-thread].
public struct XrunRecord: Equatable, Sendable, Codable {
  /// When, in seconds since the measurement began.
  public var seconds: Double
  /// The delay that the server reported, in microseconds.
  public var delayMicroseconds: Double
  /// Largest delay of the baseline thread within 50 ms of it, in microseconds; nil without one.
  public var baselineMicroseconds: Double?
  /// Share of all processors that was busy then, 0…1; nil where unknown.
  public var processorBusyShare: Double?
  /// Threads that wanted to run then; nil where unknown.
  public var runnableThreads: Int?
  /// Share of the time that another machine on the same hardware took (steal), 0…1; nil where
  /// unknown.
  public var stolenShare: Double?

  /// Describes an xrun.
  public init(
    seconds: Double,
    delayMicroseconds: Double,
    baselineMicroseconds: Double? = nil,
    processorBusyShare: Double? = nil,
    runnableThreads: Int? = nil,
    stolenShare: Double? = nil,
  ) {
    self.seconds = seconds
    self.delayMicroseconds = delayMicroseconds
    self.baselineMicroseconds = baselineMicroseconds
    self.processorBusyShare = processorBusyShare
    self.runnableThreads = runnableThreads
    self.stolenShare = stolenShare
  }
}
