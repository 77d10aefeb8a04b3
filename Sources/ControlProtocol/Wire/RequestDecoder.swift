// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Reads what clients send, line by line.
///
/// Pure value: [any-thread].
public struct RequestDecoder: Sendable {
  private let registry: MethodRegistry
  private let batchLimit: Int
  private let decoder = JSONCoding.decoder()

  /// Makes a decoder for the methods of a registry.
  public init(registry: MethodRegistry = .standard, batchLimit: Int = 128) {
    self.registry = registry
    self.batchLimit = batchLimit
  }

  /// Reads a line, without its newline.
  ///
  /// The decoder does not throw: a line that it cannot read becomes a message with an error to answer.
  /// [any-thread]
  public func decode(_ line: Data) -> IncomingLine {
    guard (try? UTF8Span(validating: line.span)) != nil else {
      return .message(.unreadable("it is not UTF-8"))
    }
    do {
      if line.first(where: { !Self.blanks.contains($0) }) == UInt8(ascii: "[") {
        let batch = BatchReading.Configuration(registry: registry, limit: batchLimit)
        return try decoder.decode(BatchReading.self, from: line, configuration: batch).line
      }
      let type = MessageReading.self
      return .message(try decoder.decode(type, from: line, configuration: registry).message)
    } catch {
      return .message(.unreadable("it is not JSON"))
    }
  }

  /// The white space that JSON allows in front of a value.
  private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
}

extension IncomingMessage {
  fileprivate static func unreadable(_ fault: String) -> IncomingMessage {
    let allowed = "one JSON-RPC 2.0 request, or an array of them, per line"
    return IncomingMessage(
      unreadable: ControlError(.parseError, place: "line", fault: fault, allowed: allowed)
    )
  }
}
