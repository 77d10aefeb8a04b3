// SPDX-License-Identifier: MIT

import Console
import FoundationEssentials

extension BenchReport {
  /// One self-contained HTML page with the tables and the pictures.
  public var html: String {
    let sections = [
      section("Machine", "<table class=\"facts\">\(facts)</table>"),
      lowestSizes,
      pictures.map { "<figure>\($0.svg)</figure>" }.joined(separator: "\n"),
      tables.map { section($0.title, "<div class=\"wide\">\(Self.html(of: $0.table))</div>") }
        .joined(),
      xrunTable,
      notes,
    ]
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>MultiRoute latency report, \(Self.escaped(machine.hostName))</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <h1>Latency report</h1>
      <p class="lead">\(Self.escaped(machine.hostName)), \
      \(Self.escaped(createdAt.formatted(.iso8601))), \
      \(records.count) \(records.count == 1 ? "result" : "results")</p>
      \(sections.filter { !$0.isEmpty }.joined(separator: "\n"))
      </body>
      </html>

      """
  }

  private var facts: String {
    let mebibytes = machine.lockedMemoryLimitBytes.map { "\($0 >> 20) MiB" } ?? "unlimited"
    let rows: [(String, String)] =
      [
        ("Kernel", machine.kernel),
        ("Preemption", machine.preemption),
        ("Processor", "\(machine.processor), \(machine.processorCount) processors"),
        ("Frequency governor", machine.governor ?? "none"),
        ("Real-time priority limit", "\(machine.realtimePriorityLimit)"),
        ("Memory that may be locked", mebibytes),
        ("Memory", "\(machine.memoryBytes >> 20) MiB"),
        ("JACK server", machine.server ?? "none"),
      ] + machine.versions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return rows.map {
      "<tr><th>\(Self.escaped($0.0))</th><td>\(Self.escaped($0.1))</td></tr>"
    }.joined(separator: "\n")
  }

  private var lowestSizes: String {
    let sizes = SweepBenchmark.lowestHoldingSizes(in: records)
    guard !sizes.isEmpty else { return "" }
    let table = Table(
      ["circumstances", "lowest size that held"],
      wordColumns: 1,
      rows: sizes.map { ["\($0)", $0.bufferFrames.map { "\($0) frames" } ?? "none"] },
    )
    return section("Lowest buffer size without an xrun", Self.html(of: table))
  }

  private var xrunTable: String {
    let rows = records.flatMap { record in
      record.xruns.map { xrun -> [String] in
        func text(_ value: Double?, _ decimals: Int) -> String {
          value.map { ReportColumn.text($0, decimals: decimals) } ?? "–"
        }
        return [
          record.configuration.words, text(xrun.seconds, 2), text(xrun.delayMicroseconds, 0),
          text(xrun.baselineMicroseconds, 0),
          text(xrun.processorBusyShare.map { $0 * 100 }, 0),
          xrun.runnableThreads.map { "\($0)" } ?? "–",
          text(xrun.stolenShare.map { $0 * 100 }, 0),
        ]
      }
    }
    guard !rows.isEmpty else { return "" }
    let table = Table(
      ["circumstances", "at s", "late µs", "plain thread µs", "busy %", "runnable", "stolen %"],
      wordColumns: 1,
      rows: Array(rows.prefix(200)),
    )
    let more = rows.count > 200 ? "<p>and \(rows.count - 200) more, in the JSON lines</p>" : ""
    return section("Xruns", Self.html(of: table) + more)
  }

  private var notes: String {
    let lines = records.flatMap { record in record.notes.map { "\(record.words): \($0)" } }
    guard !lines.isEmpty else { return "" }
    let items = lines.map { "<li>\(Self.escaped($0))</li>" }.joined(separator: "\n")
    return section("Notes", "<ul>\(items)</ul>")
  }

  private func section(_ title: String, _ content: String) -> String {
    "<section><h2>\(Self.escaped(title))</h2>\n\(content)</section>\n"
  }

  private static func html(of table: Table) -> String {
    func row(_ cells: [String], _ tag: String) -> String {
      let columns = cells.enumerated().map { column, cell in
        let kind = table.alignment(ofColumn: column) == .left ? "" : " class=\"figure\""
        return "<\(tag)\(kind)>\(escaped(cell))</\(tag)>"
      }
      return "<tr>\(columns.joined())</tr>"
    }
    let head = "<thead>\(row(table.header, "th"))</thead>"
    let body = table.rows.map { row($0, "td") }.joined(separator: "\n")
    return "<table>\(head)<tbody>\(body)</tbody></table>"
  }

  private static func escaped(_ text: String) -> String { SVGDrawing.escaped(text) }

  private static let style = """
    body { font: 15px/1.5 "DejaVu Sans", Helvetica, Arial, sans-serif; color: #222; \
    max-width: 1180px; margin: 2rem auto; padding: 0 1rem; }
    h1 { margin-bottom: 0; } h2 { margin-top: 2.2rem; font-size: 1.15rem; }
    .lead { color: #666; margin-top: .2rem; }
    figure { margin: 1.5rem 0; overflow-x: auto; } svg { max-width: 100%; height: auto; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; font-size: 13px; }
    th, td { padding: .28rem .6rem; text-align: left; border-bottom: 1px solid #e4e4e4; \
    white-space: nowrap; }
    .facts td { white-space: normal; } .facts th { font-weight: 500; color: #666; }
    th.figure, td.figure { text-align: right; font-variant-numeric: tabular-nums; }
    thead th { border-bottom: 2px solid #999; }
    """
}
