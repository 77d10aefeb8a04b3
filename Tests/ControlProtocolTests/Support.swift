// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Testing

/// Reads one line as a server does.
func read(_ line: String) -> IncomingLine { RequestDecoder().decode(Data(line.utf8)) }

/// Reads one line that is a single message.
func readMessage(_ line: String) throws -> IncomingMessage {
  try #require(read(line).messages.first)
}

/// Reads one line that must be refused.
func refusal(of line: String) throws -> ControlError {
  switch try readMessage(line).request {
  case .success(let request):
    Issue.record("taken as \(request.method.name): \(line)")
    throw ControlError(.internalError, message: "taken")
  case .failure(let error): return error
  }
}

/// Any JSON value out of a line.
func json(_ line: Data) throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: line) }

extension JSONValue {
  /// The members of an object.
  var members: [String: JSONValue] {
    if case .object(let members) = self { members } else { [:] }
  }

  /// The elements of an array.
  var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }
}
