// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A report: a header of the machine and the records, kept as JSON lines.
///
/// A plain value: [any-thread].
public struct BenchReport: Equatable, Sendable {
  /// The schema this version writes and the only one it reads.
  public static let schemaVersion = 1

  /// The machine it was made on.
  public var machine: MachineDescription
  /// When it was begun, in whole seconds.
  public var createdAt: Date
  /// The results in the order they were made.
  public var records: [BenchRecord]

  /// Makes a report.
  ///
  /// - Parameters:
  ///   - machine: The machine it was made on.
  ///   - createdAt: When it was begun.
  ///   - records: The results.
  public init(machine: MachineDescription, createdAt: Date = Date(), records: [BenchRecord] = []) {
    self.machine = machine
    self.createdAt = createdAt.wholeSeconds
    self.records = records
  }
}

extension Date {
  /// The moment as reports keep it.
  var wholeSeconds: Date {
    Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate.rounded(.down))
  }
}

extension BenchReport {
  /// The first line of a report.
  private struct Header: Codable {
    var type = LineKind.header
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
      try container.encode(LineKind.result, forKey: .type)
    }
  }

  /// The kinds of lines, by the key `type`.
  private enum LineKind: String, Codable {
    case header
    case result
  }

  /// The type of a line; a text, because a later version may have more kinds.
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
  ///   - name: Its name in errors.
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
        switch LineKind(rawValue: type.type) {
        case .header:
          guard type.schema == Self.schemaVersion else {
            let found = type.schema.map(String.init) ?? "missing"
            throw LabError(
              .badFile,
              "\(place): schema is \(found), this version reads \(Self.schemaVersion)",
            )
          }
          header = try decoder.decode(Header.self, from: Data(line))
        case .result:
          records.append(try decoder.decode(BenchRecord.self, from: Data(line)))
        case nil:
          throw LabError(
            .badFile,
            "\(place): type is \"\(type.type)\", allowed are \"header\" and \"result\"",
          )
        }
      } catch let error as LabError {
        throw error
      } catch {
        if index == lines.count - 1, index > 0, !endsWhole { break }
        throw LabError(.badFile, "\(place): not a line of a report: \(Self.fault(error))")
      }
    }
    guard let header else {
      throw LabError(.badFile, "\(name): has no header line, so it is not a report")
    }
    self.init(machine: header.machine, createdAt: header.createdAt, records: records)
  }

  /// A fault of a line in words.
  private static func fault(_ error: any Error) -> String {
    func place(_ context: DecodingError.Context, _ last: [any CodingKey] = []) -> String {
      let keys = (context.codingPath + last).map { "\($0.stringValue)" }.joined(separator: ".")
      return keys.isEmpty ? "the line" : "the key '\(keys)'"
    }
    switch error as? DecodingError {
    case .keyNotFound(let key, let context): return "\(place(context, [key])) is missing"
    case .typeMismatch(_, let context): return "\(place(context)) has a value of another kind"
    case .valueNotFound(_, let context): return "\(place(context)) has no value"
    case .dataCorrupted(let context):
      return context.codingPath.isEmpty
        ? "it is not JSON" : "\(place(context)) has a value that is not allowed"
    default: return "it cannot be read"
    }
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
