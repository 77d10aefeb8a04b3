// SPDX-License-Identifier: MIT

import Glibc

extension BenchReport {
  /// The pictures by file name without ending: SVG documents.
  ///
  /// What there is to draw decides which there are: `latency` (against the buffer size),
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
    for (index, record) in telling.enumerated() {
      let color = Palette.series[index % Palette.series.count]
      for (name, dashes) in [("wakeUp", nil), ("baseline", "4 4")] as [(String, String?)] {
        guard let distribution = record.distributions[name], distribution.count > 0 else {
          continue
        }
        series.append(
          LineChart.Series(
            name: "\(record.configuration.lineName), \(record.configuration.bufferFrames)"
              + (dashes == nil ? "" : ", plain thread"),
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

  private static func timelineChart(of record: BenchRecord) -> String {
    func series(
      _ name: String,
      _ color: String,
      _ value: (TimelinePoint) -> Double?,
    ) -> LineChart.Series {
      LineChart.Series(
        name: name,
        points: record.timeline.compactMap { point in value(point).map { (point.seconds, $0) } },
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
        to: max(1, record.timeline.last?.seconds ?? 1),
      ),
      vertical: ChartScale(kind: .logarithmic, holding: all.flatMap { $0.points.map(\.y) }),
      series: all,
      marks: ("xrun", record.xruns.map(\.seconds)),
    ).svg
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

extension BenchRecord.Configuration {
  /// All but the buffer size, in words.
  fileprivate var lineName: String {
    var name = "\(ChartScale.label((sampleRateHz / 1000).rounded(toPlaces: 1))) kHz"
    if let isSynchronous { name += isSynchronous ? " sync" : " async" }
    if chainedClients > 1 { name += ", \(chainedClients) clients" }
    return name
  }
}
