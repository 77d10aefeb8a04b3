// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// Why a host did not do what it was asked for.
enum HostFault: Error, CustomStringConvertible {
  /// No host can be reached; the text says why and what helps.
  case noHost(String)
  /// The host did not answer in time.
  case timedOut(method: String, seconds: Double)
  /// The connection ended before the answer.
  case disconnected
  /// The host answered something that is not of the method's type.
  case badAnswer(method: String)
  /// The host refused.
  case refused(ControlError)

  /// One sentence: the fault, and what helps.
  var description: String {
    switch self {
    case .noHost(let reason): reason
    case .timedOut(let method, let seconds):
      "the host did not answer \(method) within \(seconds) s; wait for mediaServicesWereReset"
    case .disconnected: "the host is gone; wait for mediaServicesWereReset"
    case .badAnswer(let method): "the host's answer to \(method) cannot be read"
    case .refused(let error): error.message
    }
  }
}
