// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials

@testable import Surfaces

/// A guest of the host whose lines are answered as a connection does it: by its rights, and with nothing behind them.
///
/// A plain value: [any-thread].
struct LineGuest: Sendable {
  let rights: WebRights

  /// Answers a line.
  ///
  /// - Returns: One line without its newline; nil where none is due.
  func answer(to line: [UInt8]) -> [UInt8]? {
    let encoder = MessageEncoder()
    let incoming = RequestDecoder().decode(Data(line))
    var replies: [Data] = []
    for message in incoming.messages {
      let reply = encoder.reply(reply(to: message), id: message.id)
      Self.check(Array(reply))
      if message.isAnswered { replies.append(reply) }
    }
    switch incoming {
    case .message: return replies.first.map(Array.init)
    case .batch:
      guard !replies.isEmpty else { return nil }
      let batch = Array(encoder.batch(replies))
      Self.check(batch)
      return batch
    }
  }

  /// Stops if bytes are not one line of JSON.
  static func check(_ line: [UInt8]) {
    precondition(!line.contains(0x0A), "an answer has more than one line")
    let value = try? JSONDecoder().decode(JSONValue.self, from: Data(line))
    precondition(value != nil, "an answer is not JSON")
  }

  private func reply(to message: IncomingMessage) -> ControlReply {
    switch message.request {
    case .failure(let error): return .failure(error)
    case .success(let request):
      checkOrder(of: request)
      return rights.refusal(of: request).map { .failure($0) } ?? .success(NoResult())
    }
  }

  /// Stops if a role may do what a greater one may not.
  private func checkOrder(of request: ControlRequest) {
    func isRefused(_ role: WebRole) -> Bool {
      WebRights(role: role, route: "main").refusal(of: request) != nil
    }
    precondition(isRefused(.watch) || !isRefused(.mix), "'watch' may do more than 'mix'")
    precondition(isRefused(.mix) || !isRefused(.all), "'mix' may do more than 'all'")
    let isAboutKeys = WebRights.aboutKeys.contains(request.method.name)
    precondition(!isAboutKeys || isRefused(.all), "a guest may give keys")
  }
}
