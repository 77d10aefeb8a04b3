// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Testing

/// Keeps docs/protocol.md in step with the code.
@Suite struct DocumentationTests {
  private let text: String

  init() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let data = try #require(FileManager.default.contents(atPath: "/\(root)/docs/protocol.md"))
    text = String(decoding: data, as: UTF8.self)
  }

  /// The rows of the tables whose first cells are `cell`.
  private func tableRow(_ cell: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix("| \(cell) |") }.map(String.init)
  }

  /// The row of an event kind, in the section of events: a method may have the same name.
  private func eventRow(_ kind: EventKind) -> String? {
    text.split(separator: "\n").drop { $0 != "### event" }
      .first { $0.hasPrefix("| `\(kind.rawValue)` |") }.map(String.init)
  }

  /// The list item that begins with `method` takes, for methods whose parameters do not fit a table cell; else empty.
  private func listItem(_ method: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("- `\(method)` takes ") }
    return (lines.prefix(1) + lines.dropFirst().prefix { $0.hasPrefix("  ") }).joined()
  }

  private func fields<Method: ControlMethod>(of method: Method.Type) -> [String] {
    method.Params.fields.map(\.name)
  }

  @Test(arguments: MethodRegistry.standard.names)
  func everyMethodHasARowWithItsParameters(_ name: String) throws {
    let row = try #require(tableRow("`\(name)`"), "\(name) is not in the table") + listItem(name)
    guard let method = MethodRegistry.standard[name] else { return }
    for field in fields(of: method) where !(row.contains("target") && isTarget(field)) {
      for part in field.split(separator: ", ") {
        #expect(row.contains("`\(part)`"), "\(name) lacks \(part)")
      }
    }
  }

  private func isTarget(_ field: String) -> Bool { field == "strip" || field == "route" }

  @Test func everyErrorCodeHasARow() {
    for (code, name) in ControlErrorCode.names {
      #expect(tableRow("\(code.rawValue) | `\(name)`") != nil, "\(name) is missing")
    }
  }

  @Test(arguments: EventKind.allCases)
  func everyEventKindHasARowWithItsDetails(_ kind: EventKind) throws {
    let row = try #require(eventRow(kind), "\(kind.rawValue) is not in the table")
    let words = row + explanation(of: kind)
    let samples = EventSample.all.filter { $0.payload.kind == kind }
    #expect(!samples.isEmpty, "\(kind.rawValue) has no sample")
    for sample in samples where kind != .latencyChanged {
      for key in try json(Data(sample.json.utf8)).members.keys {
        #expect(words.contains("`\(key)`"), "\(kind.rawValue) lacks \(key)")
      }
    }
  }

  @Test func everyNotificationOfASessionIsNamed() {
    let words = explanation(of: .session)
    for sample in EventSample.notices {
      guard case .session(let notice) = sample.payload,
        notice.content != .unknown(name: notice.content.name)
      else { continue }
      #expect(words.contains("`\(notice.content.name)`"), "\(notice.content.name)")
    }
  }

  /// The paragraph under the table of events that begins with the kind.
  private func explanation(of kind: EventKind) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard
      let first = lines.firstIndex(where: {
        $0.hasPrefix("- `\(kind.rawValue)`:") || $0.hasPrefix("- `\(kind.rawValue)` has")
      })
    else { return "" }
    let rest = lines[(first + 1)...].prefix { $0.hasPrefix("  ") }
    return lines[first] + rest.joined(separator: " ")
  }

  @Test func everyKeyOfTheStatusIsNamed() throws {
    let line = MessageEncoder().reply(.success(Samples.status), id: .integer(1))
    for key in keys(try #require(try json(line).members["result"])) {
      #expect(text.contains("`\(key)`") || text.contains("`\(key)[]`"), "\(key)")
    }
  }

  @Test func everyKeyOfTheMetersIsNamed() throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0 != "### meters" }.dropFirst().prefix { !$0.hasPrefix("{") }
    let section = lines.joined(separator: "\n")
    let line = try MessageEncoder().notification(.meters(Samples.meters))
    let params = try #require(try json(line).members["params"])
    for key in keys(params).subtracting(keys(params.members["time"] ?? .null)) {
      #expect(section.contains("`\(key)`") || section.contains("`\(key)[]`"), "\(key)")
    }
  }

  private func keys(_ value: JSONValue) -> Set<String> {
    value.elements.reduce(
      value.members.reduce(into: []) { found, member in
        found.insert(member.key)
        found.formUnion(keys(member.value))
      }
    ) { $0.union(keys($1)) }
  }

  @Test func theExamplesAreWhatTheyClaimToBe() throws {
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("{\"") }.map { Data($0.utf8) }
    #expect(lines.count >= 6)
    for line in lines {
      let isRequest = try json(line).members["params"] != nil && json(line).members["id"] != nil
      if isRequest {
        let message = try #require(RequestDecoder().decode(line).messages.first)
        #expect(throws: Never.self) { try message.request.get() }
      } else {
        let message = try #require(ReplyDecoder().decode(line))
        if case .notification(.unknown(let method, _)) = message {
          Issue.record("the example of \(method) does not fit its type")
        }
      }
    }
  }

  @Test func theVersionAndTheHighestGainAreThoseOfTheCode() {
    #expect(text.contains("protocol version **\(ProtocolVersion.current)**"))
    #expect(text.contains("the highest is \(Int(GainLimits.highestDB))"))
  }
}
