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

  private func fields<Method: ControlMethod>(of method: Method.Type) -> [String] {
    method.Params.fields.map(\.name)
  }

  @Test(arguments: MethodRegistry.standard.names)
  func everyMethodHasARowWithItsParameters(_ name: String) throws {
    let row = try #require(tableRow("`\(name)`"), "\(name) is not in the table")
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

  @Test func everyEventKindHasARow() {
    for kind in EventKind.known {
      #expect(tableRow("`\(kind.rawValue)`") != nil, "\(kind.rawValue)")
    }
  }

  @Test func everyKeyOfTheStatusIsNamed() throws {
    let line = MessageEncoder().reply(.success(Samples.status), id: .integer(1))
    for key in keys(try #require(try json(line).members["result"])) {
      #expect(text.contains("`\(key)`") || text.contains("`\(key)[]`"), "\(key)")
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
