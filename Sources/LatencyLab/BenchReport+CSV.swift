// SPDX-License-Identifier: MIT

extension BenchReport {
  /// The metrics as comma-separated values (RFC 4180): one row per record and metric.
  public var csv: String {
    var rows = [
      [
        "benchmark", "subject", "sampleRateHz", "bufferFrames", "isSynchronous", "chainedClients",
        "metric", "value",
      ]
    ]
    for record in records {
      let configuration = record.configuration
      for (metric, value) in record.metrics.sorted(by: { $0.key < $1.key }) {
        rows.append([
          record.benchmark, record.subject, "\(configuration.sampleRateHz)",
          "\(configuration.bufferFrames)",
          configuration.isSynchronous.map(String.init(describing:)) ?? "",
          "\(configuration.chainedClients)", metric, "\(value)",
        ])
      }
    }
    return rows.map { $0.map(Self.quoted).joined(separator: ",") + "\r\n" }.joined()
  }

  private static func quoted(_ field: String) -> String {
    guard field.contains(where: { ",\"\r\n".contains($0) }) else { return field }
    return "\""
      + field.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}
