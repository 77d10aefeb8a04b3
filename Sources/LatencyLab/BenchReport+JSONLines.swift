// SPDX-License-Identifier: MIT

import FoundationEssentials

extension BenchReport {
  /// The first line of a report.
  private struct Header: Codable {
    var type = "header"
    var schema: Int
    var createdAt: Date
    var machine: MachineDescription
  }

  /// A record with its type, as one flat object.
  private struct ResultLine: Encodable {
    var record: BenchRecord

    enum Key: String, CodingKey { case type }

    func encode(to encoder: any Encoder) throws {
      try record.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode("result", forKey: .type)
    }
  }

  /// What kind a line is.
  private struct LineType: Decodable {
    var type: String
    var schema: Int?
  }

  /// Reads a report; a last line that was cut off (a killed writer) is left out.
  ///
  /// - Parameter path: The file.
  /// - Throws: ``LabError`` `badFile` with the line and the fault.
  public init(contentsOf path: String) throws(LabError) {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw LabError(.badFile, "\(path): cannot be read")
    }
    try self.init(jsonLines: data, name: path)
  }

  /// Reads a report from its text.
  ///
  /// - Parameters:
  ///   - jsonLines: The text in UTF-8.
  ///   - name: What to call it in errors.
  /// - Throws: ``LabError`` `badFile` with the line and the fault.
  init(jsonLines: Data, name: String) throws(LabError) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let endsWhole = jsonLines.last == UInt8(ascii: "\n")
    let lines = jsonLines.split(separator: UInt8(ascii: "\n"))
    var header: Header?
    var records: [BenchRecord] = []
    for (index, line) in lines.enumerated() {
      let place = "\(name):\(index + 1)"
      do {
        let type = try decoder.decode(LineType.self, from: Data(line))
        switch type.type {
        case "header":
          guard type.schema == Self.schemaVersion else {
            let found = type.schema.map(String.init) ?? "missing"
            throw LabError(
              .badFile,
              "\(place): schema is \(found), this version reads \(Self.schemaVersion)",
            )
          }
          header = try decoder.decode(Header.self, from: Data(line))
        case "result":
          records.append(try decoder.decode(BenchRecord.self, from: Data(line)))
        default:
          throw LabError(
            .badFile,
            "\(place): type is \"\(type.type)\", allowed are \"header\" and \"result\"",
          )
        }
      } catch let error as LabError {
        throw error
      } catch {
        if index == lines.count - 1, index > 0, !endsWhole { break }
        throw LabError(.badFile, "\(place): not a line of a report: \(error)")
      }
    }
    guard let header else {
      throw LabError(.badFile, "\(name): has no header line, so it is not a report")
    }
    self.init(machine: header.machine, createdAt: header.createdAt, records: records)
  }

  /// Writes the whole report as JSON lines.
  ///
  /// - Parameter path: The file, replaced.
  /// - Throws: ``LabError`` `badFile`.
  public func write(to path: String) throws(LabError) {
    try OutputFile.write(jsonLines, to: path)
  }

  /// The report as JSON lines, each ending with a line feed.
  public var jsonLines: String { headerLine + records.map(Self.line).joined() }

  /// The first line, with its line feed.
  var headerLine: String {
    Self.encode(Header(schema: Self.schemaVersion, createdAt: createdAt, machine: machine))
  }

  /// A record's line, with its line feed.
  static func line(of record: BenchRecord) -> String { encode(ResultLine(record: record)) }

  private static func encode(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan",
    )
    guard let data = try? encoder.encode(value) else { return "" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
