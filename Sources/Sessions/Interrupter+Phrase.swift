// SPDX-License-Identifier: MIT

extension Interrupter {
  /// The interrupter as a part of a sentence.
  var phrase: String {
    switch self {
    case .session(let id): "session \(id)"
    case .simulated(let priorityClass): "a simulated \(priorityClass.rawValue)"
    case .background: "the background"
    case .microphoneMute: "the muted microphone"
    case .routeDisconnect: "the lost route"
    }
  }
}
