// SPDX-License-Identifier: MIT

import Glibc

extension BenchReport {
  /// The pictures by file name without ending: SVG documents.
  ///
  /// Present as far as the records have the data: `latency` (against the buffer size),
  /// `heat-map` (of a sweep), `distributions`, `time-line` (one per record that has one, at
  /// most six).
  public var pictures: [(name: String, svg: String)] {
    var pictures: [(name: String, svg: String)] = []
    if let svg = latencyChart { pictures.append(("latency", svg)) }
    if let svg = heatMap { pictures.append(("heat-map", svg)) }
    if let svg = distributionChart { pictures.append(("distributions", svg)) }
    let timed = records.filter { $0.timeline.count > 1 }
    for (index, record) in Self.mostTelling(timed).enumerated() {
      pictures.append(("time-line-\(index + 1)", Self.timelineChart(of: record)))
    }
    return pictures
  }

  /// Latency in milliseconds against the buffer size, a line per rate, mode and chain.
  private var latencyChart: String? {
    struct Key: Hashable { var name, metric: String }
    var order: [Key] = []
    var lines: [Key: [(x: Double, y: Double)]] = [:]
    for record in records {
      let configuration = record.configuration
      for (metric, name) in Self.latencyMetrics {
        // A path without delay has no place on a logarithmic scale.
        guard let value = record.metrics[metric], value > 0 else { continue }
        let key = Key(name: "\(configuration.lineName), \(name)", metric: metric)
        if lines[key] == nil { order.append(key) }
        let milliseconds = metric.hasSuffix("microseconds") ? value / 1000 : value
        lines[key, default: []].append((Double(configuration.bufferFrames), milliseconds))
      }
    }
    let sizes = Set(records.map(\.configuration.bufferFrames)).sorted()
    let shown = order.filter { (lines[$0]?.count ?? 0) > 1 }.prefix(12)
    guard sizes.count > 1, !shown.isEmpty else { return nil }
    let series = shown.enumerated().map { index, key in
      LineChart.Series(
        name: key.name,
        points: (lines[key] ?? []).sorted { $0.x < $1.x },
        color: Palette.series[index % Palette.series.count],
        dashes: index >= Palette.series.count ? "6 4" : nil,
        hasDots: true,
      )
    }
    return LineChart(
      title: "Latency against buffer size",
      horizontalTitle: "buffer size in frames",
      verticalTitle: "latency in ms",
      horizontal: ChartScale(
        kind: .logarithmic,
        from: Double(sizes[0]),
        to: Double(sizes[sizes.count - 1]),
      ),
      vertical: ChartScale(kind: .logarithmic, holding: series.flatMap { $0.points.map(\.y) }),
      horizontalTicks: sizes.map { (Double($0), "\($0)") },
      series: series,
    ).svg
  }

  /// The sweep: rate and mode by size, colored by the 99th percentile in percent of the period.
  private var heatMap: String? {
    let points = records.filter {
      $0.benchmark == SweepBenchmark.benchmarkName
        && $0.metrics["wakeUp.p99.percentOfPeriod"] != nil
    }
    let sizes = Set(points.map(\.configuration.bufferFrames)).sorted()
    var names: [String] = []
    for record in points where !names.contains(record.configuration.lineName) {
      names.append(record.configuration.lineName)
    }
    guard sizes.count > 1 else { return nil }
    return HeatMap(
      title: "Wake-up delay of the sweep",
      subtitle: "99th percentile in % of the period (50 % and more is red), and xruns",
      columns: sizes.map { "\($0) frames" },
      rows: names.map { name in
        let cells = sizes.map { size -> HeatMap.Cell? in
          let record = points.last {
            $0.configuration.lineName == name && $0.configuration.bufferFrames == size
          }
          guard let record, let percent = record.metrics["wakeUp.p99.percentOfPeriod"] else {
            return nil
          }
          let xruns = Int(record.metrics["xruns.count"] ?? 0)
          return HeatMap.Cell(
            text: "\(ReportColumn.text(percent, decimals: 1)) %",
            detail: xruns == 1 ? "1 xrun" : xruns == 0 ? "no xruns" : "\(xruns) xruns",
            heat: percent / 50,
            isAlarm: xruns > 0,
          )
        }
        return (name, cells)
      },
    ).svg
  }

  /// Percentile curves: how often a delay is exceeded, on scales that show the rare ones.
  private var distributionChart: String? {
    let telling = Self.mostTelling(records.filter { $0.distributions["wakeUp"] != nil })
    guard !telling.isEmpty else { return nil }
    var series: [LineChart.Series] = []
    let names = Self.lineNames(telling)
    for (index, record) in telling.enumerated() {
      let color = Palette.series[index % Palette.series.count]
      for (name, dashes) in [("wakeUp", nil), ("baseline", "4 4")] as [(String, String?)] {
        guard let distribution = record.distributions[name], distribution.count > 0 else {
          continue
        }
        series.append(
          LineChart.Series(
            name: names[index] + (dashes == nil ? "" : ", plain thread"),
            points: Self.percentileCurve(distribution),
            color: color,
            dashes: dashes,
          )
        )
      }
    }
    let rarest = series.flatMap { $0.points.map(\.x) }.max() ?? 100
    let marks = [
      (1.0, "0 %"), (2, "50 %"), (10, "90 %"), (100, "99 %"), (1000, "99.9 %"),
      (10_000, "99.99 %"), (100_000, "99.999 %"),
    ]
    return LineChart(
      title: "Distribution of the wake-up delay",
      horizontalTitle: "share of the cycles that are at or below the delay",
      verticalTitle: "delay in µs",
      horizontal: ChartScale(kind: .logarithmic, from: 1, to: max(100, rarest)),
      vertical: ChartScale(kind: .logarithmic, holding: series.flatMap { $0.points.map(\.y) }),
      horizontalTicks: marks.filter { $0.0 <= max(100, rarest) },
      series: series,
    ).svg
  }

