// SPDX-License-Identifier: MIT

internal import Dispatch
internal import NIOConcurrencyHelpers
internal import Sessions

/// The app's music player on the user's message bus (MPRIS), beside the app itself: there while it has a piece.
///
/// Safe from any thread: [any-thread].
final class MusicBus: Sendable {
  private let onCommand: @Sendable (RemoteCommand) -> Void
  private let onMode: @Sendable (PlayMode) -> Void
  private let onVolume: @Sendable (Double) -> Void
  private let volume: @Sendable () -> Double
  /// Joins, leaves and carries out in order; the bus's own thread may not wait for a host.
  private let queue = DispatchQueue(label: "multiroute.music")
  /// Belongs to `queue`.
  private let joined = NIOLockedValueBox<MediaPlayerBus?>(nil)

  /// Describes the player, which is not on the bus yet.
  ///
  /// - Parameters:
  ///   - onCommand: Called with each command of a remote control.
  ///   - onMode: Called with each requested order or repetition.
  ///   - onVolume: Called with each requested volume, an amplitude of 0 to 1.
  ///   - volume: Gives the volume now; it may wait for the host.
  init(
    onCommand: @escaping @Sendable (RemoteCommand) -> Void,
    onMode: @escaping @Sendable (PlayMode) -> Void,
    onVolume: @escaping @Sendable (Double) -> Void,
    volume: @escaping @Sendable () -> Double,
  ) {
    self.onCommand = onCommand
    self.onMode = onMode
    self.onVolume = onVolume
    self.volume = volume
  }

  /// Shows remote controls the player's facts; without any it leaves the bus.
  func show(_ facts: MediaPlayerBus.Facts?) {
    queue.async { self.settle(facts) }
  }

  private func settle(_ facts: MediaPlayerBus.Facts?) {
    let bus = joined.withLockedValue { $0 }
    if let bus, facts == nil || bus.hasEnded {
      joined.withLockedValue { $0 = nil }
      bus.close()
    }
    guard var facts else { return }
    facts.volume = volume()
    // Without a message bus there are no remote controls.
    guard let bus = joined.withLockedValue({ $0 }) ?? join() else { return }
    bus.update(facts, positionSeconds: facts.info?.elapsedSeconds)
  }

  private func join() -> MediaPlayerBus? {
    let bus = MediaPlayerBus(
      app: SessionController.shared.settings.app + "-music",
      onCommand: { [self] command in queue.async { self.onCommand(command) } },
      onMode: { [self] mode in queue.async { self.onMode(mode) } },
      onVolume: { [self] amplitude in queue.async { self.onVolume(amplitude) } },
    )
    joined.withLockedValue { $0 = bus }
    return bus
  }
}
