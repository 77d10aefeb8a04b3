// SPDX-License-Identifier: MIT

/// One combination that a sweep measures.
struct SweepPoint: Hashable, Sendable {
  /// Sample rate to ask for in Hz; nil leaves it as it is.
  var sampleRateHz: Int?
  var bufferFrames: Int
  /// Whether to ask for a synchronous server; nil leaves it as it is.
  var isSynchronous: Bool?
  var chainedClients: Int

  /// The combinations of a sweep, the sizes changing fastest.
  static func all(of options: SweepBenchmark.Options) -> [SweepPoint] {
    let isOwn = options.target == .dummyServers
    let rates: [Int?] = isOwn ? options.sampleRatesHz.map(Optional.some) : [nil]
    let modes: [Bool?] = isOwn ? options.synchronousModes.map(Optional.some) : [nil]
    return rates.flatMap { rate in
      modes.flatMap { mode in
        options.clientCounts.flatMap { clients in
          options.bufferFrames.map { frames in
            SweepPoint(
              sampleRateHz: rate,
              bufferFrames: frames,
              isSynchronous: mode,
              chainedClients: clients,
            )
          }
        }
      }
    }
  }

  /// Whether a record is one of this point, with figures.
  func isMeasured(by record: BenchRecord) -> Bool {
    let configuration = record.configuration
    return record.benchmark == SweepBenchmark.benchmarkName && !record.metrics.isEmpty
      && configuration.preferredBufferFrames == bufferFrames
      && configuration.preferredSampleRateHz == sampleRateHz.map(Double.init)
      && (isSynchronous == nil || configuration.isSynchronous == isSynchronous)
      && configuration.chainedClients == chainedClients
  }

  /// The point in words.
  var words: String {
    let rate = sampleRateHz.map { "\($0) Hz, " } ?? ""
    let mode = isSynchronous.map { $0 ? ", sync" : ", async" } ?? ""
    return "\(rate)\(bufferFrames) frames\(mode), \(chainedClients) chained"
  }
}
