// SPDX-License-Identifier: MIT

internal import NIOConcurrencyHelpers

/// The players, recorders and contexts that live, each held weakly.
final class ParticipantList: Sendable {
  private struct Member: Sendable {
    weak var participant: (any SessionParticipant)?
  }

  private let members = NIOLockedValueBox<[Member]>([])

  /// Adds one.
  func add(_ participant: any SessionParticipant) {
    members.withLockedValue { members in
      members.removeAll { $0.participant == nil }
      members.append(Member(participant: participant))
    }
  }

  /// Tells all of them, oldest first.
  func tell(_ event: SessionEvent) {
    for participant in members.withLockedValue({ $0.compactMap(\.participant) }) {
      participant.session(did: event)
    }
  }
}
