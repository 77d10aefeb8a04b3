// SPDX-License-Identifier: MIT

public import Foundation
internal import NIOConcurrencyHelpers
internal import Sessions

/// A command of remote controls, with the targets that carry it out.
///
/// An app with a target for any command receives remote commands (VOL-2). Targets are called on the main thread.
///
/// Safe from any thread: [any-thread].
open class MPRemoteCommand: NSObject, @unchecked Sendable {
  /// A target: carries a command out and returns the outcome.
  ///
  /// It is called on the main thread, so that objects of the main actor may be used in it.
  public typealias Handler = (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus

  private struct State {
    var targets: [(token: NSObject, handler: Handler)] = []
    var isEnabled = true
  }

  private let state = NIOLockedValueBox(State())

  override init() {}

  /// Whether remote controls may send the command now.
  public var isEnabled: Bool {
    get { state.withLockedValue { $0.isEnabled } }
    set {
      state.withLockedValue { $0.isEnabled = newValue }
      RemoteControl.shared.commandsChanged()
    }
  }

  /// Adds a closure that carries the command out.
  ///
  /// - Returns: The token for ``removeTarget(_:)``.
  /// [any-thread]
  @discardableResult
  public func addTarget(handler: @escaping Handler) -> Any {
    let token = NSObject()
    state.withLockedValue { $0.targets.append((token, handler)) }
    RemoteControl.shared.commandsChanged()
    return token
  }

  /// Removes one target; nil removes all.
  /// [any-thread]
  public func removeTarget(_ target: Any?) {
    let token = target as? NSObject
    state.withLockedValue { state in
      state.targets.removeAll { token == nil || $0.token === token }
    }
    RemoteControl.shared.commandsChanged()
  }

  /// Whether the command is enabled and has a target.
  var isTaken: Bool { state.withLockedValue { $0.isEnabled && !$0.targets.isEmpty } }

  /// The event that targets are given for a call.
  func event(_ command: RemoteCommand) -> MPRemoteCommandEvent { MPRemoteCommandEvent(self) }

  /// Calls the targets in the order in which they were added.
  func send(_ event: MPRemoteCommandEvent) {
    let handlers = state.withLockedValue { $0.isEnabled ? $0.targets.map(\.handler) : [] }
    for handler in handlers { _ = handler(event) }
  }
}

/// The command to move to a position.
///
/// Safe from any thread: [any-thread].
open class MPChangePlaybackPositionCommand: MPRemoteCommand, @unchecked Sendable {
  override func event(_ command: RemoteCommand) -> MPRemoteCommandEvent {
    MPChangePlaybackPositionCommandEvent(self, positionTime: command.seconds ?? 0)
  }
}

/// The command to skip forward or back by an interval.
///
/// Safe from any thread: [any-thread].
open class MPSkipIntervalCommand: MPRemoteCommand, @unchecked Sendable {
  private let box = NIOLockedValueBox<[Double]>([10])

  /// The intervals in seconds; the first is used for remote controls that send none.
  public var preferredIntervals: [NSNumber] {
    get { box.withLockedValue { $0 }.map { NSNumber(value: $0) } }
    set {
      let seconds = newValue.map(\.doubleValue)
      box.withLockedValue { $0 = seconds }
    }
  }

  override func event(_ command: RemoteCommand) -> MPRemoteCommandEvent {
    let seconds = command.seconds.flatMap { $0 > 0 ? $0 : nil }
    return MPSkipIntervalCommandEvent(
      self,
      interval: seconds ?? box.withLockedValue { $0.first } ?? 0,
    )
  }
}

/// The command to change the rate of playback.
///
/// Safe from any thread: [any-thread].
open class MPChangePlaybackRateCommand: MPRemoteCommand, @unchecked Sendable {
  private let box = NIOLockedValueBox<[Double]>([])

  /// The rates that the app supports, 1 is normal; remote controls may send any rate between the lowest and the highest.
  public var supportedPlaybackRates: [NSNumber] {
    get { box.withLockedValue { $0 }.map { NSNumber(value: $0) } }
    set {
      let rates = newValue.map(\.doubleValue)
      box.withLockedValue { $0 = rates }
      RemoteControl.shared.commandsChanged()
    }
  }

  /// The rates that remote controls may send; nil if the rate is fixed.
  var range: ClosedRange<Double>? {
    let rates = box.withLockedValue { $0 }
    guard isTaken, let lowest = rates.min(), let highest = rates.max() else { return nil }
    return min(lowest, 1)...max(highest, 1)
  }

  override func event(_ command: RemoteCommand) -> MPRemoteCommandEvent {
    MPChangePlaybackRateCommandEvent(self, playbackRate: Float(command.factor ?? 1))
  }
}
