// SPDX-License-Identifier: MIT

public import Foundation
internal import NIOConcurrencyHelpers

/// The command to go to a place.
open class MPChangePlaybackPositionCommand: MPRemoteCommand, @unchecked Sendable {
  override func event(_ call: RemoteCommandCall) -> MPRemoteCommandEvent {
    MPChangePlaybackPositionCommandEvent(self, positionTime: call.seconds ?? 0)
  }
}

/// The command to go on or back by some seconds.
open class MPSkipIntervalCommand: MPRemoteCommand, @unchecked Sendable {
  private let box = NIOLockedValueBox<[Double]>([10])

  /// How far, in seconds: the first is for remote controls that do not say.
  public var preferredIntervals: [NSNumber] {
    get { box.withLockedValue { $0 }.map { NSNumber(value: $0) } }
    set {
      let seconds = newValue.map(\.doubleValue)
      box.withLockedValue { $0 = seconds }
    }
  }

  override func event(_ call: RemoteCommandCall) -> MPRemoteCommandEvent {
    let seconds = call.seconds.flatMap { $0 > 0 ? $0 : nil }
    return MPSkipIntervalCommandEvent(
      self,
      interval: seconds ?? box.withLockedValue { $0.first } ?? 0,
    )
  }
}

/// The command to play faster or slower.
open class MPChangePlaybackRateCommand: MPRemoteCommand, @unchecked Sendable {
  private let box = NIOLockedValueBox<[Double]>([])

  /// The speeds that the app can do, 1 is normal; remote controls may ask for any between the lowest and the highest.
  public var supportedPlaybackRates: [NSNumber] {
    get { box.withLockedValue { $0 }.map { NSNumber(value: $0) } }
    set {
      let rates = newValue.map(\.doubleValue)
      box.withLockedValue { $0 = rates }
      RemoteControl.shared.commandsChanged()
    }
  }

  /// What remote controls may ask for; nil where the speed is fixed.
  var range: ClosedRange<Double>? {
    let rates = box.withLockedValue { $0 }
    guard isTaken, let lowest = rates.min(), let highest = rates.max() else { return nil }
    return min(lowest, 1)...max(highest, 1)
  }

  override func event(_ call: RemoteCommandCall) -> MPRemoteCommandEvent {
    MPChangePlaybackRateCommandEvent(self, playbackRate: Float(call.rate ?? 1))
  }
}
