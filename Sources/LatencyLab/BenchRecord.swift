// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// One result of a benchmark: a line of a report.
public struct BenchRecord: Equatable, Sendable, Codable {
  /// What was measured: `roundtrip`, `wakeup`, `sweep`, `mix`, `bridge`, `node`, `session`, ….
  public var benchmark: String
  /// What it was measured on, such as a port pair or a program; free text, part of the identity.
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
  /// How the figures went over time.
  public var timeline: [TimelinePoint]
  /// The xruns that happened.
  public var xruns: [XrunRecord]
  /// What a reader must know, such as a refusal or a missing permission.
  public var notes: [String]

  /// The circumstances of a result.
  public struct Configuration: Hashable, Sendable, Codable {
    /// Sample rate that was asked for in Hz; nil where none was.
    public var preferredSampleRateHz: Double?
    /// Buffer size that was asked for in frames; nil where none was.
    public var preferredBufferFrames: Int?
    /// Sample rate that was measured at, in Hz.
    public var sampleRateHz: Double
    /// Buffer size that was measured at, in frames.
    public var bufferFrames: Int
    /// Whether the server waits for its clients in the same period (`-S`); nil where unknown.
    public var isSynchronous: Bool?
    /// How many clients were chained between player and recorder.
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

  /// Makes a record; leave out what was not measured.
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
