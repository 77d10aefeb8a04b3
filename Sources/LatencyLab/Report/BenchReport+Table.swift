// SPDX-License-Identifier: MIT

import Console

extension BenchReport {
  /// The metrics as tables for the terminal.
  ///
  /// A benchmark with several records has one row per record where they have the columns of sweeps, and
  /// one column per record otherwise. A single record has a row per distribution and one per metric, and its remarks.
  public var table: String {
    let notes = records.count == 1 ? records[0].notes.map { "\(ShownText.clean($0))\n" } : []
    let texts = tables.map { "\($0.title)\n\(Self.text(of: $0.table))" }
    return (texts + (notes.isEmpty ? [] : [notes.joined()])).joined(separator: "\n")
  }

  /// A table with a rule, each line ending with a line feed.
  static func text(of table: Table) -> String {
    table.lines(isRuled: true).map { $0 + "\n" }.joined()
  }

  /// The tables with their titles, in the order of the records.
  var tables: [(title: String, table: Table)] {
    var order: [String] = []
    var groups: [String: [BenchRecord]] = [:]
    for record in records {
      if groups[record.benchmark] == nil { order.append(record.benchmark) }
      groups[record.benchmark, default: []].append(record)
    }
    return order.flatMap { benchmark -> [(title: String, table: Table)] in
      let group = groups[benchmark] ?? []
      guard group.count > 1 else { return group.flatMap(Self.tables(of:)) }
      let columns = ReportColumn.all.filter { column in
        group.contains { $0.metrics[column.metric] != nil }
      }
      guard columns.isEmpty else {
        return [(benchmark, Self.table(of: group, columns: columns))]
      }
      let heads = ColumnHeads(group.map(\.subject))
      return [(benchmark + heads.legend, Self.sideBySide(group, heads: heads.heads))]
    }
  }

  /// The distributions of a record, and what else it has.
  private static func tables(of record: BenchRecord) -> [(title: String, table: Table)] {
    let figures = ["p50", "p90", "p99", "p999", "maximum"]
    let names = record.metrics.keys.compactMap { key in
      key.hasSuffix(".p50.microseconds") ? String(key.dropLast(".p50.microseconds".count)) : nil
    }.sorted()
    let isInTable = { (key: String) in
      names.contains { name in
        figures.contains { key.hasPrefix("\(name).\($0).") }
      }
    }
    func cell(_ name: String, _ figure: String, _ unit: String, _ decimals: Int) -> String {
      record.tellable("\(name).\(figure).\(unit)")
        .map { ReportColumn.text($0, decimals: decimals) } ?? "–"
    }
    // Only times within one cycle have a share of the period; a ramp's would be thousands of percent.
    let hasPeriods = names.contains { record.metrics["\($0).p99.percentOfPeriod"] != nil }
    let percentiles = Table(
      ["in µs", "values", "p50", "p90", "p99", "p99.9", "longest"]
        + (hasPeriods ? ["p99, % of period"] : []),
      wordColumns: 1,
      rows: names.map { name in
        [name, record.distribution(ofMetric: "\(name).")?.count.description ?? "–"]
          + figures.map { cell(name, $0, "microseconds", 1) }
          + (hasPeriods ? [cell(name, "p99", "percentOfPeriod", 2)] : [])
      },
    )
    let others = record.metrics.filter { !isInTable($0.key) }.sorted { $0.key < $1.key }
    let rest = Table(
      ["metric", "value"],
      wordColumns: 1,
      rows: others.map { [$0.key, ReportColumn.text($0.value)] },
    )
    return (names.isEmpty ? [] : [(record.words, percentiles)])
      + (others.isEmpty ? [] : [(names.isEmpty ? record.words : "further figures", rest)])
  }

  /// A column per record: the figure, and the range of its samples.
  private static func sideBySide(_ group: [BenchRecord], heads: [String]) -> Table {
    let metrics = Set(group.flatMap(\.metrics.keys)).sorted()
    return Table(
      ["metric"] + heads,
      wordColumns: 1,
      rows: metrics.map { metric in
        [metric]
          + group.map { record in
            guard let value = record.tellable(metric) else { return "–" }
            let text = ReportColumn.text(value)
            guard let samples = record.samples[metric], let low = samples.min(),
              let high = samples.max()
            else { return text }
            return "\(text) (\(ReportColumn.text(low)) … \(ReportColumn.text(high)))"
          }
      },
    )
  }

  private static func table(of group: [BenchRecord], columns: [ReportColumn]) -> Table {
    Table(
      ["subject", "circumstances"] + columns.map(\.heading),
      wordColumns: 2,
      rows: group.map { record in
        let words = [record.configuration.words, record.configuration.difference]
        return [record.subject, words.compactMap(\.self).joined(separator: "; ")]
          + columns.map { column in
            record.tellable(column.metric).map {
              ReportColumn.text($0, decimals: column.decimals)
            } ?? "–"
          }
      },
    )
  }
}

/// Short heads of columns for subjects that can be whole command lines.
///
/// Pure value: [any-thread].
struct ColumnHeads {
  /// One for each subject, all different.
  let heads: [String]
  /// The subjects behind the short heads, to follow a title; empty where no subject is shortened.
  let legend: String

  /// Longer subjects than this get a short head.
  private static let longest = 24

  init(_ subjects: [String]) {
    var heads: [String] = []
    var shortened: [String] = []
    for subject in subjects {
      var head = subject
      if subject.count > Self.longest {
        let program = subject.split(separator: " ").first ?? "?"
        head = program.split(separator: "/").last.map(String.init) ?? "?"
      }
      if heads.contains(head) { head += " (\(heads.count + 1))" }
      if head != subject { shortened.append("\(head): \(subject)") }
      heads.append(head)
    }
    self.heads = heads
    legend = shortened.isEmpty ? "" : " — " + shortened.joined(separator: "; ")
  }
}

extension BenchRecord {
  /// The distribution whose percentile a metric is, such as `session.duckRamp.p99.microseconds`; nil for other metrics.
  func distribution(ofMetric metric: String) -> Distribution? {
    let parts = metric.split(separator: ".")
    // The names of distributions have no benchmark before them, those of metrics may.
    return parts.prefix(2).lazy.compactMap { distributions[String($0)] }.first
  }

  /// A metric, but not a percentile of too few values to have one.
  func tellable(_ metric: String) -> Double? {
    guard let value = metrics[metric] else { return nil }
    guard let distribution = distribution(ofMetric: metric) else { return value }
    let figure = metric.split(separator: ".").dropLast().last.map(String.init) ?? ""
    return Distribution.canTell(figure, count: distribution.count) ? value : nil
  }
}
