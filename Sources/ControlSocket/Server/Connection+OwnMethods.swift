// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import Logging

extension Connection {
  /// Answers the methods that concern the connection only; `nil` for other methods.
  func ownReply(to request: ControlRequest) -> ControlReply? {
    if let params = request.params(for: Hello.self) { return hello(params) }
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

  private func hello(_ params: Hello.Params) -> ControlReply {
    let shared = Set(params.versions).intersection(ProtocolVersion.supported)
    guard let version = shared.max() else {
      return .failure(
        ControlError(
          .versionMismatch,
          place: "versions",
          fault: "this host speaks none of \(params.versions)",
          allowed: "\(ProtocolVersion.supported)",
        )
      )
    }
    hub.logger.debug("control socket: \(id) is \(params.client)")
    return .success(
      Hello.Result(
        version: version,
        host: hub.configuration.hostName,
        pid: getpid(),
        hostVersion: hub.configuration.hostVersion,
        capabilities: hub.configuration.methods.names,
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
