// SPDX-License-Identifier: MIT

/// `bench sweep`: the other benchmarks over rates, buffer sizes, modes and numbers of clients.
public enum SweepBenchmark {
  /// What to sweep over and how.
  public struct Options: Sendable {
    /// Where the sizes are tried.
    public enum Target: Sendable, Equatable {
      /// Servers with the dummy driver, started and stopped for each rate, size and mode.
      case dummyServers
      /// A server that runs already: its buffer size is changed and put back; rates and modes of
      /// the options are not used. Nil takes the default server.
      case runningServer(name: String?)
    }

    /// Where the sizes are tried.
    public var target = Target.dummyServers
    /// How a running server's size is changed; nil by `jack_set_buffer_size`.
    public var bufferSizing: (any BufferSizing)?
    /// Sample rates in Hz.
    public var sampleRatesHz = [44100, 48000, 96000]
    /// Buffer sizes in frames.
    public var bufferFrames = [32, 64, 128, 256, 512, 1024]
    /// Whether the server waits for its clients in the same period (`-S`).
    public var synchronousModes = [true, false]
    /// Numbers of pass-through clients between player and recorder.
    public var clientCounts = [1]
    /// How long each point is held.
    public var durationPerPoint: Duration = .seconds(8)
    /// The JSON lines file to go on with; nil keeps the results in memory only.
    ///
    /// Points that are in it already are not measured again, and each new one is appended as soon
    /// as it is done.
    public var resumeFile: String?

    /// 3 rates × 6 sizes × 2 modes on dummy servers.
    public init() {}
  }

  /// What was found.
  public struct Result: Sendable {
    /// All records, those read from the file included.
    public var report: BenchReport
    /// The lowest size that held without an xrun, by circumstances.
    public var lowestHoldingSizes: [LowestHoldingSize]
    /// Whether the task was cancelled before the end.
    public var wasCancelled: Bool
  }

  /// The lowest buffer size that ran its time without an xrun, all larger ones doing so too.
  public struct LowestHoldingSize: Equatable, Sendable {
    /// Sample rate in Hz.
    public var sampleRateHz: Double
    /// Whether the server was synchronous; nil where unknown.
    public var isSynchronous: Bool?
    /// Number of pass-through clients.
    public var chainedClients: Int
    /// The size in frames; nil where none held.
    public var bufferFrames: Int?
  }
}
