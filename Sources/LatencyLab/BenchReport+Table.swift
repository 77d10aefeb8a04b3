// SPDX-License-Identifier: MIT

extension BenchReport {
  /// The metrics as a table for the terminal.
  ///
  /// There is one row per record where a benchmark has several,
  /// and one row per metric where it has one.
  public var table: String {
    tables.map { "\($0.title)\n\($0.table.text)" }.joined(separator: "\n")
  }

  /// The tables with their titles, in the order of the records.
  var tables: [(title: String, table: TextTable)] {
    var order: [String] = []
    var groups: [String: [BenchRecord]] = [:]
    for record in records {
      if groups[record.benchmark] == nil { order.append(record.benchmark) }
      groups[record.benchmark, default: []].append(record)
    }
    return order.flatMap { benchmark -> [(title: String, table: TextTable)] in
      let group = groups[benchmark] ?? []
      let columns = ReportColumn.all.filter { column in
        group.contains { $0.metrics[column.metric] != nil }
      }
      guard group.count > 1, !columns.isEmpty else {
        return group.map { ($0.words, Self.table(of: $0)) }
      }
      return [(benchmark, Self.table(of: group, columns: columns))]
    }
  }

  private static func table(of record: BenchRecord) -> TextTable {
    TextTable(
      headings: ["metric", "value"],
      rows: record.metrics.sorted { $0.key < $1.key }.map { name, value in
        [name, ReportColumn.text(value, decimals: value == value.rounded() ? 0 : 3)]
      },
    )
  }

  private static func table(of group: [BenchRecord], columns: [ReportColumn]) -> TextTable {
    TextTable(
      headings: ["subject", "circumstances"] + columns.map(\.heading),
      rows: group.map { record in
        let words = [record.configuration.words, record.configuration.difference]
        return [record.subject, words.compactMap(\.self).joined(separator: "; ")]
          + columns.map { column in
            record.metrics[column.metric].map {
              ReportColumn.text($0, decimals: column.decimals)
            } ?? "–"
          }
      },
      wordColumns: 2,
    )
  }
}
