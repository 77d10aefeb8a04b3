// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import NIOConcurrencyHelpers
internal import Sessions

/// A player, recorder or context of the library, which receives the session's events before the app does.
protocol SessionParticipant: AnyObject, Sendable {
  /// Handles an event; called on the session's event thread, one participant after the other. [any-thread]
  func session(did event: SessionEvent)
}

/// An event of the session.
///
/// Pure value: [any-thread].
enum SessionEvent: Sendable {
  /// The audio is silent and the session inactive (INT-1).
  case interrupted
  /// The interruption is over. `held` are the remote commands that arrived meanwhile; `leavesPaused` says whether they
  /// leave players paused that played before (INT-4).
  case interruptionEnded(shouldResume: Bool, leavesPaused: Bool, held: [RemoteCommand])
  /// The route changed (RTE-3, RTE-7); `lost` are the outputs that are not in the new route.
  case routeChanged(AVAudioSession.RouteChangeReason, lost: LostOutputs)
  /// The app made the session inactive (ACT-5).
  case deactivated
  /// The host or its server has ended: audio objects are orphans (RST-1).
  case mediaServicesLost
  /// A remote command for the app (VOL-2).
  case remoteCommand(RemoteCommand)
  /// The permission to record or the mute of the input changed (PRM-1).
  case inputChanged
}

/// The outputs that a change of the route took away.
///
/// Pure value: [any-thread].
struct LostOutputs: Sendable {
  /// The outputs of the route before the change, in order.
  let previous: [PortDetail]
  /// The uids of those that are not in the new route.
  let uids: Set<String>

  init(from previous: RouteDetail, to current: RouteDetail) {
    self.previous = previous.outputs
    uids = Set(previous.outputs.map(\.uid)).subtracting(current.outputs.map(\.uid))
  }

  /// The uids of the outputs that a stream was heard at, by its indices in the flat channels of the previous route.
  private func ports(ofChannels channels: [Int]) -> Set<String> {
    let owners = previous.flatMap { port in port.channels.map { _ in port.uid } }
    return Set(channels.filter(owners.indices.contains).map { owners[$0] })
  }

  /// Whether one of the outputs that a stream was heard at is lost.
  ///
  /// - Parameter channels: The stream's indices in the flat channels of the previous route.
  /// - Returns: Whether one is.
  func concern(channels: [Int]) -> Bool { !uids.isDisjoint(with: ports(ofChannels: channels)) }
}

/// All living participants of the session, each held weakly. [any-thread]
final class ParticipantList: Sendable {
  private struct Member: Sendable {
    weak var participant: (any SessionParticipant)?
  }

  private let members = NIOLockedValueBox<[Member]>([])

  /// Adds a participant.
  func add(_ participant: any SessionParticipant) {
    members.withLockedValue { members in
      members.removeAll { $0.participant == nil }
      members.append(Member(participant: participant))
    }
  }

  /// Hands an event to all participants, oldest first.
  func tell(_ event: SessionEvent) {
    for participant in members.withLockedValue({ $0.compactMap(\.participant) }) {
      participant.session(did: event)
    }
  }
}

/// A weak reference to a delegate; the library calls the delegate on the main thread only.
///
/// Immutable: [any-thread].
struct DelegateReference<Delegate>: @unchecked Sendable {
  private weak var object: AnyObject?

  var value: Delegate? { object as? Delegate }

  init(_ delegate: Delegate? = nil) { object = delegate as AnyObject? }
}