  /// A name for each record in legends: its circumstances, with its subject and then its number where several have them.
  static func lineNames(_ records: [BenchRecord]) -> [String] {
    func isShared(_ name: String, _ names: [String]) -> Bool { names.count { $0 == name } > 1 }
    let short = records.map {
      "\($0.configuration.lineName), \($0.configuration.bufferFrames)"
    }
    let long = zip(short, records).map { name, record in
      isShared(name, short) ? "\(name), \(record.subject)" : name
    }
    return long.enumerated().map { index, name in
      guard isShared(name, long) else { return name }
      return "\(name), no. \(long[...index].count { $0 == name })"
    }
  }

  /// Points (1 / share above, delay); the last one is the maximum.
  private static func percentileCurve(_ distribution: Distribution) -> [(x: Double, y: Double)] {
    let total = Double(distribution.count)
    var below = 0.0
    return distribution.buckets.map { bucket in
      let x = total / max(1, total - below)
      below += Double(bucket.count)
      return (x, min(bucket.microseconds, distribution.maximumMicroseconds))
    } + [(total, distribution.maximumMicroseconds)]
  }

  static func timelineChart(of record: BenchRecord) -> String {
    let end = record.timelineEndSeconds
    func series(
      _ name: String,
      _ color: String,
      _ value: (TimelinePoint) -> Double?,
    ) -> LineChart.Series {
      LineChart.Series(
        name: name,
        points: Self.steps(
          record.timeline.compactMap { point in value(point).map { (point.seconds, $0) } },
          until: end,
        ),
        color: color,
      )
    }
    let all = [
      series("median", Palette.series[0]) { $0.p50Microseconds },
      series("99 %", Palette.series[2]) { $0.p99Microseconds },
      series("longest", Palette.series[1]) { $0.maximumMicroseconds },
      series("longest of a plain thread", Palette.series[6]) { $0.baselineMaximumMicroseconds },
    ].filter { !$0.points.isEmpty }
    return LineChart(
      title: "Wake-up delay over time: \(record.configuration.words)",
      horizontalTitle: "seconds",
      verticalTitle: "delay in µs",
      horizontal: ChartScale(
        kind: .linear,
        from: 0,
        to: end > 0 ? end : 1,
      ),
      vertical: ChartScale(kind: .logarithmic, holding: all.flatMap { $0.points.map(\.y) }),
      series: all,
      marks: ("xrun", record.xruns.map(\.seconds)),
    ).svg
  }

  /// Draws each figure over the whole stretch that it sums up, the last one until the end.
  private static func steps(
    _ points: [(x: Double, y: Double)],
    until end: Double,
  ) -> [(x: Double, y: Double)] {
    points.indices.flatMap { index in
      let next = index + 1 < points.count ? points[index + 1].x : end
      return [points[index], (next, points[index].y)]
    }
  }

  /// At most six records: those with xruns or the longest delays first, kept in their order.
  private static func mostTelling(_ records: [BenchRecord]) -> [BenchRecord] {
    func weight(_ record: BenchRecord) -> Double {
      (record.metrics["xruns.count"] ?? 0) * 1e6
        + (record.metrics["wakeUp.maximum.percentOfPeriod"] ?? 0)
    }
    let chosen = records.indices.sorted { weight(records[$0]) > weight(records[$1]) }.prefix(6)
    return chosen.sorted().map { records[$0] }
  }

  private static let latencyMetrics = [
    ("roundTrip.delay.microseconds", "measured path"),
    ("system.claimedRoundTrip.milliseconds", "system, claimed"),
  ]
}

extension BenchRecord {
  /// The end of the last stretch of the time line, in seconds; stretches are equally long.
  fileprivate var timelineEndSeconds: Double {
    guard let last = timeline.last else { return 0 }
    let lengths = zip(timeline, timeline.dropFirst()).map { $1.seconds - $0.seconds }
    return last.seconds + (lengths.min() ?? 0)
  }
}

extension BenchRecord.Configuration {
  /// The circumstances without the buffer size, as text.
  fileprivate var lineName: String {
    var name = "\(ChartScale.label((sampleRateHz / 1000).rounded(toPlaces: 1))) kHz"
    if let isSynchronous { name += isSynchronous ? " sync" : " async" }
    if chainedClients > 1 { name += ", \(chainedClients) clients" }
    return name
  }
}
