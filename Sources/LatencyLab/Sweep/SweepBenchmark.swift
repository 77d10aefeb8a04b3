// SPDX-License-Identifier: MIT

/// `bench sweep`: the other benchmarks over rates, buffer sizes, modes and numbers of clients.
///
/// Runs on the task of its command: [control-thread].
public enum SweepBenchmark {
  /// The settings of a sweep.
  ///
  /// A plain value: [any-thread].
  public struct Options: Sendable {
    /// The servers on which the sizes are tried.
    public enum Target: Sendable, Equatable {
      /// Servers with the dummy driver, started and stopped for each rate, size and mode.
      case dummyServers
      /// A server that runs already: its buffer size is changed and restored; rates and modes of
      /// the options are not used. Nil takes the default server.
      case runningServer(name: String?)
    }

    /// The servers on which the sizes are tried.
    public var target = Target.dummyServers
    /// The means to change a running server's buffer size; nil uses `jack_set_buffer_size`.
    public var bufferSizing: (any ForeignBufferSizing)?
    /// Sample rates in Hz.
    public var sampleRatesHz = [44100, 48000, 96000]
    /// Buffer sizes in frames.
    public var bufferFrames = [32, 64, 128, 256, 512, 1024]
    /// Whether the server waits for its clients in the same period (`-S`).
    public var synchronousModes = [true, false]
    /// Numbers of pass-through clients between player and recorder.
    public var clientCounts = [1]
    /// Duration of each point.
    public var durationPerPoint: Duration = .seconds(8)
    /// The JSON lines file to go on with; nil keeps the results in memory only.
    ///
    /// Points that are in it already are not measured again, and each new one is appended as soon
    /// as it is done.
    public var resumeFile: String?

    /// 3 rates × 6 sizes × 2 modes on dummy servers.
    public init() {}
  }

  /// Sizes in frames that servers run with; below, a period is shorter than the wake-up of one client.
  public static let bufferFrameLimits = 16...8192
  /// Sample rates in Hz that servers run with.
  public static let sampleRateLimitsHz = 8000...384_000

  /// The results.
  public struct Result: Sendable {
    /// All records, those read from the file included.
    public var report: BenchReport
    /// The lowest size that held without an xrun, by circumstances.
    public var lowestHoldingSizes: [LowestHoldingSize]
    /// Whether the task was cancelled before the end.
    public var wasCancelled: Bool

    /// Why there is not one figure; nil where a point was measured.
    public var emptyReason: String? {
      guard report.records.allSatisfy(\.metrics.isEmpty) else { return nil }
      let reason = report.records.lazy.flatMap(\.notes).first ?? "the sweep has no points"
      return "no point was measured: \(reason)"
    }
  }

  /// The lowest buffer size that ran its time without an xrun, all larger ones doing so too.
  public struct LowestHoldingSize: Equatable, Sendable {
    /// Sample rate in Hz.
    public var sampleRateHz: Double
    /// Whether the server was synchronous; nil where unknown.
    public var isSynchronous: Bool?
    /// Number of pass-through clients.
    public var chainedClients: Int
    /// The size in frames; nil if no size held.
    public var bufferFrames: Int?
  }
}

/// A means to change a running server's buffer size other than JACK's own.
///
/// Runs on the task of its command: [control-thread].
public protocol ForeignBufferSizing: Sendable {
  /// Asks for a size; the server may take it later.
  ///
  /// - Parameter bufferFrames: The size in frames at the server's rate.
  /// - Throws: The server's error.
  func set(bufferFrames: Int) async throws

  /// Leaves the server as it was found.
  func giveBack() async
}

extension SweepBenchmark {
  /// Finds the lowest size that held for each rate, mode and number of clients.
  ///
  /// - Parameter records: The records; those of other benchmarks are left out.
  /// - Returns: One entry per rate, mode and number of clients, in the order of the records.
  public static func lowestHoldingSizes(in records: [BenchRecord]) -> [LowestHoldingSize] {
    var order: [LowestHoldingSize] = []
    var xruns: [LowestHoldingSize.Key: [Int: Double]] = [:]
    for record in records where record.benchmark == benchmarkName {
      guard let count = record.metrics["xruns.count"] else { continue }
      let configuration = record.configuration
      let entry = LowestHoldingSize(
        sampleRateHz: configuration.sampleRateHz,
        isSynchronous: configuration.isSynchronous,
        chainedClients: configuration.chainedClients,
      )
      if xruns[entry.key] == nil { order.append(entry) }
      xruns[entry.key, default: [:]][configuration.bufferFrames] = count
    }
    return order.map { entry in
      var entry = entry
      for (size, count) in (xruns[entry.key] ?? [:]).sorted(by: { $0.key > $1.key }) {
        guard count == 0 else { break }
        entry.bufferFrames = size
      }
      return entry
    }
  }

  /// Name of the benchmark in records.
  static let benchmarkName = "sweep"
}

extension SweepBenchmark.LowestHoldingSize: CustomStringConvertible {
  /// A text of the circumstances, without the size.
  public var description: String {
    var text = "\(Int(sampleRateHz)) Hz"
    if let isSynchronous { text += isSynchronous ? ", sync" : ", async" }
    return chainedClients > 0 ? text + ", \(chainedClients) chained" : text
  }

  /// The identity of an entry.
  struct Key: Hashable {
    var sampleRateHz: Double
    var isSynchronous: Bool?
    var chainedClients: Int
  }

  var key: Key {
    Key(sampleRateHz: sampleRateHz, isSynchronous: isSynchronous, chainedClients: chainedClients)
  }
}
