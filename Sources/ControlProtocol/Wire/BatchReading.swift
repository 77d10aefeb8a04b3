// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Reads an array of messages; one with too many is refused before any of them is read.
///
/// Pure value: [any-thread].
struct BatchReading: DecodableWithConfiguration {
  /// The methods that there are, and the most messages.
  struct Configuration {
    var registry: MethodRegistry
    var limit: Int
  }

  let line: IncomingLine

  /// Reads an array.
  ///
  /// - Throws: The decoder's error if it is none.
  init(from decoder: any Decoder, configuration: Configuration) throws {
    var container = try decoder.unkeyedContainer()
    let limit = configuration.limit
    if let count = container.count, count > limit {
      line = .message(
        IncomingMessage(
          unreadable: ControlError(
            .tooLarge,
            place: "batch",
            fault: "it has \(count) messages; all of them were refused",
            allowed: "1 to \(limit) messages",
          )
        )
      )
      return
    }
    var batch: [IncomingMessage] = []
    while !container.isAtEnd {
      let reading = try container.decode(
        MessageReading.self,
        configuration: configuration.registry,
      )
      batch.append(reading.message)
    }
    guard batch.isEmpty else {
      line = .batch(batch)
      return
    }
    let error = ControlError.invalidRequest("batch", "it is empty", "1 to \(limit) messages")
    line = .message(IncomingMessage(unreadable: error))
  }
}
