// SPDX-License-Identifier: MIT

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
  /// The circumstances in words, without the size.
  public var description: String {
    var text = "\(Int(sampleRateHz)) Hz"
    if let isSynchronous { text += isSynchronous ? ", sync" : ", async" }
    return chainedClients > 0 ? text + ", \(chainedClients) chained" : text
  }

  /// What tells one entry from another.
  struct Key: Hashable {
    var sampleRateHz: Double
    var isSynchronous: Bool?
    var chainedClients: Int
  }

  var key: Key {
    Key(sampleRateHz: sampleRateHz, isSynchronous: isSynchronous, chainedClients: chainedClients)
  }
}
