// SPDX-License-Identifier: MIT

internal import NIOConcurrencyHelpers

/// The repetition of an item or a queue.
public enum MPRepeatType: Int, Sendable {
  /// Nothing.
  case off = 0
  /// The current item.
  case one = 1
  /// The queue.
  case all = 2
}

/// The order of a queue.
public enum MPShuffleType: Int, Sendable {
  /// As it is.
  case off = 0
  /// Its items at random.
  case items = 1
  /// Its albums or lists at random.
  case collections = 2
}

/// The command to repeat the item or the queue, which remote controls on Linux send as MPRIS's `LoopStatus`.
///
/// Safe from any thread: [any-thread].
open class MPChangeRepeatModeCommand: MPRemoteCommand, @unchecked Sendable {
  private let box = NIOLockedValueBox(MPRepeatType.off)

  /// The repetition in force, as remote controls show it.
  public var currentRepeatType: MPRepeatType {
    get { box.withLockedValue { $0 } }
    set {
      box.withLockedValue { $0 = newValue }
      RemoteControl.shared.commandsChanged()
    }
  }
}

/// The command to play the queue in another order, which remote controls on Linux send as MPRIS's `Shuffle`.
///
/// Safe from any thread: [any-thread].
open class MPChangeShuffleModeCommand: MPRemoteCommand, @unchecked Sendable {
  private let box = NIOLockedValueBox(MPShuffleType.off)

  /// The order in which the app plays now, as remote controls show it.
  public var currentShuffleType: MPShuffleType {
    get { box.withLockedValue { $0 } }
    set {
      box.withLockedValue { $0 = newValue }
      RemoteControl.shared.commandsChanged()
    }
  }
}

/// The command to like, dislike or bookmark the item; no remote control on Linux sends it.
///
/// Safe from any thread: [any-thread].
open class MPFeedbackCommand: MPRemoteCommand, @unchecked Sendable {
  private struct Shown {
    var isActive = false
    var title = ""
    var shortTitle = ""
  }

  private let box = NIOLockedValueBox(Shown())

  /// Whether the item has the feedback already.
  public var isActive: Bool {
    get { box.withLockedValue { $0.isActive } }
    set { box.withLockedValue { $0.isActive = newValue } }
  }

  /// The command's name in the user's language.
  public var localizedTitle: String {
    get { box.withLockedValue { $0.title } }
    set { box.withLockedValue { $0.title = newValue } }
  }

  /// A short form of the command's name in the user's language.
  public var localizedShortTitle: String {
    get { box.withLockedValue { $0.shortTitle } }
    set { box.withLockedValue { $0.shortTitle = newValue } }
  }
}

/// The command to rate the item; no remote control on Linux sends it.
///
/// Safe from any thread: [any-thread].
open class MPRatingCommand: MPRemoteCommand, @unchecked Sendable {
  private let box = NIOLockedValueBox<(minimum: Float, maximum: Float)>((0, 1))

  /// The lowest rating.
  public var minimumRating: Float {
    get { box.withLockedValue { $0.minimum } }
    set { box.withLockedValue { $0.minimum = newValue } }
  }

  /// The highest rating.
  public var maximumRating: Float {
    get { box.withLockedValue { $0.maximum } }
    set { box.withLockedValue { $0.maximum = newValue } }
  }
}

/// A change of the order or of the repetition by a remote control.
///
/// Pure value: [any-thread].
enum PlayMode: Hashable, Sendable {
  case repetition(MPRepeatType)
  case order(MPShuffleType)
}

extension MPRemoteCommandCenter {
  /// Calls the targets of a change of order or repetition, which comes without the host: it starts no audio.
  func carryOut(_ mode: PlayMode) {
    switch mode {
    case .repetition(let type):
      let command = changeRepeatModeCommand
      command.send(MPChangeRepeatModeCommandEvent(command, repeatType: type))
    case .order(let type):
      let command = changeShuffleModeCommand
      command.send(MPChangeShuffleModeCommandEvent(command, shuffleType: type))
    }
  }
}
