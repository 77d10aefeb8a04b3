// SPDX-License-Identifier: MIT

internal import InterAppAudio
internal import Patchbay

/// The reason why a node is left out or not heard as it should be (IAA-6).
///
/// Pure value: [any-thread].
enum NodeFault: Equatable, Sendable {
  /// The node was late several times.
  case late(LateReason, Remedy)
  /// SIGSTOP holds its process.
  case stopped(isEnded: Bool)
  /// Several attempts to connect its ports failed.
  case cannotConnect(ConnectionPair, reason: String)
  /// It may not be connected (IAA-3, IAA-4), or belongs to another host.
  case refused(InterAppAudioError)
  /// Its channels or its kind do not fit its place.
  case unfit(InsertPlace, InterAppAudioError)
  /// It is the source of a strip with another number of channels.
  case otherChannels(strip: String)
  /// Its program cannot be started.
  case cannotStart(InterAppAudioError)
  /// The ports of its place cannot be made, for this reason.
  case noPorts(reason: String)

  /// The sign that a node is late.
  enum LateReason: Equatable, Sendable {
    /// The node has reported it.
    case overruns
    /// The strip or route continued without it.
    case misses(InsertPlace)
  }

  /// The remedy for a late node.
  enum Remedy: Equatable, Sendable {
    /// The node is left as it is, because it is the source of a strip.
    case none
    /// It is bypassed for a time.
    case retried(afterSeconds: UInt64)
    /// It is bypassed until it is set again.
    case bypassed
  }

  /// Whether the fault is lateness.
  var isLate: Bool { if case .late = self { true } else { false } }

  /// The time in seconds until the node is tried again; nil if it is not.
  var retrySeconds: UInt64? {
    if case .late(_, .retried(let seconds)) = self { seconds } else { nil }
  }

  /// The fault as a predicate, without the node's name.
  var sentence: String {
    switch self {
    case .late(let reason, let remedy): reason.sentence + remedy.sentence
    case .stopped(isEnded: true): "it is stopped (SIGSTOP); the host has started it, and ends it"
    case .stopped(isEnded: false): "it is stopped (SIGSTOP); it is left out until it continues"
    case .cannotConnect(let pair, let reason):
      "cannot connect \(pair.source) → \(pair.destination): \(reason)" + Remedy.bypassed.sentence
    case .refused(let error), .cannotStart(let error): error.description
    case .unfit(let place, let error): "in \(place.description): \(error)"
    case .otherChannels(let strip): "it has other channels than strip '\(strip)'"
    case .noPorts(let reason): reason
    }
  }

  /// The fault as a sentence about a node.
  ///
  /// - Parameter node: The name under which it is used.
  /// - Returns: The sentence.
  func message(of node: String) -> String {
    namesNode ? sentence : "node '\(node)': \(sentence)"
  }

  /// Whether the predicate contains the node's name already.
  private var namesNode: Bool {
    guard case .refused(let error) = self else { return false }
    return error.code == .tooManyInstances || error.code == .instanceInvalidated
  }
}

extension NodeFault.LateReason {
  fileprivate var sentence: String {
    switch self {
    case .overruns: "its callback takes longer than a period"
    case .misses(let place):
      "\(place.description) does not hear it in time, again and again: it takes too long, "
        + "or is patched in a loop"
    }
  }
}

extension NodeFault.Remedy {
  fileprivate var sentence: String {
    switch self {
    case .none: ""
    case .retried(let seconds): "; it is bypassed, and tried again in \(seconds) s"
    case .bypassed: "; it is bypassed until it is set again"
    }
  }
}
