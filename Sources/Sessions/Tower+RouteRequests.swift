// SPDX-License-Identifier: MIT

extension Tower {
  /// Overrides the output until the next route change (rule RTE-5).
  mutating func overrideOutput(_ port: PortOverride, _ index: Int) throws(SessionError) {
    let category = state.sessions[index].configuration.category
    guard category == .playAndRecord else {
      throw SessionError(
        .incompatibleCategory,
        .category(
          category: category,
          operation: "output override",
          allowed: [.playAndRecord]
        ),
        .rte5,
      )
    }
    guard state.sessions[index].isActive else {
      throw SessionError(.sessionNotActive, .notActive, .rte5)
    }
    guard state.sessions[index].override != port else { return }
    state.sessions[index].override = port
    reroute(index, .override)
  }

  /// Prefers one of the inputs the session may choose from (rule RTE-5).
  mutating func setPreferredInput(_ uid: String?, _ index: Int) throws(SessionError) {
    if let uid {
      let available = RouteSelector.availableInputs(
        for: state.sessions[index].configuration,
        ports: state.ports
      )
      guard available.contains(where: { $0.uid == uid }) else {
        let uids = available.map(\.uid).joined(separator: ", ")
        throw .value(
          "preferredInput",
          given: uid,
          allowed: uids.isEmpty ? "none here" : uids,
          .rte5
        )
      }
    }
    guard state.sessions[index].preferredInput != uid else { return }
    state.sessions[index].preferredInput = uid
    reroute(index, .override)
  }

  /// Switches a port of the current route to a data source and polar pattern (rule RTE-5).
  mutating func setDataSource(
    _ uid: String,
    _ dataSource: Int?,
    _ polarPattern: String?,
    _ index: Int
  ) throws(SessionError) {
    let route = state.sessions[index].route
    guard let port = (route.inputs + route.outputs).first(where: { $0.uid == uid }),
      let known = state.ports.firstIndex(where: { $0.uid == uid })
    else {
      throw .value("port", given: uid, allowed: "a port of the current route", .rte5)
    }
    var changed = port
    if let dataSource {
      guard let source = port.dataSources.firstIndex(where: { $0.id == dataSource }) else {
        throw SessionError(
          .resourceNotAvailable,
          .noChoice(portUID: uid, what: "data source \(dataSource)"),
          .rte5,
        )
      }
      if let polarPattern {
        guard port.dataSources[source].polarPatterns.contains(polarPattern) else {
          throw SessionError(
            .resourceNotAvailable,
            .noChoice(portUID: uid, what: "polar pattern \(polarPattern)"),
            .rte5,
          )
        }
        changed.dataSources[source].selectedPolarPattern = polarPattern
      }
    }
    changed.selectedDataSource = dataSource
    guard changed != port else { return }
    state.ports[known] = changed
    patching.append(
      .setDataSource(portUID: uid, dataSource: dataSource, polarPattern: polarPattern)
    )
    for user in state.sessions.indices { reroute(user, .routeConfigurationChange) }
  }
}
