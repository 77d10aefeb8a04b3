// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import Logging

extension Connection {
  /// Answers the methods that concern the connection only; `nil` for other methods, and for a hello whose role the
  /// handler decides on.
  func ownReply(to request: ControlRequest) -> ControlReply? {
    if let params = request.params(for: Hello.self) { return refusal(of: params) }
    if let params = request.params(for: Subscribe.self) {
      let asked = params.metersIntervalMilliseconds ?? metersIntervalMilliseconds ?? 100
      return subscribe(to: topics.union(params.topics), metersIntervalMilliseconds: asked)
    }
    if let params = request.params(for: Unsubscribe.self) {
      return subscribe(
        to: topics.subtracting(params.topics),
        metersIntervalMilliseconds: metersIntervalMilliseconds,
      )
    }
    return nil
  }

  /// The answer to a hello without the role, on which the handler decides; nil for other methods.
  func greeting(to request: ControlRequest) -> (answer: Hello.Result, role: ClientRole?)? {
    guard let params = request.params(for: Hello.self), let version = sharedVersion(params) else {
      return nil
    }
    hub.logger.debug("control socket: \(id) is \(params.client)")
    let answer = Hello.Result(
      version: version,
      host: hub.configuration.hostName,
      pid: getpid(),
      hostVersion: hub.configuration.hostVersion,
      capabilities: hub.configuration.methods.names,
    )
    return (answer, params.role)
  }

  private func sharedVersion(_ params: Hello.Params) -> Int? {
    Set(params.versions).intersection(ProtocolVersion.supported).max()
  }

  private func refusal(of params: Hello.Params) -> ControlReply? {
    guard sharedVersion(params) == nil else { return nil }
    return .failure(
      ControlError(
        .versionMismatch,
        place: "versions",
        fault: "this host speaks none of \(params.versions)",
        allowed: "\(ProtocolVersion.supported)",
      )
    )
  }

  private func subscribe(
    to topics: Set<Topic>,
    metersIntervalMilliseconds: Int?,
  ) -> ControlReply {
    let interval = topics.contains(.meters) ? metersIntervalMilliseconds : nil
    hub.subscribe(id, to: topics, metersIntervalMilliseconds: interval)
    return .success(Subscription(topics: Array(topics), metersIntervalMilliseconds: interval))
  }
}
