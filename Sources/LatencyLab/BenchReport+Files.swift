// SPDX-License-Identifier: MIT

extension BenchReport {
  /// Writes report.jsonl, report.csv, report.html, and each picture as SVG and PNG.
  ///
  /// - Parameter directory: Where to; made if missing.
  /// - Returns: The files written, and a note for what was left out (such as PNG without
  ///   `rsvg-convert`).
  /// - Throws: ``LabError`` `badFile`.
  public func writeAll(
    toDirectory directory: String,
  ) async throws(LabError) -> (files: [String], notes: [String]) {
    try OutputFile.makeDirectory(directory)
    var files: [String] = []
    var notes: [String] = []
    func write(_ text: String, _ name: String) throws(LabError) {
      try OutputFile.write(text, to: "\(directory)/\(name)")
      files.append("\(directory)/\(name)")
    }
    try write(jsonLines, "report.jsonl")
    try write(csv, "report.csv")
    try write(html, "report.html")
    for picture in pictures {
      let path = "\(directory)/\(picture.name)"
      try write(picture.svg, "\(picture.name).svg")
      let arguments = ["--zoom", "2", "--output", "\(path).png", "\(path).svg"]
      switch await SystemTool.run("rsvg-convert", arguments) {
      case 0:
        files.append("\(path).png")
      case nil:
        notes.append("\(path).png was left out: install rsvg-convert (Debian: librsvg2-bin)")
      case let status?:
        notes.append("\(path).png was left out: rsvg-convert ended with status \(status)")
      }
    }
    return (files, notes)
  }
}
