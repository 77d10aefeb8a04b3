// SPDX-License-Identifier: MIT

extension BenchRecord.Configuration {
  /// The circumstances in a few words, such as `48000 Hz, 64 frames, sync`.
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
  /// What was measured on what under which circumstances, in words.
  var words: String { "\(benchmark) \(subject), \(configuration.words)" }
}

extension BenchRecord {
  /// What makes two records comparable.
  struct Identity: Hashable {
    var benchmark: String
    var subject: String
    var configuration: Configuration
  }

  var identity: Identity {
    Identity(benchmark: benchmark, subject: subject, configuration: configuration)
  }
}
