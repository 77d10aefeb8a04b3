// SPDX-License-Identifier: MIT

public import GraphFiles
internal import ServerControl
public import Sessions

/// The policy of a graph file, to be rehearsed without a host. [any-thread]
extension GraphFile {
  /// The settings of the tower, and the sessions that a host with this graph gives.
  public var rehearsedPolicy: RehearsedPolicy {
    RehearsedPolicy(configuration: towerConfiguration) { recorded in
      switch recorded.origin {
      case .client(let name, let executable):
        adoption(of: name) { executable }.flatMap { rule in
          rule.session.flatMap { session in
            try? description(of: recorded, by: rule, session)
          }
        }
      case .source(let name):
        // A source that this graph does not have sounds as it did.
        (try? sourceSession(name)) ?? recorded
      case .host:
        (try? hostSession(instead: recorded)) ?? recorded
      case nil:
        recorded
      }
    }
  }

  private func description(
    of recorded: SessionDescription,
    by rule: Adoption,
    _ session: AppSession,
  ) throws(SessionError) -> SessionDescription {
    var description = try session.description(app: recorded.app, isAdopted: true)
    description.origin = recorded.origin
    description.traits.preferredOutputs = recorded.traits.preferredOutputs
    let ruled = rule.routes + rule.strips.flatMap(\.routes)
    if ruled.isEmpty { return description }
    // Where its user has placed it, the rule's routes do not count.
    let isPlaced = recorded.traits.preferredOutputs != nil
    description.traits.pinnedOutputs = isPlaced ? [] : routes.map(\.name).filter(ruled.contains)
    return description
  }

  /// The session of a source of the graph; nil for a source without one.
  ///
  /// - Throws: `SessionError` for a combination that only the tower rejects.
  func sourceSession(_ name: String) throws(SessionError) -> SessionDescription? {
    try source(named: name)?.session.map { session throws(SessionError) in
      try session.description(ofSource: name)
    }
  }

  private func hostSession(
    instead recorded: SessionDescription
  ) throws(SessionError) -> SessionDescription {
    var description = try hostSession(ServerPreference(), sampleRateHz: 48_000)
    description.app = recorded.app
    description.preferences = recorded.preferences
    return description
  }
}
